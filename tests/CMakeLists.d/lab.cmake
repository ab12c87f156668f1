# The reproduction lab: data, models, join, drawing, and what the command reads of its surroundings.
unit_test(lab lab)
unit_test(report_lab report)
unit_test(cli_lab cli)
