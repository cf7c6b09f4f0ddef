"""The peers in Warp: a kernel an element, on its device for CPUs, which has one thread."""

from serve import serve

import numpy
import warp as wp

wp.config.quiet = True
# Nothing here is differentiated.
wp.set_module_options({"enable_backward": False})
wp.init()
DEVICE = "cpu"
TILE = 16
BODIES = (wp.vec4, wp.vec4, wp.vec3)


@wp.kernel
def nothing(n: wp.int32):
    wp.tid()


@wp.kernel
def saxpy(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32), a: wp.float32, n: wp.int32):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@wp.kernel
def matrix_mul_naive(
    a: wp.array2d(dtype=wp.float32), b: wp.array2d(dtype=wp.float32), c: wp.array2d(dtype=wp.float32), n: wp.int32
):
    row, col = wp.tid()
    sum = wp.float32(0.0)
    for k in range(n):
        sum += a[row, k] * b[k, col]
    c[row, col] = sum


@wp.kernel
def matrix_mul_tiled(
    a: wp.array2d(dtype=wp.float32), b: wp.array2d(dtype=wp.float32), c: wp.array2d(dtype=wp.float32), n: wp.int32
):
    row, col = wp.tid()
    sums = wp.tile_zeros(shape=(TILE, TILE), dtype=wp.float32)
    for k in range(n / TILE):
        of_a = wp.tile_load(a, shape=(TILE, TILE), offset=(row * TILE, k * TILE))
        of_b = wp.tile_load(b, shape=(TILE, TILE), offset=(k * TILE, col * TILE))
        wp.tile_matmul(of_a, of_b, sums)
    wp.tile_store(c, sums, offset=(row * TILE, col * TILE))


@wp.kernel
def reduction(x: wp.array(dtype=wp.float32), total: wp.array(dtype=wp.float32), n: wp.int32):
    wp.atomic_add(total, 0, x[wp.tid()])


@wp.func
def norm_cdf(d: wp.float32):
    k = 1.0 / (1.0 + 0.2316419 * wp.abs(d))
    p = 1.330274429 * k - 1.821255978
    p = k * (k * (k * (k * p + 1.781477937) - 0.356563782) + 0.31938153)
    tail = 0.39894228 * wp.exp(-0.5 * d * d) * p
    return wp.where(d > 0.0, 1.0 - tail, tail)


@wp.kernel
def black_scholes(
    prices: wp.array(dtype=wp.float32),
    strikes: wp.array(dtype=wp.float32),
    times: wp.array(dtype=wp.float32),
    calls: wp.array(dtype=wp.float32),
    puts: wp.array(dtype=wp.float32),
    rate: wp.float32,
    volatility: wp.float32,
    n: wp.int32,
):
    i = wp.tid()
    price = prices[i]
    strike = strikes[i]
    years = times[i]
    deviation = volatility * wp.sqrt(years)
    d1 = (wp.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation
    of_price = norm_cdf(d1)
    of_strike = norm_cdf(d1 - deviation)
    discounted = strike * wp.exp(-rate * years)
    calls[i] = price * of_price - discounted * of_strike
    puts[i] = discounted * (1.0 - of_strike) - price * (1.0 - of_price)


@wp.kernel
def bodies(
    old: wp.array(dtype=wp.vec4),
    moved: wp.array(dtype=wp.vec4),
    velocities: wp.array(dtype=wp.vec3),
    time: wp.float32,
    softening: wp.float32,
    n: wp.int32,
):
    i = wp.tid()
    body = old[i]
    place = wp.vec3(body[0], body[1], body[2])
    sum = wp.vec3()
    for other in range(n):
        at = old[other]
        d = wp.vec3(at[0], at[1], at[2]) - place
        square = wp.dot(d, d) + softening
        sum += d * (at[3] / (square * wp.sqrt(square)))
    velocity = velocities[i] + time * sum
    velocities[i] = velocity
    place = place + time * velocity
    moved[i] = wp.vec4(place[0], place[1], place[2], body[3])


@wp.kernel
def mandelbrot(
    steps: wp.array2d(dtype=wp.uint32),
    left: wp.float32,
    top: wp.float32,
    step: wp.float32,
    most: wp.float32,
    n: wp.int32,
):
    row, col = wp.tid()
    c_re = wp.float32(col) * step + left
    c_im = top - wp.float32(row) * step
    last = wp.int32(most)
    re = wp.float32(0.0)
    im = wp.float32(0.0)
    count = wp.int32(0)
    while count < last and re * re + im * im <= 4.0:
        next = re * re - im * im + c_re
        im = 2.0 * re * im + c_im
        re = next
        count += 1
    steps[row, col] = wp.uint32(count)


@wp.kernel
def transpose(input: wp.array2d(dtype=wp.float32), output: wp.array2d(dtype=wp.float32), n: wp.int32):
    row, col = wp.tid()
    output[row, col] = input[col, row]


@wp.kernel
def histogram(data: wp.array(dtype=wp.uint8), counts: wp.array(dtype=wp.uint32), n: wp.int32):
    wp.atomic_add(counts, wp.int32(data[wp.tid()]), wp.uint32(1))


@wp.kernel
def stencil(old: wp.array2d(dtype=wp.float32), mean: wp.array2d(dtype=wp.float32), n: wp.int32):
    row, col = wp.tid()
    if row > 0 and col > 0 and row + 1 < n and col + 1 < n:
        mean[row, col] = 0.25 * ((old[row - 1, col] + old[row + 1, col]) + (old[row, col - 1] + old[row, col + 1]))
    else:
        mean[row, col] = old[row, col]


def launcher(kernel, dim, inputs, **options):
    """A launch that was recorded, as who repeats one does."""
    launch = wp.launch(kernel, dim=dim, inputs=inputs, device=DEVICE, record_cmd=True, **options)
    return launch.launch


def prepare(subject, arrays, scalars, n):
    if subject == "scan":
        # As integers of a sign, which is what Warp's own function takes; the bits are the same.
        x, y = (wp.array(array.view(numpy.int32), device=DEVICE) for array in arrays)
        return lambda: wp.utils.array_scan(x, y, inclusive=False), lambda: [x.numpy(), y.numpy()]
    kernel = globals().get(subject)
    if kernel is None:
        return None
    if subject == "bodies":
        shaped = [wp.array(array.reshape(n, -1), dtype=type, device=DEVICE) for array, type in zip(arrays, BODIES)]
    else:
        shapes = [(n, n) if array.size == n * n else array.shape for array in arrays]
        shaped = [wp.array(array.reshape(shape), device=DEVICE) for array, shape in zip(arrays, shapes)]
    is_matrix = subject in ("matrix_mul_naive", "mandelbrot", "transpose", "stencil")
    inputs = shaped + scalars + [n]
    if subject == "matrix_mul_tiled":
        launch = wp.launch_tiled(
            kernel, dim=(n // TILE, n // TILE), inputs=inputs, block_dim=64, device=DEVICE, record_cmd=True
        ).launch
    else:
        launch = launcher(kernel, (n, n) if is_matrix else n, inputs)

    def call():
        if subject in ("reduction", "histogram"):
            shaped[-1].zero_()
        launch()

    # On a CPU a launch is done when it returns.
    return call, lambda: [array.numpy() for array in shaped]


serve(f"Warp {wp.__version__}", prepare)
