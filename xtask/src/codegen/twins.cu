// What a CUDA programmer writes for more of the samples' kernels, which `cargo xtask codegen nvidia` executes beside ours, and of which
// the bench `gpu` races some on a GPU: the same algorithms, with sizes of 32 bits where the launch bounds them, and pointers
// `__restrict__`.

// Matrices.

extern "C" __global__ void __launch_bounds__(1024) copy_matrix(const float *__restrict__ in, unsigned rows, unsigned cols,
                                                             float *__restrict__ out) {
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (y < rows && x < cols) out[(size_t)y * cols + x] = in[(size_t)y * cols + x];
}

extern "C" __global__ void __launch_bounds__(1024) transpose_naive(const float *__restrict__ in, unsigned rows, unsigned cols,
                                                                 float *__restrict__ out) {
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (y < rows && x < cols) out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}

extern "C" __global__ void __launch_bounds__(1024) transpose_tiled(const float *__restrict__ in, unsigned rows, unsigned cols,
                                                                 float *__restrict__ out) {
    __shared__ float tile[32][32];
    unsigned x = threadIdx.x, y = threadIdx.y, col = blockIdx.y * 32 + x, row = blockIdx.x * 32 + y;
    tile[y][x] = row < rows && col < cols ? in[(size_t)row * cols + col] : 0.0f;
    __syncthreads();
    unsigned out_col = blockIdx.x * 32 + x, out_row = blockIdx.y * 32 + y;
    if (out_row < cols && out_col < rows) out[(size_t)out_row * rows + out_col] = tile[x][y];
}

// A tile of 64×64 of C by 64 threads, of which each has 4×16 elements.
extern "C" __global__ void __launch_bounds__(64) matrix_mul_patches(const float *__restrict__ a, unsigned a_rows, unsigned a_cols,
                                                                  const float *__restrict__ b, unsigned b_rows,
                                                                  unsigned b_cols, float *__restrict__ c, unsigned rows,
                                                                  unsigned cols) {
    __shared__ float ta[64][17], tb[16][64];
    unsigned tid = threadIdx.y * 4 + threadIdx.x, row = blockIdx.y * 64, col = blockIdx.x * 64;
    unsigned x = 16 * threadIdx.x, y = 4 * threadIdx.y;
    float sums[4][16] = {};
    for (unsigned first = 0; first < a_cols; first += 16) {
        for (unsigned i = tid; i < 64 * 16; i += 64) {
            unsigned r = i / 16, q = i % 16;
            ta[r][q] = row + r < a_rows && first + q < a_cols ? a[(size_t)(row + r) * a_cols + first + q] : 0.0f;
        }
        for (unsigned i = tid; i < 16 * 64; i += 64) {
            unsigned r = i / 64, q = i % 64;
            tb[r][q] = first + r < b_rows && col + q < b_cols ? b[(size_t)(first + r) * b_cols + col + q] : 0.0f;
        }
        __syncthreads();
        unsigned depth = min(16u, a_cols - first);
        for (unsigned k = 0; k < depth; k++)
#pragma unroll
            for (unsigned i = 0; i < 4; i++)
#pragma unroll
                for (unsigned j = 0; j < 16; j++) sums[i][j] += ta[y + i][k] * tb[k][x + j];
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
#pragma unroll
        for (unsigned j = 0; j < 16; j++)
            if (row + y + i < rows && col + x + j < cols) c[(size_t)(row + y + i) * cols + col + x + j] = sums[i][j];
}

// Sums.

template <class T> __device__ __forceinline__ T warp_sum(T sum) {
#pragma unroll
    for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffff, sum, half);
    return sum;
}

