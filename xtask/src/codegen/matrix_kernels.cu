// What a CUDA programmer writes for kernels of matrix units, which `cargo xtask codegen` compares.

#include <cuda_fp16.h>
#include <mma.h>

// Tiles of 128×128 by 8 warps of 64×32 each, two pairs of tiles in steps of 32; what the next step needs is in registers meanwhile.
// Eight elements of A and B at a time, as ours.
struct GemmTiles {
    uint4 a[128][5], b[32][17];
};

struct Brought {
    uint4 a[2], b[2];
};

__device__ __forceinline__ uint4 eight_or_zero(const uint4 *__restrict__ m, unsigned rows, unsigned cols, unsigned row, unsigned col) {
    return row < rows && col < cols ? m[(size_t)row * cols + col] : make_uint4(0, 0, 0, 0);
}

using GemmSum = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;

__device__ __forceinline__ void gemm_step(GemmSum (&sums)[4][2], const GemmTiles &tiles, unsigned top, unsigned left) {
    using namespace nvcuda;
#pragma unroll
    for (unsigned k = 0; k < 32; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[4];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
#pragma unroll
        for (unsigned i = 0; i < 4; i++) wmma::load_matrix_sync(a[i], (const half *)tiles.a[top + 16 * i] + k, 40);
#pragma unroll
        for (unsigned j = 0; j < 2; j++) wmma::load_matrix_sync(b[j], (const half *)tiles.b[k] + left + 16 * j, 136);
#pragma unroll
        for (unsigned i = 0; i < 4; i++)
#pragma unroll
            for (unsigned j = 0; j < 2; j++) wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
    }
}

extern "C" __global__ void __launch_bounds__(256) tensor_core_gemm(const uint4 *__restrict__ a, unsigned a_rows, unsigned a_cols,
                                                                 const uint4 *__restrict__ b, unsigned b_rows, unsigned b_cols,
                                                                 float *__restrict__ c, unsigned rows, unsigned cols) {
    __shared__ __align__(16) GemmTiles even, odd;
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, top = warp / 4 * 64, left = warp % 4 * 32;
    unsigned row = blockIdx.y * 128, col = blockIdx.x * 128;
    auto bring = [&](unsigned k) {
        Brought brought;
#pragma unroll
        for (unsigned i = 0; i < 2; i++) {
            brought.a[i] = eight_or_zero(a, a_rows, a_cols, row + 16 * warp + 8 * i + lane / 4, k / 8 + lane % 4);
            brought.b[i] = eight_or_zero(b, b_rows, b_cols, k + 4 * warp + 2 * i + lane / 16, col / 8 + lane % 16);
        }
        return brought;
    };
    auto put = [&](GemmTiles &tiles, const Brought &brought) {
#pragma unroll
        for (unsigned i = 0; i < 2; i++) {
            tiles.a[16 * warp + 8 * i + lane / 4][lane % 4] = brought.a[i];
            tiles.b[4 * warp + 2 * i + lane / 16][lane % 16] = brought.b[i];
        }
    };
    GemmSum sums[4][2];
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 2; j++) nvcuda::wmma::fill_fragment(sums[i][j], 0.0f);
    put(even, bring(0));
    __syncthreads();
    for (unsigned k = 0; k < b_rows; k += 64) {
        Brought next = bring(k + 32);
        gemm_step(sums, even, top, left);
        put(odd, next);
        __syncthreads();
        next = bring(k + 64);
        gemm_step(sums, odd, top, left);
        put(even, next);
        __syncthreads();
    }
    // By the layout that `mma.sync` documents, so that edges are cut as ours are.
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
#pragma unroll
        for (unsigned j = 0; j < 2; j++)
#pragma unroll
            for (unsigned e = 0; e < 8; e++) {
                unsigned r = row + top + 16 * i + lane / 4 + e / 2 % 2 * 8, q = col + left + 16 * j + e / 4 * 8 + lane % 4 * 2 + e % 2;
                if (r < rows && q < cols) c[(size_t)r * cols + q] = sums[i][j].x[e];
            }
}
