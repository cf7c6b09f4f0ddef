// What a HIP programmer writes for more of our samples, as `kernels.hip`: the same algorithms. What is executed of all of them is
// compared by `cargo xtask codegen amd --executed`.

#include "kernels.hip"

typedef float float4 __attribute__((ext_vector_type(4)));
typedef unsigned uint4 __attribute__((ext_vector_type(4)));

__device__ __forceinline__ unsigned lane_id() {
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

__device__ __forceinline__ unsigned from_lane(unsigned lane, unsigned value) {
    return __builtin_amdgcn_ds_bpermute(lane << 2, value);
}

__device__ __forceinline__ unsigned __shfl(unsigned value, unsigned lane) {
    return from_lane((lane & (warpSize - 1)) | (lane_id() & ~(warpSize - 1)), value);
}

__device__ __forceinline__ unsigned __shfl_up(unsigned value, unsigned delta) {
    int self = lane_id(), lane = self - delta;
    return from_lane(lane < (self & ~(int)(warpSize - 1)) ? self : lane, value);
}

__device__ __forceinline__ unsigned __shfl_xor(unsigned value, unsigned mask) {
    return __builtin_bit_cast(unsigned, __shfl_xor(__builtin_bit_cast(float, value), mask));
}

template <typename T> __device__ __forceinline__ void atomicAdd(T *at, T value) {
    __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ __forceinline__ unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
__device__ __forceinline__ int abs(int a) { return a < 0 ? -a : a; }

// Transposing.

extern "C" __global__ void __launch_bounds__(1024) copy_matrix(const float *__restrict__ input, unsigned rows, unsigned cols,
                                                             float *__restrict__ output) {
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (y < rows && x < cols) output[(size_t)y * cols + x] = input[(size_t)y * cols + x];
}

extern "C" __global__ void __launch_bounds__(1024) transpose_naive(const float *__restrict__ input, unsigned rows,
                                                                 unsigned cols, float *__restrict__ output) {
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (y < rows && x < cols) output[(size_t)x * rows + y] = input[(size_t)y * cols + x];
}

template <unsigned PADDING>
__device__ __forceinline__ void transpose(const float *__restrict__ input, unsigned rows, unsigned cols,
                                          float *__restrict__ output) {
    const unsigned T = 32;
    __shared__ float tile[T][T + PADDING];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned col = blockIdx.y * T + x, row = blockIdx.x * T + y;
    tile[y][x] = row < rows && col < cols ? input[(size_t)row * cols + col] : 0.0f;
    __syncthreads();
    unsigned out_col = blockIdx.x * T + x, out_row = blockIdx.y * T + y;
    if (out_row < cols && out_col < rows) output[(size_t)out_row * rows + out_col] = tile[x][y];
}

extern "C" __global__ void __launch_bounds__(1024) transpose_tiled(const float *__restrict__ input, unsigned rows,
                                                                 unsigned cols, float *__restrict__ output) {
    transpose<0>(input, rows, cols, output);
}

extern "C" __global__ void __launch_bounds__(1024) transpose_padded(const float *__restrict__ input, unsigned rows,
                                                                  unsigned cols, float *__restrict__ output) {
    transpose<1>(input, rows, cols, output);
}

// Images and volumes.

__device__ __forceinline__ short pixel(const unsigned char *__restrict__ image, unsigned rows, unsigned cols, unsigned row,
                                       unsigned col, short here) {
    return row < rows && col < cols ? image[(size_t)row * cols + col] : here;
}

extern "C" __global__ void sobel(const unsigned char *__restrict__ image, unsigned char *__restrict__ edges, unsigned rows,
                                 unsigned cols) {
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    short here = image[(size_t)row * cols + col];
#define AT(down, right) pixel(image, rows, cols, row + down - 1, col + right - 1, here)
    short above[] = {AT(0, 0), AT(0, 1), AT(0, 2)}, below[] = {AT(2, 0), AT(2, 1), AT(2, 2)};
    short left = AT(1, 0), right = AT(1, 2);
#undef AT
    short gx = (above[2] + 2 * right + below[2]) - (above[0] + 2 * left + below[0]);
    short gy = (below[0] + 2 * below[1] + below[2]) - (above[0] + 2 * above[1] + above[2]);
    edges[(size_t)row * cols + col] = min(abs(gx) + abs(gy), 255);
}

struct Taps {
    float of[17];
};

// 8 rows of 32, with 8 columns on both sides.
extern "C" __global__ void __launch_bounds__(256) convolve_rows(const Taps taps, const float *__restrict__ image,
                                                              unsigned rows, unsigned cols, float *__restrict__ output) {
    __shared__ float tile[8][48];
    unsigned x = threadIdx.x, y = threadIdx.y, first_row = blockIdx.y * 8, first_col = blockIdx.x * 32 - 8;
    for (unsigned i = y * 32 + x; i < 8 * 48; i += 256) {
        unsigned row = first_row + i / 48, col = first_col + i % 48;
        tile[i / 48][i % 48] = row < rows && col < cols ? image[(size_t)row * cols + col] : 0.0f;
    }
    __syncthreads();
    unsigned row = first_row + y, col = blockIdx.x * 32 + x;
    if (row >= rows || col >= cols) return;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 17; i++) sum = __builtin_fmaf(taps.of[i], tile[y][x + i], sum);
    output[(size_t)row * cols + col] = sum;
}

extern "C" __global__ void __launch_bounds__(256) convolve_cols(const Taps taps, const float *__restrict__ image,
                                                              unsigned rows, unsigned cols, float *__restrict__ output) {
    __shared__ float tile[24][32];
    unsigned x = threadIdx.x, y = threadIdx.y, first_row = blockIdx.y * 8 - 8, first_col = blockIdx.x * 32;
    for (unsigned i = y * 32 + x; i < 24 * 32; i += 256) {
        unsigned row = first_row + i / 32, col = first_col + i % 32;
        tile[i / 32][i % 32] = row < rows && col < cols ? image[(size_t)row * cols + col] : 0.0f;
    }
    __syncthreads();
    unsigned row = blockIdx.y * 8 + y, col = first_col + x;
    if (row >= rows || col >= cols) return;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 17; i++) sum = __builtin_fmaf(taps.of[i], tile[y + i][x], sum);
    output[(size_t)row * cols + col] = sum;
}

