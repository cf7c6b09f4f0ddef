"""The kernels that are executed: their data, what is right, and the arguments of ours and of nvcc's."""

from dataclasses import dataclass
from typing import Callable

import numpy as np

from arguments import (GROUP_BYTES, Texture, changes, f32, floats, grid, grid_per_thread, image, items,
                       items_per_thread, reads, threads, u32, u64, writes)

SAMPLES = 'lib-gridwright_examples'
KERNELS, TWINS, MATRIX_KERNELS = 'kernels', 'twins', 'matrix_kernels'


@dataclass
class Side:
    """A kernel of a file of PTX and its launch; bytes of shared memory are those that the launch adds."""
    file: str
    kernel: str
    arguments: list
    grid: tuple
    shared: int = 0


@dataclass
class Case:
    block: tuple
    ours: Side
    theirs: Side
    # Says what is wrong with the results of these names, if anything.
    check: Callable[[dict], str | None]


CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def groups(count, size):
    return -(-count // size)


def along(*axes):
    """Sizes of three axes, of which these are the first."""
    return (axes + (1, 1))[:3]


def both(file, kernel, theirs, block, grid_size, ours, nvcc, check, shared=0):
    """A case with the same grid on both sides; `theirs` is the file of nvcc's kernel, or it and another name."""
    their_file, their_kernel = theirs if isinstance(theirs, tuple) else (theirs, kernel)
    return Case(along(*block), Side(file, kernel, ours, along(*grid_size), shared),
                Side(their_file, their_kernel, nvcc, along(*grid_size)), check)


def exactly(name, expected):
    """The result has just these numbers."""
    def check(results):
        found = np.frombuffer(results[name], expected.dtype)[:expected.size].reshape(expected.shape)
        wrong = np.argwhere(found != expected)
        if len(wrong):
            at = tuple(map(int, wrong[0]))
            first = f'the first, {at}, is {found[at]} instead of {expected[at]}'
            return f'{len(wrong)} of {expected.size} are wrong; {first}'
    return check


def about(name, expected, tolerance):
    """The result's floats differ from these by so much of the largest."""
    def check(results):
        found = np.frombuffer(results[name], np.float32)[:expected.size].reshape(expected.shape)
        error = np.max(np.abs(found.astype(np.float64) - expected)) / np.max(np.abs(expected))
        if not error <= tolerance:
            return f'it differs by {error:.3e}, more than {tolerance:.0e}'
    return check


def all_of(*checks):
    return lambda results: next((wrong for check in checks if (wrong := check(results))), None)


def random():
    return np.random.default_rng(1)


@case
def vector_add():
    n = 50_000
    a, b = random().random((2, n), np.float32)
    return both(SAMPLES, 'vector_add', KERNELS, (256,), (groups(n, 256),),
                [*threads(n), *items(reads(a), n), *items(reads(b), n), *items_per_thread(writes(n, 'c'), n)],
                [reads(a), reads(b), writes(n, 'c'), u32(n)], exactly('c', a + b))


@case
def saxpy():
    n, factor = 50_000, 2.5
    x, y = random().random((2, n), np.float32)
    return both(SAMPLES, 'saxpy', KERNELS, (256,), (groups(n, 256),),
                [*threads(n), f32(factor), *items(reads(x), n), *items_per_thread(changes(y, 'y'), n)],
                [f32(factor), reads(x), changes(y, 'y'), u32(n)], about('y', factor * x.astype(np.float64) + y, 1e-6))


@case
def grid_stride_sum():
    n, count = 100_003, 4000
    x = (np.arange(n) * 7919 % 64).astype(np.float32)
    sums = np.pad(x, (0, -n % count)).reshape(-1, count).sum(0).astype(np.float32)
    return both(SAMPLES, 'grid_stride_sum', KERNELS, (256,), (groups(count, 256),),
                [*threads(count), *items(reads(x), n), *items_per_thread(writes(count, 's'), count)],
                [reads(x), u64(n), writes(count, 's'), u64(count)], exactly('s', sums))


@case
def sobel():
    rows, cols = 160, 250
    pixels = random().integers(0, 256, (rows, cols)).astype(np.uint8)
    padded = np.pad(pixels.astype(np.int32), 1, constant_values=-1)

    def at(down, right):
        neighbour = padded[down:down + rows, right:right + cols]
        return np.where(neighbour < 0, pixels, neighbour)

    across = at(0, 2) + 2 * at(1, 2) + at(2, 2) - (at(0, 0) + 2 * at(1, 0) + at(2, 0))
    down = at(2, 0) + 2 * at(2, 1) + at(2, 2) - (at(0, 0) + 2 * at(0, 1) + at(0, 2))
    edges = np.minimum(np.abs(across) + np.abs(down), 255).astype(np.uint8)
    words = groups(rows * cols, 4)
    return both(SAMPLES, 'sobel', KERNELS, (32, 8), (groups(cols, 32), groups(rows, 8)),
                [*threads(cols, rows), *grid(reads(pixels), rows, cols), *grid_per_thread(writes(words, 'e'), (rows, cols), (cols, rows))],
                [reads(pixels), writes(words, 'e'), u32(rows), u32(cols)], exactly('e', edges))


def factors(rows, inner, cols):
    a = (np.arange(rows * inner) % 7).astype(np.float32).reshape(rows, inner)
    b = (np.arange(inner * cols) % 5 - 2).astype(np.float32).reshape(inner, cols)
    return a, b, a @ b


@case
def matrix_mul():
    rows, inner, cols = 120, 54, 150
    a, b, product = factors(rows, inner, cols)
    given = [*grid(reads(a), rows, inner), *grid(reads(b), inner, cols)]
    return both(SAMPLES, 'matrix_mul', KERNELS, (16, 16), (groups(cols, 16), groups(rows, 16)),
                [*given, *grid_per_thread(writes(rows * cols, 'c'), (rows, cols), (cols, rows))],
                [*given, writes(rows * cols, 'c')], exactly('c', product), GROUP_BYTES + 2 * 16 * 16 * 4)


@case
def matrix_mul_patches():
    rows, inner, cols = 380, 40, 400
    a, b, product = factors(rows, inner, cols)
    given = [*grid(reads(a), rows, inner), *grid(reads(b), inner, cols), *grid(writes(rows * cols, 'c'), rows, cols)]
    return both(SAMPLES, 'matrix_mul_patches', TWINS, (4, 16), (groups(cols, 64), groups(rows, 64)),
                given, given, exactly('c', product), GROUP_BYTES + 64 * 17 * 4 + 16 * 64 * 4)


def transposition(kernel, theirs, by_threads, shared=0, over_output=False, is_transposed=True):
    rows, cols = 200, 300
    matrix = np.arange(rows * cols, dtype=np.float32).reshape(rows, cols)
    result = matrix.T.copy() if is_transposed else matrix
    height, width = result.shape if over_output else matrix.shape
    given = grid(reads(matrix), rows, cols)
    return both(SAMPLES, kernel, theirs, (32, 32), (groups(width, 32), groups(height, 32)),
                [*(threads(cols, rows) if by_threads else []), *given,
                 *grid_per_thread(writes(rows * cols, 'o'), result.shape, (width, height))],
                [*given, writes(rows * cols, 'o')], exactly('o', result), shared)


@case
def copy_matrix():
    return transposition('copy_matrix', TWINS, True, is_transposed=False)


@case
def transpose_naive():
    return transposition('transpose_naive', TWINS, True)


@case
def transpose_tiled():
    return transposition('transpose_tiled', TWINS, False, GROUP_BYTES + 32 * 32 * 4, over_output=True)


@case
def transpose_padded():
    return transposition('transpose_padded', KERNELS, False, GROUP_BYTES + 32 * 33 * 4, over_output=True)


def reduction(kernel, theirs, n, group_count, shared):
    x = (np.arange(n) * 7919 % 64).astype(np.float32)

    def check(results):
        found, expected = np.frombuffer(results['s'], np.float32).sum(dtype=np.float64), x.sum(dtype=np.float64)
        return None if found == expected else f'the sum is {found} instead of {expected}'

    given = [*items(reads(x), n), *items(writes(group_count, 's'), group_count)]
    return both(SAMPLES, kernel, theirs, (256,), (group_count,), given, given, check, shared)


def several_a_thread(n):
    return min(groups(n, 32 * 256), 1024)


@case
def collective():
    return reduction('collective', KERNELS, 600_007, several_a_thread(600_007), GROUP_BYTES)


@case
def warps():
    return reduction('warps', TWINS, 600_007, several_a_thread(600_007), GROUP_BYTES + 32)


@case
def sequential():
    return reduction('sequential', TWINS, 75_007, groups(75_007, 256), GROUP_BYTES + 1024)


@case
def histogram_256():
    i = np.arange(600_000, dtype=np.int64)
    values = ((i * 7919 % 1009) * (i * 104729 % 1013) // 4000).astype(np.uint8)
    words = len(values) // 8
    group_count = groups(words, 2048)
    given = [u64(group_count), *items(reads(values), words)]
    counts = lambda: changes(np.zeros(256, np.uint32), 'h')
    return both(SAMPLES, 'histogram_256', KERNELS, (256,), (group_count,), [*given, *items(counts(), 256)],
                [*given, counts()], exactly('h', np.bincount(values, minlength=256).astype(np.uint32)),
                GROUP_BYTES + 8 * 256 * 4)


@case
def sum_groups():
    n = 150_000
    x = (np.arange(n) * 7919 % 10).astype(np.uint32)
    count = groups(n, 1024)
    given = [*items(reads(x), n), *items(writes(count, 's'), count)]
    return both(SAMPLES, 'sum_groups', TWINS, (256,), (count,), given, given,
                exactly('s', np.add.reduceat(x, np.arange(0, n, 1024)).astype(np.uint32)), GROUP_BYTES)


@case
def scan_groups():
    n = 100_000
    x = (np.arange(n) * 7919 % 10).astype(np.uint32)
    count, fours = groups(n, 1024), n // 4
    sums = np.add.reduceat(x, np.arange(0, n, 1024))
    given = [*items(reads(x), fours), *items(reads((np.cumsum(sums) - sums).astype(np.uint32)), count)]
    return both(SAMPLES, 'scan_groups', TWINS, (256,), (count,), [*given, *items_per_thread(writes(n, 'y'), fours)],
                [*given, writes(n, 'y')], exactly('y', (np.cumsum(x) - x).astype(np.uint32)), GROUP_BYTES)


@case
def nbody():
    n, time, softening = 768, 0.01, 1e-4
    i = np.arange(n)
    side, angle, radius = np.where(i % 2 == 0, 1.0, -1.0), i * 2.399963, np.sqrt(i / n) * 0.5 + 0.01
    speed = np.sqrt(radius * 2) * 0.7
    bodies = np.stack([radius * np.cos(angle) + side * 0.8, radius * np.sin(angle) + side * 0.3, 0.02 * np.sin(i),
                       np.full(n, 1 / n)], 1).astype(np.float32)
    velocities = np.stack([-np.sin(angle) * speed - side * 0.25, np.cos(angle) * speed, 0 * i], 1).astype(np.float32)
    distances = bodies[None, :, :3].astype(np.float64) - bodies[:, None, :3]
    squares = (distances**2).sum(2) + softening
    forces = (distances * (bodies[None, :, 3] / (squares * np.sqrt(squares)))[:, :, None]).sum(1)
    later_velocities = velocities + time * forces
    later = np.concatenate([bodies[:, :3] + time * later_velocities, bodies[:, 3:]], 1)
    changed = lambda: changes(velocities, 'v')
    return both(SAMPLES, 'step', TWINS, (256,), (groups(n, 256),),
                [f32(time), *items(reads(bodies), n), *items_per_thread(writes(4 * n, 'b'), n),
                 *items_per_thread(changed(), n)],
                [f32(time), reads(bodies), u32(n), writes(4 * n, 'b'), changed()],
                all_of(about('v', later_velocities, 1e-4), about('b', later, 1e-4)), GROUP_BYTES)


@case
def black_scholes():
    n = 20_000
    prices, strikes, years = np.float32([[5], [1], [0.25]]) + np.float32([[25], [99], [9.75]]) * random().random((3, n), np.float32)
    rate, volatility = float(np.float32(0.02)), float(np.float32(0.3))

    def normal(d):
        q = 1 / (1 + 0.2316419 * np.abs(d))
        tail = ((((1.330274429 * q - 1.821255978) * q + 1.781477937) * q - 0.356563782) * q + 0.31938153) * q
        tail *= np.exp(-0.5 * d * d) / np.sqrt(2 * np.pi)
        return np.where(d > 0, 1 - tail, tail)

    s, x, t = (array.astype(np.float64) for array in (prices, strikes, years))
    d = (np.log(s / x) + (rate + 0.5 * volatility**2) * t) / (volatility * np.sqrt(t))
    p, q, discounted = normal(d), normal(d - volatility * np.sqrt(t)), x * np.exp(-rate * t)
    calls, puts = s * p - discounted * q, discounted * (1 - q) - s * (1 - p)
    given = [reads(array) for array in (prices, strikes, years)]
    return both(SAMPLES, 'black_scholes', TWINS, (128,), (groups(n, 128),),
                [*threads(n), *(part for buffer in given for part in items(buffer, n)), f32(rate), f32(volatility),
                 *items_per_thread(writes(n, 'c'), n), *items_per_thread(writes(n, 'p'), n)],
                [*given, f32(rate), f32(volatility), writes(n, 'c'), writes(n, 'p'), u32(n)],
                all_of(about('c', calls, 3e-6), about('p', puts, 3e-6)))


def convolution(kernel, padding, tile):
    rows, cols, radius = 100, 250, 8
    pixels = 255.0 * ((np.arange(rows)[:, None]**2 + 2 * np.arange(cols)[None, :]**2) // 4096 % 2)
    taps = (8 - np.abs(np.arange(17) - 8)) / 64
    padded = np.pad(pixels, [(radius * by, radius * by) for by in padding])
    blurred = sum(taps[i] * padded[i * padding[0]:, i * padding[1]:][:rows, :cols] for i in range(17))
    given = [floats(taps), *grid(reads(pixels.astype(np.float32)), rows, cols)]
    return both('bin-convolution_separable', kernel, TWINS, (32, 8), (groups(cols, 32), groups(rows, 8)),
                [*given, *grid_per_thread(writes(rows * cols, 'o'), (rows, cols), (cols, rows))],
                [*given, writes(rows * cols, 'o')], exactly('o', blurred.astype(np.float32)), GROUP_BYTES + 4 * tile)


@case
def convolve_rows():
    return convolution('convolve_rows', (0, 1), 8 * 48)


@case
def convolve_cols():
    return convolution('convolve_cols', (1, 0), 24 * 32)


@case
def fdtd3d():
    size, radius = 32, 4
    volume = (np.arange(size**3) * 7919 % 1009).astype(np.float32).reshape(size, size, size)
    weights = (0.1 / (np.arange(5) + 1)).astype(np.float32)
    padded = np.pad(volume.astype(np.float64), radius)

    def at(*by):
        return padded[tuple(slice(radius + offset, radius + offset + size) for offset in by)]

    expected = weights[0] * at(0, 0, 0)
    for by in range(1, radius + 1):
        neighbours = [at(-by, 0, 0), at(by, 0, 0), at(0, -by, 0), at(0, by, 0), at(0, 0, -by), at(0, 0, by)]
        expected += weights[by] * sum(neighbours)
    given = [floats(weights), *grid(reads(volume), size, size, size)]
    return both('bin-fdtd3d', 'step', (TWINS, 'fdtd_step'), (32, 8), (groups(size, 32), groups(size, 8), size),
                [*threads(size, size, size), *given, *grid_per_thread(writes(size**3, 'o'), 3 * (size,), 3 * (size,))],
                [*given, writes(size**3, 'o')], about('o', expected, 1e-6))


SHIFT, DIGITS = 8, 16


def keys(n=40_000):
    """Numbers, the digit of each, and the group that it belongs to."""
    i = np.arange(n, dtype=np.uint64)
    numbers = ((i * 2_654_435_761 & 0xffffffff) ^ i >> 7).astype(np.uint32)
    digits, group = numbers >> SHIFT & DIGITS - 1, np.arange(n) // 256
    counts = np.zeros((group[-1] + 1, DIGITS), np.uint32)
    np.add.at(counts, (group, digits), 1)
    by_digit = counts.T.flatten()
    return numbers, digits, counts, (np.cumsum(by_digit) - by_digit).astype(np.uint32)


@case
def radix_count():
    numbers, _, counts, _ = keys()
    n, group_count = len(numbers), len(counts)
    given = [u32(SHIFT), *items(reads(numbers), n)]
    return both('bin-radix_sort', 'count', (TWINS, 'radix_count'), (256,), (group_count,),
                [*given, *items(writes(counts.size, 'c'), group_count)], [*given, writes(counts.size, 'c')],
                exactly('c', counts), GROUP_BYTES)


@case
def radix_scan():
    _, _, counts, starts = keys()
    given = reads(counts)
    return both('bin-radix_sort', 'scan', (TWINS, 'radix_scan'), (256,), (1,),
                [u64(len(counts)), *items(given, counts.size), *items(writes(counts.size, 's'), counts.size)],
                [u32(len(counts)), given, writes(counts.size, 's'), u32(counts.size)], exactly('s', starts), GROUP_BYTES)


@case
def radix_scatter():
    numbers, digits, counts, starts = keys()
    n = len(numbers)
    given = [u32(SHIFT), *items(reads(numbers), n)]
    return both('bin-radix_sort', 'scatter', (TWINS, 'radix_scatter'), (256,), (len(counts),),
                [*given, *items(reads(starts), starts.size), *items(writes(n, 'o'), n)],
                [*given, reads(starts), writes(n, 'o')], exactly('o', numbers[np.argsort(digits, kind='stable')]),
                GROUP_BYTES)


@case
def bilateral_filter():
    rows, cols, radius = 40, 90, 3
    texels = random().integers(0, 256, (rows, cols, 4)).astype(np.uint8)
    texels[:, 30:] //= 4
    gaussian, steepness = np.exp(-0.5 * (np.arange(26) / 4.0)**2).astype(np.float32), 5.0
    colours = texels / 255.0
    padded = np.pad(colours, ((radius, radius), (radius, radius), (0, 0)), mode='edge')
    sums, weights = np.zeros((rows, cols, 4)), np.zeros((rows, cols, 1))
    for down in range(-radius, radius + 1):
        for right in range(-radius, radius + 1):
            pixels = padded[radius + down:radius + down + rows, radius + right:radius + right + cols]
            difference = ((pixels - colours)[:, :, :3]**2).sum(2, keepdims=True)
            weight = float(gaussian[abs(down)]) * float(gaussian[abs(right)]) * np.exp(-steepness * difference)
            sums, weights = sums + weight * pixels, weights + weight
    expected = 255 * sums / weights

    def check(results):
        found = np.frombuffer(results['b'], np.uint8).reshape(texels.shape)
        error = np.max(np.abs(found - expected))  # half of it is the rounding to bytes
        return None if error < 0.51 else f'a pixel differs by {error:.2f}'

    blurred = lambda: Texture(np.zeros_like(texels), 'b')
    return both('bin-bilateral_filter', 'blur', (TWINS, 'bilateral_filter'), (16, 16), (groups(cols, 16), groups(rows, 16)),
                [*threads(cols, rows), u64(radius), f32(steepness), floats(gaussian), *image(Texture(texels)),
                 *image(blurred())],
                [u32(radius), f32(steepness), floats(gaussian), Texture(texels), blurred(), u32(cols), u32(rows)], check)


@case
def tensor_core_gemm():
    rows, inner, cols = 200, 136, 264
    a, b = (random().uniform(-0.5, 0.5, shape).astype(np.float16) for shape in ((rows, inner), (inner, cols)))
    given = [*grid(reads(a), rows, inner // 8), *grid(reads(b), inner, cols // 8),
             *grid(writes(rows * cols, 'c'), rows, cols)]
    tiles = 2 * (128 * 5 + 32 * 17) * 16
    return both('bin-tensor_core_gemm', 'tensor_core_gemm', MATRIX_KERNELS, (256,), (groups(cols, 128), groups(rows, 128)),
                given, given, about('c', a.astype(np.float64) @ b.astype(np.float64), 1e-6), GROUP_BYTES + tiles)