// Each block takes its share of neighbours, from its beginning and its middle.
__device__ __forceinline__ float share(const float *__restrict__ x, size_t n, size_t groups) {
    float sum = 0;
    size_t turns = ((n + groups - 1) / groups + 511) / 512, half = turns * 256, first = blockIdx.x * 2 * half;
    for (size_t turn = 0; turn < turns; turn++, first += 256) {
        size_t near = first + threadIdx.x, far = near + half;
        sum += (near < n ? x[near] : 0.0f) + (far < n ? x[far] : 0.0f);
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(256) warps(const float *__restrict__ x, size_t n, float *__restrict__ sums, size_t groups) {
    __shared__ float of_warps[8];
    float sum = warp_sum(share(x, n, groups));
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) sum += of_warps[i];
    if (threadIdx.x == 0 && blockIdx.x < groups) sums[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(256) sequential(const float *__restrict__ x, size_t n, float *__restrict__ sums, size_t groups) {
    __shared__ float s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
#pragma unroll
    for (unsigned half = 128; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0 && blockIdx.x < groups) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void __launch_bounds__(256) sum_groups(const unsigned *__restrict__ x, size_t n, unsigned *__restrict__ sums, size_t groups) {
    __shared__ unsigned of_warps[8];
    unsigned t = threadIdx.x, base = blockIdx.x * 1024 + t, sum = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) sum += base + i * 256 < n ? x[base + i * 256] : 0u;
    sum = warp_sum(sum);
    if (t % 32 == 0) of_warps[t / 32] = sum;
    __syncthreads();
    sum = warp_sum(t % 32 < 8 ? of_warps[t % 32] : 0);
    if (t == 0 && blockIdx.x < groups) sums[blockIdx.x] = sum;
}

// The sum with those of all lanes before, of the first lanes of a warp.
template <int LANES, class T> __device__ __forceinline__ T warp_scan(T sum, unsigned lane) {
#pragma unroll
    for (int by = 1; by < LANES; by *= 2) {
        T other = __shfl_up_sync(0xffffffff, sum, by);
        if (lane >= by) sum += other;
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(256) scan_groups(const uint4 *__restrict__ x, size_t n, const unsigned *__restrict__ before,
                                                            size_t befores, uint4 *__restrict__ y) {
    __shared__ unsigned of_warps[8];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t % 32, warp = t / 32;
    uint4 v = i < n ? x[i] : make_uint4(0, 0, 0, 0);
    unsigned mine = v.x + v.y + v.z + v.w, sum = warp_scan<32>(mine, lane);
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    unsigned scanned = warp_scan<8>(lane < 8 ? of_warps[lane] : 0u, lane);
    unsigned earlier = __shfl_sync(0xffffffff, scanned, warp - 1);
    unsigned start = before[blockIdx.x] + (warp ? earlier : 0) + sum - mine;
    if (i < n) y[i] = make_uint4(start, start + v.x, start + v.x + v.y, start + v.x + v.y + v.z);
}

// Digits of four bits: the counts of one block's are sixteen numbers of sixteen bits.

struct Counts {
    unsigned long long words[4];
};

__device__ __forceinline__ unsigned long long word_of(const unsigned long long *words, unsigned digit) {
    return digit & 8 ? digit & 4 ? words[3] : words[2] : digit & 4 ? words[1] : words[0];
}

__device__ __forceinline__ unsigned count_of(unsigned long long word, unsigned digit) { return word >> digit % 4 * 16 & 0xffff; }

__device__ __forceinline__ Counts one_of(unsigned digit, bool is_there) {
    Counts counts;
#pragma unroll
    for (unsigned word = 0; word < 4; word++) counts.words[word] = is_there && digit / 4 == word ? 1ull << digit % 4 * 16 : 0;
    return counts;
}

extern "C" __global__ void __launch_bounds__(256) radix_count(unsigned shift, const unsigned *__restrict__ keys, size_t n,
                                                            unsigned *__restrict__ counts) {
    __shared__ unsigned long long of_warps[8][4];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    Counts mine = one_of(i < n ? keys[i] >> shift & 15 : 0, i < n);
#pragma unroll
    for (unsigned word = 0; word < 4; word++) {
        unsigned long long sum = warp_sum(mine.words[word]);
        if (t % 32 == 0) of_warps[t / 32][word] = sum;
    }
    __syncthreads();
    if (t >= 16) return;
    unsigned count = 0;
#pragma unroll
    for (unsigned warp = 0; warp < 8; warp++) count += count_of(of_warps[warp][t / 4], t);
    counts[blockIdx.x * 16 + t] = count;
}

extern "C" __global__ void __launch_bounds__(256) radix_scan(unsigned groups, const unsigned *__restrict__ counts, unsigned *__restrict__ starts,
                                                           unsigned n) {
    __shared__ unsigned of_warps[8];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, before = 0;
    for (unsigned first = 0; first < n; first += 256) {
        unsigned i = first + t, mine = i < n ? counts[i % groups * 16 + i / groups] : 0;
        unsigned sum = warp_scan<32>(mine, lane);
        if (lane == 31) of_warps[warp] = sum;
        __syncthreads();
        unsigned scanned = warp_scan<8>(lane < 8 ? of_warps[lane] : 0u, lane);
        unsigned earlier = __shfl_sync(0xffffffff, scanned, warp - 1);
        if (i < n) starts[i] = before + (warp ? earlier : 0) + sum - mine;
        before += __shfl_sync(0xffffffff, scanned, 7);
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(256) radix_scatter(unsigned shift, const unsigned *__restrict__ keys, size_t n,
                                                              const unsigned *__restrict__ starts, unsigned *__restrict__ sorted) {
    __shared__ unsigned long long of_warps[8][4];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 256 + t;
    unsigned key = i < n ? keys[i] : 0, digit = key >> shift & 15;
    Counts mine = one_of(digit, i < n), before;
#pragma unroll
    for (unsigned word = 0; word < 4; word++) {
        unsigned long long sum = warp_scan<32>(mine.words[word], lane);
        if (lane == 31) of_warps[warp][word] = sum;
        before.words[word] = sum - mine.words[word];
    }
    __syncthreads();
#pragma unroll
    for (unsigned word = 0; word < 4; word++) {
        unsigned long long scanned = warp_scan<8>(lane < 8 ? of_warps[lane][word] : 0ull, lane);
        unsigned long long earlier = __shfl_sync(0xffffffff, scanned, warp - 1);
        if (warp) before.words[word] += earlier;
    }
    if (i < n) sorted[starts[digit * gridDim.x + blockIdx.x] + count_of(word_of(before.words, digit), digit)] = key;
}

// Bodies. The pulls of two are added with one division.

struct Pair {
    float dx[2], dy[2], dz[2], m[2], inverse;
};

__device__ __forceinline__ float cubed_distance(float x, float y, float z) {
    float squared = fmaf(x, x, fmaf(y, y, fmaf(z, z, 1e-4f))), root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(squared));
    return squared * root;
}

__device__ __forceinline__ Pair pair_of(float4 a, float4 b, float x, float y, float z) {
    Pair p;
    p.dx[0] = x - a.x, p.dy[0] = y - a.y, p.dz[0] = z - a.z;
    p.dx[1] = x - b.x, p.dy[1] = y - b.y, p.dz[1] = z - b.z;
    float first = cubed_distance(p.dx[0], p.dy[0], p.dz[0]), second = cubed_distance(p.dx[1], p.dy[1], p.dz[1]);
    p.m[0] = a.w * second, p.m[1] = b.w * first;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(p.inverse) : "f"(first * second));
    return p;
}

__device__ __forceinline__ void pull(const Pair &p, float &x, float &y, float &z) {
#pragma unroll
    for (int i = 0; i < 2; i++) {
        float by = -(p.m[i] * p.inverse);
        x = fmaf(p.dx[i], by, x), y = fmaf(p.dy[i], by, y), z = fmaf(p.dz[i], by, z);
    }
}

extern "C" __global__ void __launch_bounds__(256) step(float time, const float4 *__restrict__ old, unsigned n, float4 *__restrict__ next,
                                                     float *__restrict__ velocities) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    float4 own = i < n ? old[i] : make_float4(0, 0, 0, 0);
    float ax = 0, ay = 0, az = 0;
    for (; k + 8 <= n; k += 8) {
#pragma unroll
        for (int j = 0; j < 8; j += 2) pull(pair_of(old[k + j], old[k + j + 1], own.x, own.y, own.z), ax, ay, az);
    }
    for (; k < n; k++) {
        float4 other = old[k], none = other;
        none.w = 0;
        pull(pair_of(other, none, own.x, own.y, own.z), ax, ay, az);
    }
    if (i < n) {
        float *v = velocities + 3 * (size_t)i;
        float vx = fmaf(time, ax, v[0]), vy = fmaf(time, ay, v[1]), vz = fmaf(time, az, v[2]);
        v[0] = vx, v[1] = vy, v[2] = vz;
        next[i] = make_float4(fmaf(time, vx, own.x), fmaf(time, vy, own.y), fmaf(time, vz, own.z), own.w);
    }
}

// Options, with precise functions.

__device__ __forceinline__ float normal(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float p = fmaf(fmaf(1.3302744f, k, -1.8212559f), k, 1.7814779f);
    p = fmaf(fmaf(p, k, -0.35656378f), k, 0.31938154f) * k;
    float tail = 0.3989423f * expf(-0.5f * d * d) * p;
    return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float *__restrict__ price, const float *__restrict__ strike, const float *__restrict__ years,
                                         float rate, float volatility, float *__restrict__ call, float *__restrict__ put, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i], k = strike[i], t = years[i];
    float discounted = k * expf(-rate * t), deviation = volatility * sqrtf(t);
    float d = fmaf(fmaf(0.5f * volatility, volatility, rate), t, logf(s / k)) / deviation;
    float p = normal(d), q = normal(d - deviation);
    call[i] = s * p - discounted * q;
    put[i] = discounted * (1.0f - q) - s * (1.0f - p);
}

// Stencils and images.

struct Taps {
    float of[17];
};

extern "C" __global__ void __launch_bounds__(256) convolve_rows(const Taps taps, const float *__restrict__ image, unsigned rows, unsigned cols,
                                                              float *__restrict__ out) {
    __shared__ float tile[8][48];
    unsigned x = threadIdx.x, y = threadIdx.y, first_row = blockIdx.y * 8, first_col = blockIdx.x * 32 - 8;
    for (unsigned i = y * 32 + x; i < 8 * 48; i += 256) {
        unsigned r = first_row + i / 48, c = first_col + i % 48;
        tile[i / 48][i % 48] = r < rows && c < cols ? image[(size_t)r * cols + c] : 0.0f;
    }
    __syncthreads();
    unsigned row = first_row + y, col = blockIdx.x * 32 + x;
    if (row >= rows || col >= cols) return;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 17; i++) sum += taps.of[i] * tile[y][x + i];
    out[(size_t)row * cols + col] = sum;
}

extern "C" __global__ void __launch_bounds__(256) convolve_cols(const Taps taps, const float *__restrict__ image, unsigned rows, unsigned cols,
                                                              float *__restrict__ out) {
    __shared__ float tile[24][32];
    unsigned x = threadIdx.x, y = threadIdx.y, first_row = blockIdx.y * 8 - 8, first_col = blockIdx.x * 32;
    for (unsigned i = y * 32 + x; i < 24 * 32; i += 256) {
        unsigned r = first_row + i / 32, c = first_col + i % 32;
        tile[i / 32][i % 32] = r < rows && c < cols ? image[(size_t)r * cols + c] : 0.0f;
    }
    __syncthreads();
    unsigned row = blockIdx.y * 8 + y, col = first_col + x;
    if (row >= rows || col >= cols) return;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 17; i++) sum += taps.of[i] * tile[y + i][x];
    out[(size_t)row * cols + col] = sum;
}

struct Weights {
    float of[5];
};

__device__ __forceinline__ float element(const float *__restrict__ v, unsigned planes, unsigned rows, unsigned cols, unsigned plane,
                                         unsigned row, unsigned col) {
    return plane < planes && row < rows && col < cols ? v[((size_t)plane * rows + row) * cols + col] : 0.0f;
}

extern "C" __global__ void __launch_bounds__(256) fdtd_step(const Weights weights, const float *__restrict__ old, unsigned planes,
                                                          unsigned rows, unsigned cols, float *__restrict__ next) {
    unsigned c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, p = blockIdx.z;
    if (p >= planes || r >= rows || c >= cols) return;
#define OLD(plane, row, col) element(old, planes, rows, cols, plane, row, col)
    float sum = weights.of[0] * OLD(p, r, c);
#pragma unroll
    for (unsigned d = 1; d <= 4; d++)
        sum += weights.of[d] * (OLD(p - d, r, c) + OLD(p + d, r, c) + (OLD(p, r - d, c) + OLD(p, r + d, c)) +
                                (OLD(p, r, c - d) + OLD(p, r, c + d)));
    next[((size_t)p * rows + r) * cols + c] = sum;
}

struct Gaussian {
    float at[26];
};

__device__ __forceinline__ unsigned char byte_of(float channel) { return __saturatef(channel) * 255.0f + 0.5f; }

extern "C" __global__ void __launch_bounds__(256) bilateral_filter(int radius, float steepness, const __grid_constant__ Gaussian gaussian,
                                                                 cudaTextureObject_t image, cudaSurfaceObject_t blurred,
                                                                 unsigned width, unsigned height) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    float4 here = tex2D<float4>(image, x + 0.5f, y + 0.5f), sum = make_float4(0, 0, 0, 0);
    float weights = 0;
    for (int down = -radius; down <= radius; down++) {
        for (int right = -radius; right <= radius; right++) {
            float4 pixel = tex2D<float4>(image, x + right + 0.5f, y + down + 0.5f);
            float r = pixel.x - here.x, g = pixel.y - here.y, b = pixel.z - here.z;
            float near = gaussian.at[abs(down)] * gaussian.at[abs(right)];
            float weight = near * expf(-steepness * (r * r + g * g + b * b));
            sum.x += weight * pixel.x, sum.y += weight * pixel.y, sum.z += weight * pixel.z, sum.w += weight * pixel.w;
            weights += weight;
        }
    }
    uchar4 result = make_uchar4(byte_of(sum.x / weights), byte_of(sum.y / weights), byte_of(sum.z / weights), byte_of(sum.w / weights));
    surf2Dwrite(result, blurred, x * 4, y);
}
