// A second file of the program launch_box, with the same kernel of the same table.
#include "tests/programs/launch_box.cuh"

Launched launch_from_another_file(int n) { return add_one_and_compare<Mixed>(n); }
