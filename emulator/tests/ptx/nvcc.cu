// Ordinary CUDA C, for what nvcc makes of it: see README.md.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ int table[4] = {1, 2, 3, 4};
__constant__ float coefficients[8] = {1.f, 2.f, 4.f, 8.f};
__device__ int *pointers[2] = {table, table + 1};

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float ta[16][16], tb[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        ta[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
        tb[threadIdx.y][threadIdx.x] = k + threadIdx.y < n && col < n ? b[(k + threadIdx.y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = sum;
}

extern "C" __global__ void histogram(const unsigned char *data, int n, unsigned *out) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// The last group that is done adds up what the groups left.
extern "C" __global__ void sum_once(const int *x, int n, volatile int *partial, unsigned *done, int *out) {
    __shared__ int warps[8];
    __shared__ bool last;
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; ++i) sum += warps[i];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i];
        *out = total;
    }
}

extern "C" __global__ void scan(int *x) {
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, value = x[i];
    for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(~0u, value, step);
        if (lane >= step) value += other;
    }
    if (lane == 31) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int step = 1; step < 32; step *= 2) {
            int other = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += other;
        }
        sums[lane] = sum;
    }
    __syncthreads();
    x[i] = value + (threadIdx.x < 32 ? 0 : sums[threadIdx.x / 32 - 1]);
}

extern "C" __global__ void transpose(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void print(int n, double f) {
    if (threadIdx.x < n) printf("thread %d of %s: %5.2f\n", threadIdx.x, "print", f);
    if (n == 99) __trap();
}

extern "C" __global__ void halves(__half *a, __half2 *b, __nv_bfloat16 *c) {
    int i = threadIdx.x;
    a[i] = __hadd(a[i], __float2half(0.5f));
    b[i] = __hfma2(b[i], b[i], b[i]);
    c[i] = __hmul(c[i], c[i]);
}

extern "C" __global__ void math(float *x, double *y) {
    int i = threadIdx.x;
    x[i] = sinf(x[i]) + powf(fabsf(x[i]), 2.5f) + sqrtf(fabsf(x[i])) / (x[i] + 3.f) + expf(-x[i]);
    y[i] = exp(y[i]) * sin(y[i]) + log(y[i] * y[i] + 1.0) + atan2(y[i], 2.0);
}

extern "C" __global__ void indexed(int *x, int n, long long a, long long b) {
    int local[16];
    for (int i = 0; i < 16; i++) local[i] = i * n + x[threadIdx.x];
    x[threadIdx.x] = local[(n + threadIdx.x) & 15] + (int)(a / b) + (int)(a % (n + 1)) + *pointers[n & 1] + (int)coefficients[n & 7];
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursive(int *x) { x[threadIdx.x] = fibonacci(x[threadIdx.x]); }

typedef int (*Function)(int);
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ Function functions[2] = {twice, square};
extern "C" __global__ void called_by_address(int *x) { x[threadIdx.x] = functions[threadIdx.x % 2](x[threadIdx.x]); }

// A lock: lanes of one warp wait for each other.
extern "C" __global__ void locked(int *lock, int *count) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *(volatile int *)count += 1;
    __threadfence();
    atomicExch(lock, 0);
}
