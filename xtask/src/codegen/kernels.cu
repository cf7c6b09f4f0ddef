// What a CUDA programmer writes for the kernels that `cargo xtask codegen` compares, and that the bench `gpu` races on a
// GPU. Sizes are 32-bit where the launch bounds them, and pointers `__restrict__`, as in the CUDA samples at their best.

extern "C" __global__ void vector_add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                                      unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// Sizes are 64-bit here, as ours are: the loop goes over the whole of `x`, however long it is.
extern "C" __global__ void grid_stride_sum(const float *__restrict__ x, size_t n, float *__restrict__ sums,
                                           size_t threads) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads) return;
    float sum = 0;
    for (size_t at = i; at < n; at += threads) sum += x[at];
    sums[i] = sum;
}

__device__ __forceinline__ short pixel(const unsigned char *__restrict__ image, unsigned rows, unsigned cols,
                                       unsigned row, unsigned col, short here) {
    return row < rows && col < cols ? image[(size_t)row * cols + col] : here;
}

extern "C" __global__ void sobel(const unsigned char *__restrict__ image, unsigned char *__restrict__ edges,
                                 unsigned rows, unsigned cols) {
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    short here = image[(size_t)row * cols + col];
#define AT(down, right) pixel(image, rows, cols, row + down - 1, col + right - 1, here)
    short above[] = {AT(0, 0), AT(0, 1), AT(0, 2)}, below[] = {AT(2, 0), AT(2, 1), AT(2, 2)};
    short left = AT(1, 0), right = AT(1, 2);
    short gx = (above[2] + 2 * right + below[2]) - (above[0] + 2 * left + below[0]);
    short gy = (below[0] + 2 * below[1] + below[2]) - (above[0] + 2 * above[1] + above[2]);
    edges[(size_t)row * cols + col] = min(abs(gx) + abs(gy), 255);
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
        for (unsigned i = 0; i < T; i++) sum += ta[y][i] * tb[i][x];
        __syncthreads();
    }
    if (row < a_rows && col < b_cols) c[(size_t)row * b_cols + col] = sum;
}

// A 32×32 tile with a column that nobody uses. A thread an element, as ours.
extern "C" __global__ void __launch_bounds__(1024) transpose_padded(const float *__restrict__ input, unsigned rows, unsigned cols,
                                                                  float *__restrict__ output) {
    const unsigned T = 32;
    __shared__ float tile[T][T + 1];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned col = blockIdx.y * T + x, row = blockIdx.x * T + y;
    tile[y][x] = row < rows && col < cols ? input[(size_t)row * cols + col] : 0.0f;
    __syncthreads();
    unsigned out_col = blockIdx.x * T + x, out_row = blockIdx.y * T + y;
    if (out_row < cols && out_col < rows) output[(size_t)out_row * rows + out_col] = tile[x][y];
}

__device__ __forceinline__ float warp_sum(float sum) {
#pragma unroll
    for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffff, sum, half);
    return sum;
}

// Each block takes its share of neighbours, from its beginning and its middle, and then sums its threads' by shuffles.
extern "C" __global__ void __launch_bounds__(256) collective(const float *__restrict__ x, size_t n,
                                                           float *__restrict__ sums, size_t groups) {
    const unsigned BLOCK = 256;
    __shared__ float warps[BLOCK / 32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
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
    sum = lane < BLOCK / 32 ? warps[lane] : 0.0f;
    sum = warp_sum(sum);
    if (threadIdx.x == 0 && blockIdx.x < groups) sums[blockIdx.x] = sum;
}

// Bytes by their value, in a histogram of its own for each warp.
extern "C" __global__ void __launch_bounds__(256) histogram_256(size_t groups, const unsigned long long *__restrict__ data,
                                                              size_t n, unsigned *__restrict__ counts) {
    const unsigned BLOCK = 256, BINS = 256, COPIES = BLOCK / 32, TURNS = 8;
    __shared__ unsigned bins[COPIES][BINS];
    for (unsigned i = threadIdx.x; i < COPIES * BINS; i += BLOCK) (&bins[0][0])[i] = 0;
    __syncthreads();
    unsigned *mine = bins[threadIdx.x / 32];
    for (size_t window = (size_t)blockIdx.x * BLOCK * TURNS; window < n; window += groups * BLOCK * TURNS)
        for (unsigned turn = 0; turn < TURNS; turn++) {
            size_t i = window + turn * BLOCK + threadIdx.x;
            if (i >= n) break;
            unsigned long long word = data[i];
#pragma unroll
            for (unsigned byte = 0; byte < 8; byte++) atomicAdd(&mine[word >> 8 * byte & 255], 1u);
        }
    __syncthreads();
    unsigned count = 0;
#pragma unroll
    for (unsigned copy = 0; copy < COPIES; copy++) count += bins[copy][threadIdx.x];
    atomicAdd(&counts[threadIdx.x], count);
}
