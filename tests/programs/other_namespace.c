// Loads a library in a namespace of its own.
#define _GNU_SOURCE
#include <dlfcn.h>

int main(int count, char** words) { return count < 2 || !dlmopen(LM_ID_NEWLM, words[1], RTLD_NOW); }
