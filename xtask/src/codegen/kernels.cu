// What a CUDA programmer writes for the kernels that `cargo xtask codegen` compares. Sizes are 32-bit where the
// launch bounds them, and pointers `__restrict__`, as in the CUDA samples at their best.

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
    short gx = (AT(0, 2) + 2 * AT(1, 2) + AT(2, 2)) - (AT(0, 0) + 2 * AT(1, 0) + AT(2, 0));
    short gy = (AT(2, 0) + 2 * AT(2, 1) + AT(2, 2)) - (AT(0, 0) + 2 * AT(0, 1) + AT(0, 2));
    edges[(size_t)row * cols + col] = min(abs(gx) + abs(gy), 255);
}
