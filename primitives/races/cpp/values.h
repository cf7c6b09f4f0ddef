// What is raced, for all peers in C++: the functions' one signature, and the types.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define EVERYWHERE __host__ __device__
#else
#define EVERYWHERE
#endif

// A key and a value, side by side.
struct Pair {
    std::uint32_t key;
    std::uint32_t value;

    friend EVERYWHERE Pair operator+(Pair a, Pair b) { return {a.key + b.key, a.value + b.value}; }
    friend EVERYWHERE bool operator==(Pair a, Pair b) { return a.key == b.key && a.value == b.value; }
    // Selections compare keys, and sorts do: equal keys stay in their order.
    friend EVERYWHERE bool operator<(Pair a, Pair b) { return a.key < b.key; }
};

// What a selection keeps.
template <class T>
struct Below {
    T limit;
    EVERYWHERE bool operator()(T x) const { return x < limit; }
};

// Bins of one width, the first of which begins at `lower`.
template <class T>
struct Bins {
    T lower;
    T upper;
    std::uint32_t *counts;
    std::size_t len;
};

// Reads `n` elements of `x`, writes `y`, and says how many elements that has then.
#define PEER(name) extern "C" std::size_t name(const void *x_, void *y_, std::size_t n, const void *parameter_)

#define ARRAYS(T)                                                                                                      \
    const T *x = static_cast<const T *>(x_);                                                                           \
    T *y = static_cast<T *>(y_);                                                                                       \
    (void)x, (void)y, (void)parameter_

#define NUMBERS(DO) DO(u32, std::uint32_t) DO(u64, std::uint64_t) DO(f32, float) DO(f64, double)
#define VALUES(DO) NUMBERS(DO) DO(pair, Pair)
