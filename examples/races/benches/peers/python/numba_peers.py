"""The peers in Numba: loops that are compiled for all threads."""

from serve import serve

import math

import numba
import numpy
from numba import njit, prange

f32 = numpy.float32
LANES = 16


def parallel(function):
    return njit(function, parallel=True, fastmath=True, boundscheck=False, error_model="numpy")


@parallel
def nothing(marks, n):
    # An empty loop is dropped when it is compiled, threads and all: each thread's part is to mark a cache line of its own.
    for part in prange(marks.shape[0]):
        marks[part, 0] = 1


@parallel
def saxpy(x, y, a, n):
    for i in prange(n):
        y[i] = a * x[i] + y[i]


@parallel
def matrix_mul_naive(a, b, c, n):
    for row in prange(n):
        for col in range(n):
            c[row, col] = f32(0)
        for k in range(n):
            for col in range(n):
                c[row, col] += a[row, k] * b[k, col]


@parallel
def matrix_mul_tiled(a, b, c, n):
    for tile in prange(n // 64):
        top = tile * 64
        c[top : top + 64] = f32(0)
        for deep in range(0, n, 64):
            for row in range(top, top + 64):
                for k in range(deep, deep + 64):
                    for col in range(n):
                        c[row, col] += a[row, k] * b[k, col]


@parallel
def reduction(x, total, n):
    sum = f32(0)
    for i in prange(n):
        sum += x[i]
    total[0] = sum


@njit(fastmath=True, error_model="numpy", inline="always")
def norm_cdf(d):
    k = f32(1) / (f32(1) + f32(0.2316419) * abs(d))
    p = f32(1.330274429) * k - f32(1.821255978)
    p = k * (k * (k * (k * p + f32(1.781477937)) - f32(0.356563782)) + f32(0.31938153))
    tail = f32(0.39894228) * math.exp(f32(-0.5) * d * d) * p
    return f32(1) - tail if d > f32(0) else tail


@parallel
def black_scholes(prices, strikes, times, calls, puts, rate, volatility, n):
    for i in prange(n):
        price, strike, years = prices[i], strikes[i], times[i]
        deviation = volatility * math.sqrt(years)
        d1 = (math.log(price / strike) + (rate + f32(0.5) * volatility * volatility) * years) / deviation
        of_price, of_strike = norm_cdf(d1), norm_cdf(d1 - deviation)
        discounted = strike * math.exp(-rate * years)
        calls[i] = price * of_price - discounted * of_strike
        puts[i] = discounted * (f32(1) - of_strike) - price * (f32(1) - of_price)


@parallel
def bodies(old, new, velocities, time, softening, n):
    for i in prange(n):
        x, y, z = old[i, 0], old[i, 1], old[i, 2]
        px, py, pz = f32(0), f32(0), f32(0)
        for other in range(n):
            dx, dy, dz = old[other, 0] - x, old[other, 1] - y, old[other, 2] - z
            square = dx * dx + dy * dy + dz * dz + softening
            inverse = old[other, 3] / (square * math.sqrt(square))
            px += dx * inverse
            py += dy * inverse
            pz += dz * inverse
        velocities[i, 0] += time * px
        velocities[i, 1] += time * py
        velocities[i, 2] += time * pz
        new[i, 0] = x + time * velocities[i, 0]
        new[i, 1] = y + time * velocities[i, 1]
        new[i, 2] = z + time * velocities[i, 2]
        new[i, 3] = old[i, 3]


@parallel
def mandelbrot(steps, left, top, step, most, n):
    for row in prange(n):
        c_im = top - f32(row) * step
        for col in range(n):
            c_re = f32(col) * step + left
            re, im, count = f32(0), f32(0), 0
            while count < most:
                re2, im2 = re * re, im * im
                if re2 + im2 > f32(4):
                    break
                im = f32(2) * re * im + c_im
                re = re2 - im2 + c_re
                count += 1
            steps[row, col] = count


@parallel
def transpose(input, output, n):
    for strip in prange(n // LANES):
        top = strip * LANES
        for left in range(0, n, LANES):
            for row in range(top, top + LANES):
                for col in range(left, left + LANES):
                    output[row, col] = input[col, row]


@parallel
def histogram(data, counts, n):
    parts = numba.get_num_threads()
    bins = numpy.zeros((parts, 4, 256), numpy.uint32)
    for part in prange(parts):
        for i in range(part * (n // parts // 4) * 4, n if part == parts - 1 else (part + 1) * (n // parts // 4) * 4):
            bins[part, i & 3, data[i]] += numpy.uint32(1)
    for bin in range(256):
        sum = numpy.uint32(0)
        for part in range(parts):
            for copy in range(4):
                sum += bins[part, copy, bin]
        counts[bin] = sum


@parallel
def stencil(old, new, n):
    for row in prange(n):
        if row == 0 or row == n - 1:
            for col in range(n):
                new[row, col] = old[row, col]
        else:
            new[row, 0] = old[row, 0]
            for col in range(1, n - 1):
                new[row, col] = f32(0.25) * (
                    (old[row - 1, col] + old[row + 1, col]) + (old[row, col - 1] + old[row, col + 1])
                )
            new[row, n - 1] = old[row, n - 1]


@parallel
def scan(x, y, n):
    parts = numba.get_num_threads()
    starts = numpy.zeros(parts + 1, numpy.uint32)
    for part in prange(parts):
        sum = numpy.uint32(0)
        for i in range(n * part // parts, n * (part + 1) // parts):
            sum += x[i]
        starts[part + 1] = sum
    for part in range(parts):
        starts[part + 1] += starts[part]
    for part in prange(parts):
        sum = starts[part]
        for i in range(n * part // parts, n * (part + 1) // parts):
            y[i] = sum
            sum += x[i]


FUNCTIONS = {
    function.__name__: function
    for function in (
        nothing, saxpy, matrix_mul_naive, matrix_mul_tiled, reduction, black_scholes, bodies, mandelbrot, transpose,
        histogram, stencil, scan,
    )
}  # fmt: skip


def shaped(subject, arrays, n):
    if subject == "bodies":
        return [array.reshape(n, -1) for array in arrays]
    return [array.reshape(n, n) if array.size == n * n else array for array in arrays]


def prepare(subject, arrays, scalars, n):
    function = FUNCTIONS.get(subject)
    if function is None:
        return None
    scalars = [f32(scalar) for scalar in scalars]
    shapes = shaped(subject, arrays, n)
    if subject == "nothing":
        shapes = [numpy.zeros((numba.get_num_threads(), 64), numpy.uint8)]
    return lambda: function(*shapes, *scalars, n), lambda: arrays


serve(f"Numba {numba.__version__}", prepare)
