// What the bench `gpu` races against: all of CUDA C's kernels in one module.

#include "kernels.cu"
#include "twins.cu"
