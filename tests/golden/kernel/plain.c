// A program without CUDA that starts nothing.
int main(void) { return 0; }
