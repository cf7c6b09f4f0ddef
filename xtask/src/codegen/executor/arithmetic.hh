// Arithmetic of machine instructions.
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

inline float as_float(uint32_t bits) { float f; memcpy(&f, &bits, 4); return f; }
inline uint32_t as_bits(float f) { uint32_t bits; memcpy(&bits, &f, 4); return bits; }
inline void set_bit(uint32_t &mask, int lane, uint32_t value) { mask = (mask & ~(1u << lane)) | (value ? 1u : 0u) << lane; }

inline uint32_t absolute(uint32_t x) { return (int32_t)x < 0 ? 0u - x : x; }

template <int TABLE> inline uint32_t logic3(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result = 0;
    for (int i = 0; i < 8; i++)
        if (TABLE >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}

inline uint32_t shift_left(uint32_t a, uint32_t count) { return count >= 32 ? 0 : a << count; }
inline uint32_t shift_right(uint32_t a, uint32_t count) { return count >= 32 ? 0 : a >> count; }
inline uint32_t shift_right_signed(uint32_t a, uint32_t count) { return (uint32_t)((int32_t)a >> (count >= 32 ? 31 : count)); }
inline uint64_t wide(uint32_t low, uint32_t high) { return low | (uint64_t)high << 32; }
inline uint64_t shift_left64(uint32_t low, uint32_t high, uint32_t count) { return count >= 64 ? 0 : wide(low, high) << count; }
inline uint64_t shift_right64(uint32_t low, uint32_t high, uint32_t count) { return count >= 64 ? 0 : wide(low, high) >> count; }
inline uint64_t shift_right64_signed(uint32_t low, uint32_t high, uint32_t count) {
    return (uint64_t)((int64_t)wide(low, high) >> (count >= 64 ? 63 : count));
}

inline uint32_t permute(uint32_t a, uint32_t selector, uint32_t b) {
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        int which = selector >> 4 * i & 15;
        uint32_t byte = wide(a, b) >> 8 * (which & 7) & 255;
        if (which & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

inline uint32_t reversed(uint32_t x) {
    uint32_t result = 0;
    for (int i = 0; i < 32; i++) result |= (x >> i & 1) << (31 - i);
    return result;
}

// Compilers must not move operations across a change of the rounding.
__attribute__((noinline)) static float rounded_fma(float a, float b, float c, int rounding) {
    fesetround(rounding);
    volatile float x = a, y = b, z = c;
    volatile float result = fmaf(x, y, z);
    fesetround(FE_TONEAREST);
    return result;
}

template <class T> __attribute__((noinline)) float rounded_float(T value, int rounding) {
    fesetround(rounding);
    volatile T x = value;
    volatile float result = (float)x;
    fesetround(FE_TONEAREST);
    return result;
}

inline float saturated(float f) { return f != f || f < 0 ? 0 : f > 1 ? 1 : f; }
inline float flushed(float f) { return fabsf(f) < 1.17549435e-38f ? copysignf(0, f) : f; }

inline uint32_t to_unsigned(float f, uint32_t limit) { return f != f || f <= 0 ? 0 : f >= (float)limit ? limit : (uint32_t)f; }
inline uint32_t to_signed(float f) {
    return f != f ? 0 : f >= 2147483648.f ? 0x7fffffff : f <= -2147483648.f ? 0x80000000 : (uint32_t)(int32_t)f;
}
inline uint64_t to_unsigned64(float f) { return f != f || f <= 0 ? 0 : f >= 18446744073709551616.f ? ~0ull : (uint64_t)f; }

// The hardware's are approximate; these are the nearest.
inline float special_rcp(float x) { return (float)(1 / (double)x); }
inline float special_rsq(float x) { return (float)(1 / sqrt((double)x)); }
inline float special_sqrt(float x) { return (float)sqrt((double)x); }
inline float special_ex2(float x) { return (float)exp2((double)x); }
inline float special_lg2(float x) { return (float)log2((double)x); }
inline float special_sin(float x) { return (float)sin(2 * M_PI * (double)x); }
inline float special_cos(float x) { return (float)cos(2 * M_PI * (double)x); }

// Whether a quotient needs more than a reciprocal and steps of Newton's.
inline bool needs_slow_division(float a, float b) {
    int of_a = as_bits(a) >> 23 & 255, of_b = as_bits(b) >> 23 & 255, difference = of_a - of_b;
    return !(of_a > 24 && of_a < 255 && of_b > 0 && of_b < 253 && difference < 126 && difference > -126);
}

// The lane that a shuffle reads: by number, from below, from above or by exclusive or.
template <int MODE> inline int shuffle_source(int lane, uint32_t operand, uint32_t limits, bool &ok) {
    int by = operand & 31, segment = limits >> 8 & 31, last = (lane & segment) | (limits & 31 & ~segment), from;
    if (MODE == 0) from = (lane & segment) | (by & ~segment);
    if (MODE == 1) from = lane - by;
    if (MODE == 2) from = lane + by;
    if (MODE == 3) from = lane ^ by;
    ok = MODE == 1 ? from >= last : from <= last;
    return ok ? from & 31 : lane;
}

// D = A·B + C of 16 by 8 by 16 in f16 and f32, by the layout that PTX documents for `mma`. No rows: zeros.
void multiply_16x8x16(uint32_t (*d)[32], uint32_t (*a)[32], uint32_t (*b)[32], uint32_t (*c)[32]);
