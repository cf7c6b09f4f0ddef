// The source of this folder's images, compiled by nvcc 13.5 with `-arch=sm_80 -ptx`, and with `-cubin` for sm_80 and sm_100.

struct Pair { float a; unsigned b; double c; };
extern "C" __global__ void saxpy(unsigned n, float a, const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void mangled(Pair p, unsigned char c, float *y) { extern __shared__ float s[]; s[threadIdx.x] = p.a; __syncthreads(); y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + c; }
