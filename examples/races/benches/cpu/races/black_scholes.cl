/* The example's kernel: the same formula and polynomial. */

static float norm_cdf(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float p = 1.330274429f * k - 1.821255978f;
    p = k * (k * (k * (k * p + 1.781477937f) - 0.356563782f) + 0.31938153f);
    float tail = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *restrict prices, global const float *restrict strikes,
                          global const float *restrict times, float rate, float volatility,
                          global float *restrict calls, global float *restrict puts) {
    size_t i = get_global_id(0);
    float price = prices[i], strike = strikes[i], years = times[i];
    float deviation = volatility * sqrt(years);
    float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / deviation;
    float of_price = norm_cdf(d1), of_strike = norm_cdf(d1 - deviation);
    float discounted = strike * exp(-rate * years);
    calls[i] = price * of_price - discounted * of_strike;
    puts[i] = discounted * (1.0f - of_strike) - price * (1.0f - of_price);
}
