#include <stddef.h>

/* A sum in vectors, by so many threads. */
float sum(const float *x, size_t n, int threads) {
    float total = 0;
#pragma omp parallel for simd reduction(+ : total) num_threads(threads)
    for (size_t i = 0; i < n; i++) total += x[i];
    return total;
}
