// What a HIP programmer writes for the kernels that `cargo xtask codegen` compares on AMD. Sizes are 32-bit where the launch
// bounds them, and pointers `__restrict__`, as in `kernels.cu`.

// What HIP's headers say, in the words of the compiler: they come with ROCm, which isn't needed here.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
typedef __SIZE_TYPE__ size_t;
#define COORDINATES(name, of)                                                                                              \
    struct name##_t {                                                                                                      \
        __declspec(property(get = get_x)) unsigned x;                                                                      \
        __declspec(property(get = get_y)) unsigned y;                                                                      \
        __declspec(property(get = get_z)) unsigned z;                                                                      \
        __device__ __forceinline__ unsigned get_x() const { return __builtin_amdgcn_##of##_x(); }                          \
        __device__ __forceinline__ unsigned get_y() const { return __builtin_amdgcn_##of##_y(); }                          \
        __device__ __forceinline__ unsigned get_z() const { return __builtin_amdgcn_##of##_z(); }                          \
    };                                                                                                                     \
    static __device__ const name##_t name = {};
COORDINATES(threadIdx, workitem_id)
COORDINATES(blockIdx, workgroup_id)
COORDINATES(blockDim, workgroup_size)
#define warpSize __builtin_amdgcn_wavefrontsize()

__device__ __forceinline__ void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__device__ __forceinline__ float __shfl_xor(float value, unsigned mask) {
    unsigned self = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)), other = self ^ mask;
    unsigned lane = other >= ((self + warpSize) & ~(warpSize - 1)) ? self : other;
    return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(lane << 2, __builtin_bit_cast(int, value)));
}

// The kernels.

extern "C" __global__ void vector_add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                                      unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void fma_sqrt(float a, const float *__restrict__ x, float *__restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __builtin_sqrtf(__builtin_fmaf(a, x[i], y[i]));
}

// A tree in shared memory, whose threads add side by side.
extern "C" __global__ void __launch_bounds__(256) sequential(const float *__restrict__ x, size_t n,
                                                           float *__restrict__ sums, size_t groups) {
    const unsigned BLOCK = 256;
    __shared__ float scratch[BLOCK];
    unsigned at = threadIdx.x;
    size_t i = blockIdx.x * BLOCK + at;
    scratch[at] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
        if (at < half) scratch[at] += scratch[at + half];
        __syncthreads();
    }
    if (at == 0 && blockIdx.x < groups) sums[blockIdx.x] = scratch[0];
}

__device__ __forceinline__ float warp_sum(float sum) {
#pragma unroll
    for (unsigned half = warpSize / 2; half > 0; half /= 2) sum += __shfl_xor(sum, half);
    return sum;
}

// Each block takes its share of neighbours, from its beginning and its middle, and then sums its threads' by shuffles.
extern "C" __global__ void __launch_bounds__(256) collective(const float *__restrict__ x, size_t n,
                                                           float *__restrict__ sums, size_t groups) {
    const unsigned BLOCK = 256;
    __shared__ float warps[BLOCK / 32];
    unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    float sum = 0;
    size_t turns = ((n + groups - 1) / groups + 2 * BLOCK - 1) / (2 * BLOCK);
    size_t half = turns * BLOCK, first = blockIdx.x * 2 * half;
    for (size_t turn = 0; turn < turns; turn++, first += BLOCK) {
        size_t near = first + threadIdx.x, far = near + half;
        sum += (near < n ? x[near] : 0.0f) + (far < n ? x[far] : 0.0f);
    }
    sum = warp_sum(sum);
    if (lane == 0) warps[warp] = sum;
    __syncthreads();
    sum = lane < BLOCK / warpSize ? warps[lane] : 0.0f;
    sum = warp_sum(sum);
    if (threadIdx.x == 0 && blockIdx.x < groups) sums[blockIdx.x] = sum;
}

// C = A·B by 16×16 tiles; sizes need not be multiples of 16.
extern "C" __global__ void __launch_bounds__(256) matrix_mul(const float *__restrict__ a, unsigned a_rows, unsigned a_cols,
                                                           const float *__restrict__ b, unsigned b_rows,
                                                           unsigned b_cols, float *__restrict__ c) {
    const unsigned T = 16;
    __shared__ float ta[T][T], tb[T][T];
    unsigned x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * T + x, row = blockIdx.y * T + y;
    float sum = 0;
    for (unsigned k = 0; k < a_cols; k += T) {
        ta[y][x] = row < a_rows && k + x < a_cols ? a[(size_t)row * a_cols + k + x] : 0.0f;
        tb[y][x] = k + y < b_rows && col < b_cols ? b[(size_t)(k + y) * b_cols + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < T; i++) sum = __builtin_fmaf(ta[y][i], tb[i][x], sum);
        __syncthreads();
    }
    if (row < a_rows && col < b_cols) c[(size_t)row * b_cols + col] = sum;
}