struct Weights {
    float of[5];
};

__device__ __forceinline__ float at(const float *__restrict__ volume, unsigned planes, unsigned rows, unsigned cols,
                                    unsigned plane, unsigned row, unsigned col) {
    return plane < planes && row < rows && col < cols ? volume[((size_t)plane * rows + row) * cols + col] : 0.0f;
}

extern "C" __global__ void __launch_bounds__(256) fdtd3d(const Weights weights, const float *__restrict__ old,
                                                       unsigned planes, unsigned rows, unsigned cols,
                                                       float *__restrict__ next) {
    unsigned col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y, plane = blockIdx.z;
    if (plane >= planes || row >= rows || col >= cols) return;
#define AT(plane, row, col) at(old, planes, rows, cols, plane, row, col)
    float sum = weights.of[0] * AT(plane, row, col);
#pragma unroll
    for (unsigned d = 1; d <= 4; d++)
        sum += weights.of[d] * (AT(plane - d, row, col) + AT(plane + d, row, col) +
                                (AT(plane, row - d, col) + AT(plane, row + d, col)) +
                                (AT(plane, row, col - d) + AT(plane, row, col + d)));
#undef AT
    next[((size_t)plane * rows + row) * cols + col] = sum;
}

// Sums, scans and counts.

__device__ __forceinline__ unsigned warp_sum(unsigned sum) {
#pragma unroll
    for (unsigned half = warpSize / 2; half > 0; half /= 2) sum += __shfl_xor(sum, half);
    return sum;
}

extern "C" __global__ void __launch_bounds__(256) sum_groups(const unsigned *__restrict__ x, size_t n,
                                                           unsigned *__restrict__ sums, size_t groups) {
    const unsigned BLOCK = 256;
    __shared__ unsigned warps[BLOCK / 32];
    unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, first = blockIdx.x * 4 * BLOCK + threadIdx.x;
    unsigned sum = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) sum += first + i * BLOCK < n ? x[first + i * BLOCK] : 0u;
    sum = warp_sum(sum);
    if (lane == 0) warps[warp] = sum;
    __syncthreads();
    sum = lane < BLOCK / warpSize ? warps[lane] : 0;
    sum = warp_sum(sum);
    if (threadIdx.x == 0 && blockIdx.x < groups) sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(256) scan_groups(const uint4 *__restrict__ x, size_t n,
                                                            const unsigned *__restrict__ before, size_t groups,
                                                            uint4 *__restrict__ y) {
    const unsigned BLOCK = 256;
    __shared__ unsigned warps[BLOCK / 32];
    unsigned i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    uint4 four = i < n ? x[i] : uint4(0);
    unsigned mine = four.x + four.y + four.z + four.w, sum = mine;
#pragma unroll
    for (unsigned distance = 1; distance < warpSize; distance *= 2) {
        unsigned other = __shfl_up(sum, distance);
        if (lane >= distance) sum += other;
    }
    if (lane == warpSize - 1) warps[warp] = sum;
    __syncthreads();
    unsigned of_warps = lane < BLOCK / warpSize ? warps[lane] : 0;
#pragma unroll
    for (unsigned distance = 1; distance < BLOCK / warpSize; distance *= 2) {
        unsigned other = __shfl_up(of_warps, distance);
        if (lane >= distance) of_warps += other;
    }
    unsigned earlier = __shfl(of_warps, warp - 1);
    unsigned start = before[blockIdx.x] + (warp ? earlier : 0) + sum - mine;
    if (i < n) y[i] = uint4{start, start + four.x, start + four.x + four.y, start + four.x + four.y + four.z};
}

