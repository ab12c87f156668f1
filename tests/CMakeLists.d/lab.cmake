# The reproduction lab: data, models, join, drawing, and what the command reads of its surroundings.
unit_test(lab lab)
unit_test(lab_text lab)
unit_test(lab_runs lab)
