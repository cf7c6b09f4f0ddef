/* The peers in ISPC. Each does a part of what its namesake in C does, for one thread: parts are of the same size, and there are as many as
   threads. */

struct Body { float x, y, z, mass; };

export void saxpy(void *uniform arrays[], const uniform float scalars[], uniform uint64 n, uniform uint64 part, uniform uint64 parts) {
    const uniform float *uniform x = (const uniform float *uniform)arrays[0];
    uniform float *uniform y = (uniform float *uniform)arrays[1];
    const uniform float a = scalars[0];
    uniform int64 end = n * (part + 1) / parts;
    foreach (i = n * part / parts ... end) y[i] = a * x[i] + y[i];
}

/* Sums of a row's programs in registers, for one row of C after the other. */
export void matrix_mul_naive(void *uniform arrays[], const uniform float scalars[], uniform uint64 n, uniform uint64 part, uniform uint64 parts) {
    const uniform float *uniform a = (const uniform float *uniform)arrays[0], *uniform b = (const uniform float *uniform)arrays[1];
    uniform float *uniform c = (uniform float *uniform)arrays[2];
    for (uniform int64 row = n * part / parts; row < n * (part + 1) / parts; row++) {
        foreach (col = 0 ... (uniform int64)n) {
            float sum = 0;
            for (uniform int64 k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
            c[row * n + col] = sum;
        }
    }
}

/* Tiles of C of four rows and two vectors, in registers. The size is a multiple of 256. */
export void matrix_mul_tiled(void *uniform arrays[], const uniform float scalars[], uniform uint64 n, uniform uint64 part, uniform uint64 parts) {
    const uniform float *uniform a = (const uniform float *uniform)arrays[0], *uniform b = (const uniform float *uniform)arrays[1];
    uniform float *uniform c = (uniform float *uniform)arrays[2];
    uniform int64 top = n / 4 * part / parts * 4, bottom = n / 4 * (part + 1) / parts * 4;
    for (uniform int64 row = top; row < bottom; row++) foreach (col = 0 ... (uniform int64)n) c[row * n + col] = 0;
    for (uniform int64 deep = 0; deep < n; deep += 256)
        for (uniform int64 col = 0; col < n; col += 2 * programCount)
            for (uniform int64 row = top; row < bottom; row += 4) {
                float sums[4][2];
                for (uniform int r = 0; r < 4; r++)
                    for (uniform int v = 0; v < 2; v++)
                        sums[r][v] = c[(row + r) * n + col + v * programCount + programIndex];
                for (uniform int64 k = deep; k < deep + 256; k++) {
                    float near = b[k * n + col + programIndex], far = b[k * n + col + programCount + programIndex];
                    for (uniform int r = 0; r < 4; r++) {
                        sums[r][0] += a[(row + r) * n + k] * near;
                        sums[r][1] += a[(row + r) * n + k] * far;
                    }
                }
                for (uniform int r = 0; r < 4; r++)
                    for (uniform int v = 0; v < 2; v++)
                        c[(row + r) * n + col + v * programCount + programIndex] = sums[r][v];
            }
}

static inline float norm_cdf(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * abs(d));
    float p = 1.330274429f * k - 1.821255978f;
    p = k * (k * (k * (k * p + 1.781477937f) - 0.356563782f) + 0.31938153f);
    float tail = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - tail : tail;
}

export void black_scholes(void *uniform arrays[], const uniform float scalars[], uniform uint64 n, uniform uint64 part, uniform uint64 parts) {
    const uniform float *uniform prices = (const uniform float *uniform)arrays[0];
    const uniform float *uniform strikes = (const uniform float *uniform)arrays[1], *uniform times = (const uniform float *uniform)arrays[2];
    uniform float *uniform calls = (uniform float *uniform)arrays[3], *uniform puts = (uniform float *uniform)arrays[4];
    const uniform float rate = scalars[0], volatility = scalars[1];
    uniform int64 end = n * (part + 1) / parts;
    foreach (i = n * part / parts ... end) {
        float price = prices[i], strike = strikes[i], years = times[i];
        float deviation = volatility * sqrt(years);
        float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / deviation;
        float of_price = norm_cdf(d1), of_strike = norm_cdf(d1 - deviation);
        float discounted = strike * exp(-rate * years);
        calls[i] = price * of_price - discounted * of_strike;
        puts[i] = discounted * (1.0f - of_strike) - price * (1.0f - of_price);
    }
}

/* The pull of all bodies on a vector of them. */
export void bodies(void *uniform arrays[], const uniform float scalars[], uniform uint64 n, uniform uint64 part, uniform uint64 parts) {
    const uniform Body *uniform old = (const uniform Body *uniform)arrays[0];
    uniform Body *uniform moved = (uniform Body *uniform)arrays[1];
    uniform float *uniform velocities = (uniform float *uniform)arrays[2];
    const uniform float time = scalars[0], softening = scalars[1];
    uniform int64 end = n * (part + 1) / parts;
    foreach (i = n * part / parts ... end) {
        Body own = old[i];
        float x = 0, y = 0, z = 0;
        for (uniform int64 other = 0; other < n; other++) {
            float dx = old[other].x - own.x, dy = old[other].y - own.y, dz = old[other].z - own.z;
            float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            float pull = old[other].mass * inverse * (inverse * inverse);
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        x = velocities[3 * i] + time * x;
        y = velocities[3 * i + 1] + time * y;
        z = velocities[3 * i + 2] + time * z;
        velocities[3 * i] = x;
        velocities[3 * i + 1] = y;
        velocities[3 * i + 2] = z;
        own.x += time * x;
        own.y += time * y;
        own.z += time * z;
        moved[i] = own;
    }
}

/* Rows in turns, as those in the middle take longer. */
export void mandelbrot(void *uniform arrays[], const uniform float scalars[], uniform uint64 n, uniform uint64 part, uniform uint64 parts) {
    uniform uint32 *uniform steps = (uniform uint32 *uniform)arrays[0];
    const uniform float left = scalars[0], top = scalars[1], step = scalars[2];
    const uniform int most = (uniform int)scalars[3];
    for (uniform int64 row = part; row < n; row += parts) {
        const uniform float c_im = top - (uniform float)row * step;
        foreach (col = 0 ... (uniform int64)n) {
            float c_re = (float)col * step + left, re = 0, im = 0;
            int count = 0;
            while (count < most && re * re + im * im <= 4.0f) {
                float next = re * re - im * im + c_re;
                im = 2.0f * re * im + c_im;
                re = next;
                count++;
            }
            steps[row * n + col] = count;
        }
    }
}

export void stencil(void *uniform arrays[], const uniform float scalars[], uniform uint64 n, uniform uint64 part, uniform uint64 parts) {
    const uniform float *uniform old = (const uniform float *uniform)arrays[0];
    uniform float *uniform mean = (uniform float *uniform)arrays[1];
    for (uniform int64 row = n * part / parts; row < n * (part + 1) / parts; row++) {
        const uniform float *uniform here = old + row * n;
        uniform float *uniform out = mean + row * n;
        if (row == 0 || row == n - 1) {
            foreach (col = 0 ... (uniform int64)n) out[col] = here[col];
            continue;
        }
        out[0] = here[0];
        foreach (col = 1 ... (uniform int64)n - 1)
            out[col] = 0.25f * ((here[col - (uniform int64)n] + here[col + (uniform int64)n]) + (here[col - 1] + here[col + 1]));
        out[n - 1] = here[n - 1];
    }
}
