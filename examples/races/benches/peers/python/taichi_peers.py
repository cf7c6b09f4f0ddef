"""The peers in Taichi: kernels whose outermost loop runs on all threads."""

from serve import serve

import os

import taichi as ti

ti.init(
    arch=ti.cpu,
    cpu_max_num_threads=int(os.environ["OMP_NUM_THREADS"]),
    fast_math=True,
    log_level=ti.ERROR,
    offline_cache=False,
)

Vector = ti.types.ndarray(dtype=ti.f32, ndim=1)
Square = ti.types.ndarray(dtype=ti.f32, ndim=2)
Words = ti.types.ndarray(dtype=ti.u32, ndim=1)
WordSquare = ti.types.ndarray(dtype=ti.u32, ndim=2)
Bytes = ti.types.ndarray(dtype=ti.u8, ndim=1)
SQUARE = 16


@ti.kernel
def nothing(n: ti.i32):
    for _ in range(n):
        pass


@ti.kernel
def saxpy(x: Vector, y: Vector, a: ti.f32, n: ti.i32):
    for i in range(n):
        y[i] = a * x[i] + y[i]


@ti.kernel
def matrix_mul_naive(a: Square, b: Square, c: Square, n: ti.i32):
    for row in range(n):
        for col in range(n):
            c[row, col] = 0.0
        for k in range(n):
            for col in range(n):
                c[row, col] += a[row, k] * b[k, col]


@ti.kernel
def reduction(x: Vector, total: Vector, n: ti.i32):
    total[0] = 0.0
    for i in range(n):
        total[0] += x[i]


@ti.func
def norm_cdf(d: ti.f32) -> ti.f32:
    k = 1.0 / (1.0 + 0.2316419 * ti.abs(d))
    p = 1.330274429 * k - 1.821255978
    p = k * (k * (k * (k * p + 1.781477937) - 0.356563782) + 0.31938153)
    tail = 0.39894228 * ti.exp(-0.5 * d * d) * p
    return ti.select(d > 0.0, 1.0 - tail, tail)


@ti.kernel
def black_scholes(
    prices: Vector, strikes: Vector, times: Vector, calls: Vector, puts: Vector, rate: ti.f32, volatility: ti.f32, n: ti.i32
):
    for i in range(n):
        price, strike, years = prices[i], strikes[i], times[i]
        deviation = volatility * ti.sqrt(years)
        d1 = (ti.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation
        of_price, of_strike = norm_cdf(d1), norm_cdf(d1 - deviation)
        discounted = strike * ti.exp(-rate * years)
        calls[i] = price * of_price - discounted * of_strike
        puts[i] = discounted * (1.0 - of_strike) - price * (1.0 - of_price)


@ti.kernel
def bodies(old: Square, moved: Square, velocities: Square, time: ti.f32, softening: ti.f32, n: ti.i32):
    for i in range(n):
        x, y, z = old[i, 0], old[i, 1], old[i, 2]
        px, py, pz = 0.0, 0.0, 0.0
        for other in range(n):
            dx, dy, dz = old[other, 0] - x, old[other, 1] - y, old[other, 2] - z
            square = dx * dx + dy * dy + dz * dz + softening
            inverse = old[other, 3] / (square * ti.sqrt(square))
            px += dx * inverse
            py += dy * inverse
            pz += dz * inverse
        velocities[i, 0] += time * px
        velocities[i, 1] += time * py
        velocities[i, 2] += time * pz
        moved[i, 0] = x + time * velocities[i, 0]
        moved[i, 1] = y + time * velocities[i, 1]
        moved[i, 2] = z + time * velocities[i, 2]
        moved[i, 3] = old[i, 3]


@ti.kernel
def mandelbrot(steps: WordSquare, left: ti.f32, top: ti.f32, step: ti.f32, most: ti.f32, n: ti.i32):
    for row, col in ti.ndrange(n, n):
        c_re = ti.cast(col, ti.f32) * step + left
        c_im = top - ti.cast(row, ti.f32) * step
        re, im, count = 0.0, 0.0, 0
        last = ti.cast(most, ti.i32)
        while count < last and re * re + im * im <= 4.0:
            after = re * re - im * im + c_re
            im = 2.0 * re * im + c_im
            re = after
            count += 1
        steps[row, col] = ti.cast(count, ti.u32)


@ti.kernel
def transpose(input: Square, output: Square, n: ti.i32):
    for strip in range(n // SQUARE):
        for left in range(n // SQUARE):
            for row in range(strip * SQUARE, (strip + 1) * SQUARE):
                for col in range(left * SQUARE, (left + 1) * SQUARE):
                    output[row, col] = input[col, row]


@ti.kernel
def histogram(data: Bytes, counts: Words, n: ti.i32):
    for bin in range(256):
        counts[bin] = ti.u32(0)
    for i in range(n):
        counts[ti.cast(data[i], ti.i32)] += ti.u32(1)


@ti.kernel
def stencil(old: Square, mean: Square, n: ti.i32):
    for row, col in ti.ndrange(n, n):
        if row > 0 and col > 0 and row + 1 < n and col + 1 < n:
            mean[row, col] = 0.25 * (
                (old[row - 1, col] + old[row + 1, col]) + (old[row, col - 1] + old[row, col + 1])
            )
        else:
            mean[row, col] = old[row, col]


KERNELS = {
    "nothing": nothing, "saxpy": saxpy, "matrix_mul_naive": matrix_mul_naive, "reduction": reduction,
    "black_scholes": black_scholes, "bodies": bodies, "mandelbrot": mandelbrot, "transpose": transpose,
    "histogram": histogram, "stencil": stencil,
}  # fmt: skip
TYPES = {"float32": ti.f32, "uint32": ti.u32, "uint8": ti.u8}


def prepare(subject, arrays, scalars, n):
    kernel = KERNELS.get(subject)
    if kernel is None:
        return None
    on_device = []
    for array in arrays:
        if subject == "bodies":
            array = array.reshape(n, -1)
        elif array.size == n * n:
            array = array.reshape(n, n)
        memory = ti.ndarray(TYPES[array.dtype.name], shape=array.shape)
        memory.from_numpy(array)
        on_device.append(memory)

    # On a CPU a kernel is done when it returns.
    return lambda: kernel(*on_device, *scalars, n), lambda: [memory.to_numpy() for memory in on_device]


serve(f"Taichi {ti.__version__[0]}.{ti.__version__[1]}.{ti.__version__[2]}", prepare)
