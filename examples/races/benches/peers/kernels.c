/* The peers in C. Each takes the row's arrays, its scalars, and the size: of vectors the length, of matrices that of a side. */

#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LANES 16
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void use_threads(int threads) { omp_set_num_threads(threads); }

void nothing(void *const *arrays, const float *scalars, size_t n) {
#pragma omp parallel
    {
        __asm__ volatile("" ::: "memory");
    }
}

void saxpy(void *const *arrays, const float *scalars, size_t n) {
    const float *restrict x = arrays[0];
    float *restrict y = arrays[1];
    const float a = scalars[0];
#pragma omp parallel for simd
    for (size_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

/* To each row of C rows of B are added. */
void matrix_mul_naive(void *const *arrays, const float *scalars, size_t n) {
    const float *restrict a = arrays[0], *restrict b = arrays[1];
    float *restrict c = arrays[2];
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        memset(c + i * n, 0, n * sizeof(float));
        for (size_t k = 0; k < n; k++)
#pragma omp simd
            for (size_t j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

/* Tiles of C of four rows and one or two vectors, in registers. The size is a multiple of 256. */
void matrix_mul_tiled(void *const *arrays, const float *scalars, size_t n) {
    enum { ROWS = 4, COLS = 16, DEPTH = 256, STRIP = 64 };
    const float *restrict a = arrays[0], *restrict b = arrays[1];
    float *restrict c = arrays[2];
#pragma omp parallel for
    for (size_t strip = 0; strip < n; strip += STRIP) {
        memset(c + strip * n, 0, MIN(STRIP, n - strip) * n * sizeof(float));
        for (size_t deep = 0; deep < n; deep += DEPTH)
            for (size_t j = 0; j < n; j += COLS)
                for (size_t i = strip; i < strip + STRIP; i += ROWS) {
                    float sums[ROWS][COLS];
                    for (size_t r = 0; r < ROWS; r++)
                        for (size_t l = 0; l < COLS; l++) sums[r][l] = c[(i + r) * n + j + l];
                    for (size_t k = deep; k < deep + DEPTH; k++)
                        for (size_t r = 0; r < ROWS; r++)
#pragma omp simd
                            for (size_t l = 0; l < COLS; l++)
                                sums[r][l] += a[(i + r) * n + k] * b[k * n + j + l];
                    for (size_t r = 0; r < ROWS; r++)
                        for (size_t l = 0; l < COLS; l++) c[(i + r) * n + j + l] = sums[r][l];
                }
    }
}

void reduction(void *const *arrays, const float *scalars, size_t n) {
    const float *x = arrays[0];
    float total = 0;
#pragma omp parallel for simd reduction(+ : total)
    for (size_t i = 0; i < n; i++) total += x[i];
    *(float *)arrays[1] = total;
}

static inline float norm_cdf(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float p = 1.330274429f * k - 1.821255978f;
    p = k * (k * (k * (k * p + 1.781477937f) - 0.356563782f) + 0.31938153f);
    float tail = 0.39894228f * expf(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - tail : tail;
}

void black_scholes(void *const *arrays, const float *scalars, size_t n) {
    const float *restrict prices = arrays[0], *restrict strikes = arrays[1], *restrict times = arrays[2];
    float *restrict calls = arrays[3], *restrict puts = arrays[4];
    const float rate = scalars[0], volatility = scalars[1];
#pragma omp parallel for simd
    for (size_t i = 0; i < n; i++) {
        float price = prices[i], strike = strikes[i], years = times[i];
        float deviation = volatility * sqrtf(years);
        float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / deviation;
        float of_price = norm_cdf(d1), of_strike = norm_cdf(d1 - deviation);
        float discounted = strike * expf(-rate * years);
        calls[i] = price * of_price - discounted * of_strike;
        puts[i] = discounted * (1.0f - of_strike) - price * (1.0f - of_price);
    }
}

/* The pull of all bodies on LANES at a time. A body is its place and its mass. */
void bodies(void *const *arrays, const float *scalars, size_t n) {
    const float(*restrict old)[4] = arrays[0];
    float(*restrict new)[4] = arrays[1];
    float(*restrict velocities)[3] = arrays[2];
    const float time = scalars[0], softening = scalars[1];
#pragma omp parallel for
    for (size_t first = 0; first < n; first += LANES) {
        float x[LANES], y[LANES], z[LANES], pulls[3][LANES] = {{0}};
        for (size_t l = 0; l < LANES; l++) {
            size_t i = MIN(first + l, n - 1);
            x[l] = old[i][0], y[l] = old[i][1], z[l] = old[i][2];
        }
        for (size_t other = 0; other < n; other++) {
#pragma omp simd
            for (size_t l = 0; l < LANES; l++) {
                float dx = old[other][0] - x[l], dy = old[other][1] - y[l], dz = old[other][2] - z[l];
                float square = dx * dx + dy * dy + dz * dz + softening;
                float inverse = old[other][3] / (square * sqrtf(square));
                pulls[0][l] += dx * inverse;
                pulls[1][l] += dy * inverse;
                pulls[2][l] += dz * inverse;
            }
        }
        for (size_t i = first; i < MIN(first + LANES, n); i++) {
            for (int axis = 0; axis < 3; axis++) {
                velocities[i][axis] += time * pulls[axis][i - first];
                new[i][axis] = old[i][axis] + time * velocities[i][axis];
            }
            new[i][3] = old[i][3];
        }
    }
}

/* LANES points at a time, until the last of them runs away. */
void mandelbrot(void *const *arrays, const float *scalars, size_t n) {
    uint32_t *restrict steps = arrays[0];
    const float left = scalars[0], top = scalars[1], step = scalars[2];
    const int most = (int)scalars[3];
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t row = 0; row < n; row++) {
        const float c_im = top - (float)row * step;
        for (size_t first = 0; first < n; first += LANES) {
            float c_re[LANES], re[LANES] = {0}, im[LANES] = {0};
            int count[LANES] = {0};
            for (size_t l = 0; l < LANES; l++) c_re[l] = (float)(first + l) * step + left;
            for (int turn = 0; turn < most; turn++) {
                int near = 0;
#pragma omp simd reduction(| : near)
                for (size_t l = 0; l < LANES; l++) {
                    float re2 = re[l] * re[l], im2 = im[l] * im[l];
                    int is_near = re2 + im2 <= 4.0f;
                    near |= is_near;
                    count[l] += is_near;
                    im[l] = 2.0f * re[l] * im[l] + c_im;
                    re[l] = re2 - im2 + c_re[l];
                }
                if (!near) break;
            }
            for (size_t l = 0; l < MIN(LANES, n - first); l++) steps[row * n + first + l] = count[l];
        }
    }
}

/* Square by square, whose rows fill a cache line. */
void transpose(void *const *arrays, const float *scalars, size_t n) {
    enum { SQUARE = 16 };
    const float *restrict input = arrays[0];
    float *restrict output = arrays[1];
#pragma omp parallel for
    for (size_t top = 0; top < n; top += SQUARE)
        for (size_t left = 0; left < n; left += SQUARE)
            for (size_t row = top; row < MIN(top + SQUARE, n); row++)
                for (size_t col = left; col < MIN(left + SQUARE, n); col++)
                    output[row * n + col] = input[col * n + row];
}

/* Bytes side by side are counted in bins of their own, as a bin that was just written is read late. */
void histogram(void *const *arrays, const float *scalars, size_t n) {
    const uint8_t *restrict data = arrays[0];
    uint32_t *restrict counts = arrays[1];
    memset(counts, 0, 256 * sizeof(uint32_t));
#pragma omp parallel
    {
        uint32_t bins[4][256] = {{0}};
#pragma omp for nowait
        for (size_t i = 0; i < n / 4; i++)
            for (size_t l = 0; l < 4; l++) bins[l][data[4 * i + l]]++;
#pragma omp single nowait
        for (size_t i = n / 4 * 4; i < n; i++) bins[0][data[i]]++;
#pragma omp critical
        for (size_t bin = 0; bin < 256; bin++)
            for (size_t l = 0; l < 4; l++) counts[bin] += bins[l][bin];
    }
}

void stencil(void *const *arrays, const float *scalars, size_t n) {
    const float *restrict old = arrays[0];
    float *restrict new = arrays[1];
    memcpy(new, old, n * sizeof(float));
    memcpy(new + (n - 1) * n, old + (n - 1) * n, n * sizeof(float));
#pragma omp parallel for
    for (size_t row = 1; row < n - 1; row++) {
        const float *here = old + row * n;
        float *out = new + row * n;
        out[0] = here[0];
#pragma omp simd
        for (size_t col = 1; col < n - 1; col++)
            out[col] = 0.25f * ((here[col - n] + here[col + n]) + (here[col - 1] + here[col + 1]));
        out[n - 1] = here[n - 1];
    }
}

/* The sums of the threads' parts first, and each part from where the one before ends. */
void scan(void *const *arrays, const float *scalars, size_t n) {
    const uint32_t *restrict x = arrays[0];
    uint32_t *restrict y = arrays[1];
    uint32_t starts[1024] = {0};
#pragma omp parallel num_threads(MIN(omp_get_max_threads(), 1023))
    {
        size_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
        size_t first = n / threads * thread, end = thread + 1 == threads ? n : first + n / threads;
        uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = first; i < end; i++) sum += x[i];
        starts[thread + 1] = sum;
#pragma omp barrier
#pragma omp single
        for (size_t i = 1; i < threads; i++) starts[i] += starts[i - 1];
        sum = starts[thread];
        for (size_t i = first; i < end; i++) {
            y[i] = sum;
            sum += x[i];
        }
    }
}
