// Thrust, on the back end that the compiler is told.

#include "values.h"

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#include <omp.h>
extern "C" void peer_threads(int threads) { omp_set_num_threads(threads); }
#else
#include <memory>
#include <tbb/global_control.h>
static std::unique_ptr<tbb::global_control> control;
extern "C" void peer_threads(int threads) {
    control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads);
}
#endif

#define SORT(name, T)                                                                                                  \
    PEER(sort_##name) {                                                                                                \
        ARRAYS(T);                                                                                                     \
        thrust::sort(thrust::device, y, y + n);                                                                        \
        return n;                                                                                                      \
    }
NUMBERS(SORT)

// Keys, and the values behind them.
PEER(sort_pair) {
    (void)x_, (void)parameter_;
    auto keys = static_cast<std::uint32_t *>(y_);
    thrust::stable_sort_by_key(thrust::device, keys, keys + n, keys + n);
    return n;
}

// The dense histogram of Thrust's samples.
#define HISTOGRAM(name, T)                                                                                             \
    PEER(histogram_##name) {                                                                                           \
        ARRAYS(T);                                                                                                     \
        auto bins = *static_cast<const Bins<T> *>(parameter_);                                                         \
        thrust::copy(thrust::device, x, x + n, y);                                                                     \
        thrust::sort(thrust::device, y, y + n);                                                                        \
        auto width = (bins.upper - bins.lower) / static_cast<T>(bins.len);                                             \
        auto edge = [=](std::size_t bin) { return static_cast<T>(bins.lower + static_cast<T>(bin + 1) * width); };     \
        auto edges = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0), edge);                 \
        thrust::lower_bound(thrust::device, y, y + n, edges, edges + bins.len, bins.counts);                           \
        auto before = thrust::lower_bound(thrust::device, y, y + n, bins.lower) - y;                                   \
        thrust::adjacent_difference(thrust::device, bins.counts, bins.counts + bins.len, bins.counts);                 \
        bins.counts[0] -= static_cast<std::uint32_t>(before);                                                          \
        return 0;                                                                                                      \
    }
NUMBERS(HISTOGRAM)

#define OTHERS(name, T)                                                                                                \
    PEER(reduce_##name) {                                                                                              \
        ARRAYS(T);                                                                                                     \
        *y = thrust::reduce(thrust::device, x, x + n, T{}, thrust::plus<T>());                                         \
        return 1;                                                                                                      \
    }                                                                                                                  \
    PEER(scan_##name) {                                                                                                \
        ARRAYS(T);                                                                                                     \
        return thrust::inclusive_scan(thrust::device, x, x + n, y, thrust::plus<T>()) - y;                             \
    }                                                                                                                  \
    PEER(select_##name) {                                                                                              \
        ARRAYS(T);                                                                                                     \
        return thrust::copy_if(thrust::device, x, x + n, y, Below<T>{*static_cast<const T *>(parameter_)}) - y;        \
    }                                                                                                                  \
    PEER(unique_##name) {                                                                                              \
        ARRAYS(T);                                                                                                     \
        return thrust::unique_copy(thrust::device, x, x + n, y) - y;                                                   \
    }
VALUES(OTHERS)
