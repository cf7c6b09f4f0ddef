/* The ports in plain C. Each takes the row's arrays, its scalars and its sizes. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* old, power, new; heat, across, down, out, ambient; rows, cols. */
void hotspot(void *const *arrays, const float *scalars, const size_t *sizes) {
    const float *restrict old = arrays[0], *restrict power = arrays[1];
    float *restrict new = arrays[2];
    const float heat = scalars[0], across = scalars[1], down = scalars[2], out = scalars[3], ambient = scalars[4];
    const size_t rows = sizes[0], cols = sizes[1];
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) {
        const float *here = old + r * cols, *watts = power + r * cols;
        const float *above = r > 0 ? here - cols : here, *below = r + 1 < rows ? here + cols : here;
        float *to = new + r * cols;
#define NEXT(c, left, right) \
    to[c] = here[c] + heat * watts[c] + across * (here[left] + here[right] - 2.0f * here[c]) + \
            down * (above[c] + below[c] - 2.0f * here[c]) + out * (ambient - here[c])
        NEXT(0, 0, 1);
#pragma omp simd
        for (size_t c = 1; c < cols - 1; c++) NEXT(c, c - 1, c + 1);
        NEXT(cols - 1, cols - 2, cols - 1);
    }
}

/* scores, table; the gap's penalty; rows, cols. Blocks along diagonals, as Rodinia's OpenMP version goes. */
void needleman_wunsch(void *const *arrays, const float *scalars, const size_t *sizes) {
    enum { BLOCK = 16 };
    const int32_t *scores = arrays[0];
    int32_t *table = arrays[1];
    const int32_t gap = (int32_t)scalars[0];
    const size_t rows = sizes[0], cols = sizes[1];
    const size_t down = (rows + BLOCK - 1) / BLOCK, across = (cols + BLOCK - 1) / BLOCK;
    for (size_t diagonal = 0; diagonal < down + across - 1; diagonal++) {
        const size_t first = diagonal + 1 > across ? diagonal + 1 - across : 0;
        const size_t last = diagonal < down ? diagonal : down - 1;
#pragma omp parallel for
        for (size_t b = first; b <= last; b++) {
            const size_t top = b * BLOCK, left = (diagonal - b) * BLOCK;
            int32_t here[BLOCK + 1][BLOCK + 1];
            for (size_t r = 0; r <= BLOCK; r++)
                here[r][0] = left == 0 ? -(int32_t)(top + r) * gap
                             : top + r == 0 ? -(int32_t)left * gap
                             : top + r <= rows ? table[(top + r - 1) * cols + left - 1] : 0;
            for (size_t c = 1; c <= BLOCK; c++)
                here[0][c] = top == 0 ? -(int32_t)(left + c) * gap : left + c <= cols ? table[(top - 1) * cols + left + c - 1] : 0;
            for (size_t r = 1; r <= BLOCK && top + r <= rows; r++)
                for (size_t c = 1; c <= BLOCK && left + c <= cols; c++) {
                    const int32_t corner = here[r - 1][c - 1] + scores[(top + r - 1) * cols + left + c - 1];
                    const int32_t gaps = MAX(here[r - 1][c], here[r][c - 1]) - gap;
                    here[r][c] = MAX(corner, gaps);
                    table[(top + r - 1) * cols + left + c - 1] = here[r][c];
                }
        }
    }
}

/* x, y; rows, cols. */
void softmax(void *const *arrays, const float *scalars, const size_t *sizes) {
    const float *restrict x = arrays[0];
    float *restrict y = arrays[1];
    const size_t rows = sizes[0], cols = sizes[1];
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) {
        const float *from = x + r * cols;
        float *to = y + r * cols, greatest = -INFINITY, sum = 0;
#pragma omp simd reduction(max : greatest)
        for (size_t c = 0; c < cols; c++) greatest = MAX(greatest, from[c]);
#pragma omp simd reduction(+ : sum)
        for (size_t c = 0; c < cols; c++) {
            to[c] = expf(from[c] - greatest);
            sum += to[c];
        }
        const float factor = 1.0f / sum;
#pragma omp simd
        for (size_t c = 0; c < cols; c++) to[c] *= factor;
    }
}

/* x, weight, bias, y; epsilon; rows, cols. */
void layernorm(void *const *arrays, const float *scalars, const size_t *sizes) {
    const float *restrict x = arrays[0], *restrict weight = arrays[1], *restrict bias = arrays[2];
    float *restrict y = arrays[3];
    const size_t rows = sizes[0], cols = sizes[1];
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) {
        const float *from = x + r * cols;
        float *to = y + r * cols, sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t c = 0; c < cols; c++) sum += from[c];
        const float mean = sum / cols;
#pragma omp simd reduction(+ : squares)
        for (size_t c = 0; c < cols; c++) squares += (from[c] - mean) * (from[c] - mean);
        const float scale = 1.0f / sqrtf(squares / cols + scalars[0]);
#pragma omp simd
        for (size_t c = 0; c < cols; c++) to[c] = (from[c] - mean) * scale * weight[c] + bias[c];
    }
}

/* offsets, neighbours, distances; nodes. */
void bfs(void *const *arrays, const float *scalars, const size_t *sizes) {
    const uint32_t *offsets = arrays[0], *neighbours = arrays[1];
    uint32_t *distances = arrays[2];
    for (size_t node = 0; node < sizes[0]; node++) distances[node] = node == 0 ? 0 : UINT32_MAX;
    int goes_on = 1;
    for (uint32_t step = 0; goes_on; step++) {
        goes_on = 0;
#pragma omp parallel for reduction(| : goes_on)
        for (size_t node = 0; node < sizes[0]; node++) {
            if (distances[node] != step) continue;
            for (uint32_t i = offsets[node]; i < offsets[node + 1]; i++)
                if (distances[neighbours[i]] == UINT32_MAX) {
                    distances[neighbours[i]] = step + 1;
                    goes_on = 1;
                }
        }
    }
}

/* offsets, columns, weights, x, y; rows. */
void spmv(void *const *arrays, const float *scalars, const size_t *sizes) {
    const uint32_t *restrict offsets = arrays[0], *restrict columns = arrays[1];
    const float *restrict weights = arrays[2], *restrict x = arrays[3];
    float *restrict y = arrays[4];
#pragma omp parallel for
    for (size_t r = 0; r < sizes[0]; r++) {
        float sum = 0;
        for (uint32_t i = offsets[r]; i < offsets[r + 1]; i++) sum += weights[i] * x[columns[i]];
        y[r] = sum;
    }
}

/* x, y; elements. */
void compaction(void *const *arrays, const float *scalars, const size_t *sizes) {
    const uint32_t *restrict x = arrays[0];
    uint32_t *restrict y = arrays[1];
    size_t kept = 0;
    for (size_t i = 0; i < sizes[0]; i++)
        if (x[i] % 3 == 0) y[kept++] = x[i];
}
