// What the bench `gpu` races against: the kernels of both files in one module.

#include "kernels.cu"
#include "twins.cu"
