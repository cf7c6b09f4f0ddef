// The parallel algorithms of C++17, which GCC's library has on TBB.

#include "values.h"

#include <algorithm>
#include <execution>
#include <memory>
#include <numeric>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>

static std::unique_ptr<tbb::global_control> control;
extern "C" void peer_threads(int threads) {
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads);
}

static constexpr auto &policy = std::execution::par_unseq;

#define SORT(name, T)                                                                                                  \
    PEER(sort_##name) {                                                                                                \
        ARRAYS(T);                                                                                                     \
        std::sort(policy, y, y + n);                                                                                   \
        return n;                                                                                                      \
    }
NUMBERS(SORT)

PEER(sort_pair) {
    ARRAYS(Pair);
    std::stable_sort(policy, y, y + n);
    return n;
}

// C++17 has no histogram: TBB's own reduction counts into bins of each task.
#define HISTOGRAM(name, T)                                                                                             \
    PEER(histogram_##name) {                                                                                           \
        ARRAYS(T);                                                                                                     \
        auto bins = *static_cast<const Bins<T> *>(parameter_);                                                         \
        auto width = (bins.upper - bins.lower) / static_cast<T>(bins.len);                                             \
        using Counts = std::vector<std::uint32_t>;                                                                     \
        auto count = [=](const tbb::blocked_range<std::size_t> &range, Counts counts) {                                \
            for (auto i = range.begin(); i != range.end(); ++i)                                                        \
                if (x[i] >= bins.lower && x[i] < bins.upper)                                                           \
                    ++counts[static_cast<std::size_t>((x[i] - bins.lower) / width)];                                   \
            return counts;                                                                                             \
        };                                                                                                             \
        auto both = [](Counts a, const Counts &b) {                                                                    \
            std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());                                   \
            return a;                                                                                                  \
        };                                                                                                             \
        tbb::blocked_range<std::size_t> all(0, n, 1 << 14);                                                            \
        auto counts = tbb::parallel_reduce(all, Counts(bins.len), count, both);                                        \
        std::copy(counts.begin(), counts.end(), bins.counts);                                                          \
        return 0;                                                                                                      \
    }
NUMBERS(HISTOGRAM)

#define OTHERS(name, T)                                                                                                \
    PEER(reduce_##name) {                                                                                              \
        ARRAYS(T);                                                                                                     \
        *y = std::reduce(policy, x, x + n, T{}, std::plus<>());                                                        \
        return 1;                                                                                                      \
    }                                                                                                                  \
    PEER(scan_##name) {                                                                                                \
        ARRAYS(T);                                                                                                     \
        return std::inclusive_scan(policy, x, x + n, y, std::plus<>()) - y;                                            \
    }                                                                                                                  \
    PEER(select_##name) {                                                                                              \
        ARRAYS(T);                                                                                                     \
        return std::copy_if(policy, x, x + n, y, Below<T>{*static_cast<const T *>(parameter_)}) - y;                   \
    }                                                                                                                  \
    PEER(unique_##name) {                                                                                              \
        ARRAYS(T);                                                                                                     \
        return std::unique_copy(policy, x, x + n, y) - y;                                                              \
    }
VALUES(OTHERS)
