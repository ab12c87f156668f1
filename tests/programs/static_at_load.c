// Linked behind static_library.cu, whose kernels are registered first.
int library_works(void);
int worked_at_load = -1;
__attribute__((constructor)) static void work_at_load(void) { worked_at_load = library_works(); }
