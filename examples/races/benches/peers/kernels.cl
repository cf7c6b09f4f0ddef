/* The peers in OpenCL. Each kernel takes the row's arrays, its scalars, the size (of vectors the length, of matrices that of a side), the number of
   parts where work-items take parts, and memory for what parts leave. INDEX is the type of indices; size_t can't be that of a parameter. */

#define REST const uint size, const uint parts, global uint *restrict scratch
#define n ((INDEX)size)

kernel void nothing(REST) {}

kernel void saxpy(global const float *restrict x, global float *restrict y, const float a, REST) {
    const INDEX i = get_global_id(0);
    y[i] = fma(a, x[i], y[i]);
}

kernel void matrix_mul_naive(global const float *restrict a, global const float *restrict b,
                             global float *restrict c, REST) {
    const INDEX col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (INDEX k = 0; k < n; k++) sum = fma(a[row * n + k], b[k * n + col], sum);
    c[row * n + col] = sum;
}

kernel void matrix_mul_tiled(global const float *restrict a, global const float *restrict b,
                             global float *restrict c, REST) {
    local float ta[16][16], tb[16][16];
    const INDEX col = get_global_id(0), row = get_global_id(1), x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (INDEX k = 0; k < n; k += 16) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (INDEX l = 0; l < 16; l++) sum = fma(ta[y][l], tb[l][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}

/* Each work-item has four rows of sixteen columns, as explicit vectors. */
kernel void matrix_mul_patches(global const float *restrict a, global const float *restrict b,
                               global float *restrict c, REST) {
    const INDEX col = get_global_id(0) * 16, row = get_global_id(1) * 4;
    float16 sums[4] = {0, 0, 0, 0};
    for (INDEX k = 0; k < n; k++) {
        const float16 of_b = vload16(0, b + k * n + col);
        for (int r = 0; r < 4; r++) sums[r] = fma((float16)(a[(row + r) * n + k]), of_b, sums[r]);
    }
    for (int r = 0; r < 4; r++) vstore16(sums[r], 0, c + (row + r) * n + col);
}

/* Where a part begins, in sixteens. */
#define PART(part) ((INDEX)((ulong)(n / 16) * (part) / parts) * 16)

kernel void sum_parts(global const float *restrict x, global float *restrict total, REST) {
    const INDEX first = PART(get_global_id(0)), end = PART(get_global_id(0) + 1);
    float16 sum = 0;
    for (INDEX i = first; i < end; i += 16) sum += vload16(0, x + i);
    const float8 eight = sum.lo + sum.hi;
    const float4 four = eight.lo + eight.hi;
    scratch[get_global_id(0)] = as_uint(four.x + four.y + four.z + four.w);
}

kernel void sum_parts_wide(global const float *restrict x, global float *restrict total, REST) {
    const INDEX first = PART(get_global_id(0)), end = PART(get_global_id(0) + 1);
    float16 sums[4] = {0, 0, 0, 0};
    INDEX i = first;
    for (; i + 64 <= end; i += 64)
        for (int s = 0; s < 4; s++) sums[s] += vload16(0, x + i + s * 16);
    for (; i < end; i += 16) sums[0] += vload16(0, x + i);
    const float16 sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    const float8 eight = sum.lo + sum.hi;
    const float4 four = eight.lo + eight.hi;
    scratch[get_global_id(0)] = as_uint(four.x + four.y + four.z + four.w);
}

kernel void sum_sums(global const float *restrict x, global float *restrict total, REST) {
    float sum = 0;
    for (uint part = 0; part < parts; part++) sum += as_float(scratch[part]);
    for (INDEX i = n / 16 * 16; i < n; i++) sum += x[i];
    *total = sum;
}

static float norm_cdf(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float p = 1.330274429f * k - 1.821255978f;
    p = k * (k * (k * (k * p + 1.781477937f) - 0.356563782f) + 0.31938153f);
    float tail = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *restrict prices, global const float *restrict strikes,
                          global const float *restrict times, global float *restrict calls,
                          global float *restrict puts, const float rate, const float volatility, REST) {
    const INDEX i = get_global_id(0);
    float price = prices[i], strike = strikes[i], years = times[i];
    float deviation = volatility * sqrt(years);
    float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / deviation;
    float of_price = norm_cdf(d1), of_strike = norm_cdf(d1 - deviation);
    float discounted = strike * exp(-rate * years);
    calls[i] = price * of_price - discounted * of_strike;
    puts[i] = discounted * (1.0f - of_strike) - price * (1.0f - of_price);
}

static float3 pull(float4 other, float4 body, float softening) {
    const float3 d = other.xyz - body.xyz;
    const float square = d.x * d.x + d.y * d.y + d.z * d.z + softening;
    return d * (other.w / (square * sqrt(square)));
}

static void move(float3 sum, float4 body, INDEX i, global float4 *restrict new,
                 global float *restrict velocities, float time) {
    const float3 velocity = vload3(i, velocities) + time * sum;
    vstore3(velocity, i, velocities);
    new[i] = (float4)(body.xyz + time * velocity, body.w);
}

kernel void bodies(global const float4 *restrict old, global float4 *restrict new,
                   global float *restrict velocities, const float time, const float softening, REST) {
    const INDEX i = get_global_id(0);
    const float4 body = old[i];
    float3 sum = 0;
    for (INDEX other = 0; other < n; other++) sum += pull(old[other], body, softening);
    move(sum, body, i, new, velocities, time);
}

kernel void bodies_tiled(global const float4 *restrict old, global float4 *restrict new,
                         global float *restrict velocities, const float time, const float softening, REST) {
    local float4 tile[64];
    const INDEX i = get_global_id(0), l = get_local_id(0);
    const float4 body = old[i];
    float3 sum = 0;
    for (INDEX first = 0; first < n; first += 64) {
        tile[l] = old[first + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (INDEX other = 0; other < 64; other++) sum += pull(tile[other], body, softening);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    move(sum, body, i, new, velocities, time);
}

kernel void mandelbrot(global uint *restrict steps, const float left, const float top, const float step,
                       const float most, REST) {
    const INDEX col = get_global_id(0), row = get_global_id(1);
    const float c_re = (float)(int)col * step + left, c_im = top - (float)(int)row * step;
    const uint last = (uint)most;
    float re = 0, im = 0;
    uint count = 0;
    while (count < last) {
        const float re2 = re * re, im2 = im * im;
        if (re2 + im2 > 4.0f) break;
        im = 2.0f * re * im + c_im;
        re = re2 - im2 + c_re;
        count++;
    }
    steps[row * n + col] = count;
}

kernel void transpose(global const float *restrict input, global float *restrict output, REST) {
    const INDEX col = get_global_id(0), row = get_global_id(1);
    output[row * n + col] = input[col * n + row];
}

kernel void transpose_tiled(global const float *restrict input, global float *restrict output, REST) {
    local float tile[16][17];
    const INDEX x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * 16, top = get_group_id(1) * 16;
    tile[y][x] = input[(left + y) * n + top + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    output[(top + y) * n + left + x] = tile[x][y];
}

/* Bins of its own for each part, four of each, as a bin that was just written is read late. */
kernel void histogram_parts(global const uchar *restrict data, global uint *restrict counts, REST) {
    uint bins[4][256];
    for (int bin = 0; bin < 256; bin++) bins[0][bin] = bins[1][bin] = bins[2][bin] = bins[3][bin] = 0;
    const INDEX first = PART(get_global_id(0));
    const INDEX end = get_global_id(0) + 1 == parts ? n : PART(get_global_id(0) + 1);
    INDEX i = first;
    for (; i + 4 <= end; i += 4) {
        const uchar4 four = vload4(0, data + i);
        bins[0][four.x]++;
        bins[1][four.y]++;
        bins[2][four.z]++;
        bins[3][four.w]++;
    }
    for (; i < end; i++) bins[0][data[i]]++;
    for (int bin = 0; bin < 256; bin++)
        scratch[get_global_id(0) * 256 + bin] = bins[0][bin] + bins[1][bin] + bins[2][bin] + bins[3][bin];
}

kernel void histogram_sums(global const uchar *restrict data, global uint *restrict counts, REST) {
    uint sum = 0;
    for (uint part = 0; part < parts; part++) sum += scratch[part * 256 + get_global_id(0)];
    counts[get_global_id(0)] = sum;
}

kernel void stencil(global const float *restrict old, global float *restrict new, REST) {
    const INDEX col = get_global_id(0), row = get_global_id(1), i = row * n + col;
    const bool is_inside = col > 0 && row > 0 && col + 1 < n && row + 1 < n;
    new[i] = is_inside ? 0.25f * ((old[i - n] + old[i + n]) + (old[i - 1] + old[i + 1])) : old[i];
}

kernel void scan_sums(global const uint *restrict x, global uint *restrict y, REST) {
    const INDEX first = PART(get_global_id(0)), end = PART(get_global_id(0) + 1);
    uint16 sum = 0;
    for (INDEX i = first; i < end; i += 16) sum += vload16(0, x + i);
    const uint8 eight = sum.lo + sum.hi;
    const uint4 four = eight.lo + eight.hi;
    scratch[get_global_id(0)] = four.x + four.y + four.z + four.w;
}

kernel void scan_starts(global const uint *restrict x, global uint *restrict y, REST) {
    uint sum = 0;
    for (uint part = 0; part < parts; part++) {
        const uint with_part = sum + scratch[part];
        scratch[part] = sum;
        sum = with_part;
    }
}

kernel void scan_parts(global const uint *restrict x, global uint *restrict y, REST) {
    const INDEX end = get_global_id(0) + 1 == parts ? n : PART(get_global_id(0) + 1);
    uint sum = scratch[get_global_id(0)];
    for (INDEX i = PART(get_global_id(0)); i < end; i++) {
        y[i] = sum;
        sum += x[i];
    }
}