// Bytes by their value, in a histogram of its own for each 32 threads.
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

// Bodies: two at a time with one division.

struct Bodies {
    float x[2], y[2], z[2], mass[2], inverse;
};

__device__ __forceinline__ float cube(float x, float y, float z) {
    float square = __builtin_fmaf(x, x, __builtin_fmaf(y, y, __builtin_fmaf(z, z, 1e-4f)));
    return square * __builtin_amdgcn_sqrtf(square);
}

__device__ __forceinline__ Bodies away(float4 a, float4 b, float x, float y, float z) {
    Bodies two = {{x - a.x, x - b.x}, {y - a.y, y - b.y}, {z - a.z, z - b.z}, {}, 0};
    float first = cube(two.x[0], two.y[0], two.z[0]), second = cube(two.x[1], two.y[1], two.z[1]);
    two.mass[0] = a.w * second;
    two.mass[1] = b.w * first;
    two.inverse = __builtin_amdgcn_rcpf(first * second);
    return two;
}

__device__ __forceinline__ void pull(const Bodies &two, float &x, float &y, float &z) {
#pragma unroll
    for (int i = 0; i < 2; i++) {
        float force = two.mass[i] * two.inverse;
        x = __builtin_fmaf(two.x[i], -force, x);
        y = __builtin_fmaf(two.y[i], -force, y);
        z = __builtin_fmaf(two.z[i], -force, z);
    }
}

extern "C" __global__ void __launch_bounds__(256) nbody(float time, const float4 *__restrict__ old, unsigned n,
                                                      float4 *__restrict__ next, float *__restrict__ velocities) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = i < n ? old[i] : float4(0);
    float x = own.x, y = own.y, z = own.z, along_x = 0, along_y = 0, along_z = 0;
    unsigned k = 0;
    for (; k + 8 <= n; k += 8) {
#pragma unroll
        for (int j = 0; j < 8; j += 2) pull(away(old[k + j], old[k + j + 1], x, y, z), along_x, along_y, along_z);
    }
    for (; k < n; k++) {
        float4 body = old[k], empty = body;
        empty.w = 0;
        pull(away(body, empty, x, y, z), along_x, along_y, along_z);
    }
    if (i >= n) return;
    float *velocity = velocities + 3 * (size_t)i;
    float by_x = __builtin_fmaf(time, along_x, velocity[0]), by_y = __builtin_fmaf(time, along_y, velocity[1]);
    float by_z = __builtin_fmaf(time, along_z, velocity[2]);
    velocity[0] = by_x;
    velocity[1] = by_y;
    velocity[2] = by_z;
    next[i] = float4{__builtin_fmaf(time, by_x, x), __builtin_fmaf(time, by_y, y), __builtin_fmaf(time, by_z, z), own.w};
}

// A tile of 64×64 of C by 64 threads, 4×16 each.
extern "C" __global__ void __launch_bounds__(64) matrix_mul_patches(const float *__restrict__ a, unsigned a_rows,
                                                                  unsigned a_cols, const float *__restrict__ b,
                                                                  unsigned b_rows, unsigned b_cols, float *__restrict__ c) {
    __shared__ float ta[64][17], tb[16][64];
    unsigned at = threadIdx.y * 4 + threadIdx.x, first_row = blockIdx.y * 64, first_col = blockIdx.x * 64;
    unsigned x = 16 * threadIdx.x, y = 4 * threadIdx.y;
    float sums[4][16] = {};
    for (unsigned first = 0; first < a_cols; first += 16) {
        for (unsigned i = at; i < 64 * 16; i += 64) {
            unsigned row = first_row + i / 16, col = first + i % 16;
            ta[i / 16][i % 16] = row < a_rows && col < a_cols ? a[(size_t)row * a_cols + col] : 0.0f;
        }
        for (unsigned i = at; i < 16 * 64; i += 64) {
            unsigned row = first + i / 64, col = first_col + i % 64;
            tb[i / 64][i % 64] = row < b_rows && col < b_cols ? b[(size_t)row * b_cols + col] : 0.0f;
        }
        __syncthreads();
        unsigned depth = min(16u, a_cols - first);
        for (unsigned k = 0; k < depth; k++)
#pragma unroll
            for (unsigned i = 0; i < 4; i++)
#pragma unroll
                for (unsigned j = 0; j < 16; j++) sums[i][j] = __builtin_fmaf(ta[y + i][k], tb[k][x + j], sums[i][j]);
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
#pragma unroll
        for (unsigned j = 0; j < 16; j++)
            if (first_row + y + i < a_rows && first_col + x + j < b_cols)
                c[(size_t)(first_row + y + i) * b_cols + first_col + x + j] = sums[i][j];
}
