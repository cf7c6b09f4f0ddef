/* BabelStream's loops as a build with OpenMP has them: a parallel loop each, of equal parts. */

#include <omp.h>
#include <stddef.h>
#include <stdlib.h>

#define ALIGNMENT (2 * 1024 * 1024)
#define SCALAR 0.4

void stream_threads(int threads) { omp_set_num_threads(threads); }

/* NULL where there isn't the memory. */
double *stream_allocate(size_t n) {
    size_t bytes = n * sizeof(double);
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

void stream_free(double *array) { free(array); }

void stream_init(double *a, double *b, double *c, ptrdiff_t n) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) {
        a[i] = 0.1;
        b[i] = 0.2;
        c[i] = 0.0;
    }
}

void stream_copy(const double *a, double *c, ptrdiff_t n) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) c[i] = a[i];
}

void stream_mul(double *b, const double *c, ptrdiff_t n) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) b[i] = SCALAR * c[i];
}

void stream_add(const double *a, const double *b, double *c, ptrdiff_t n) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) c[i] = a[i] + b[i];
}

void stream_triad(double *a, const double *b, const double *c, ptrdiff_t n) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) a[i] = b[i] + SCALAR * c[i];
}

void stream_nstream(double *a, const double *b, const double *c, ptrdiff_t n) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) a[i] += b[i] + SCALAR * c[i];
}

double stream_dot(const double *a, const double *b, ptrdiff_t n) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (ptrdiff_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
