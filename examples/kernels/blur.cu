// A kernel in CUDA C, launched by `foreign_kernel.rs`. Compiled by
//     nvcc -arch=sm_80 -ptx -o blur.ptx blur.cu
// with nvcc 13.5. Its `.version 9.5` is written as 8.0, which the code needs no more than, so that older drivers take it too.

struct Weights {
    float side;
    float middle;
};

// Each element's weighted mean with its neighbours; what lies beyond the ends counts as the end. The launch's workgroup
// memory has room for a block's elements and one more at each side.
extern "C" __global__ void blur(Weights weights, const float *from, float *to, unsigned n) {
    extern __shared__ float tile[];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = threadIdx.x + 1;
    tile[at] = from[min(i, n - 1)];
    if (threadIdx.x == 0) {
        tile[0] = from[i == 0 ? 0 : min(i - 1, n - 1)];
        tile[blockDim.x + 1] = from[min(i + blockDim.x, n - 1)];
    }
    __syncthreads();
    if (i < n) {
        float sides = tile[at - 1] + tile[at + 1];
        to[i] = fmaf(weights.middle, tile[at], weights.side * sides);
    }
}
