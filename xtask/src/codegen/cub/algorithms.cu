// CUB's algorithms on 32-bit integers, and whether their results are right.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

using std::size_t;
using u32 = std::uint32_t;

struct IsEven {
    __host__ __device__ bool operator()(u32 x) const { return x % 2 == 0; }
};

static u32 *device(size_t n, const u32 *from = nullptr) {
    void *memory;
    cudaMalloc(&memory, std::max<size_t>(n, 1) * 4);
    if (from) std::memcpy(memory, from, n * 4);
    return static_cast<u32 *>(memory);
}

// Asks for temporary memory, and runs.
template <class Call> static void run(Call call) {
    size_t bytes = 0;
    call(nullptr, bytes);
    u32 *temporary = device((bytes + 3) / 4);
    cudaError_t error = call(temporary, bytes);
    if (error) std::printf("error %d\n", int(error)), std::exit(1);
}

int main(int, char **arguments) {
    std::string name = arguments[1];
    int n = std::atoi(arguments[2]);
    std::vector<u32> host(n), right, values(n);
    u32 state = 1;
    for (auto &x : host) state = state * 1664525u + 1013904223u, x = (state >> 8) * 2654435761u;
    std::iota(values.begin(), values.end(), 0);
    if (name == "unique") for (auto &x : host) x = x >> 31;
    u32 *x = device(n, host.data()), *y = device(n), *count = device(1), *v = device(n, values.data()), *w = device(n);
    const u32 *found = y;
    if (name == "reduce") {
        right = {std::accumulate(host.begin(), host.end(), 0u)};
        run([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, x, y, n); });
    } else if (name == "scan") {
        right.resize(n);
        std::partial_sum(host.begin(), host.end(), right.begin());
        run([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, x, y, n); });
    } else if (name == "select") {
        std::copy_if(host.begin(), host.end(), std::back_inserter(right), IsEven());
        run([&](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, x, y, count, n, IsEven()); });
    } else if (name == "unique") {
        std::unique_copy(host.begin(), host.end(), std::back_inserter(right));
        run([&](void *t, size_t &b) { return cub::DeviceSelect::Unique(t, b, x, y, count, n); });
    } else if (name == "histogram") {
        for (auto &h : host) h %= 65536;
        std::memcpy(x, host.data(), n * 4);
        right.assign(256, 0);
        for (auto h : host) right[h / 256]++;
        run([&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, x, y, 257, 0u, 65536u, n); });
    } else if (name == "sort") {
        right = host;
        std::sort(right.begin(), right.end());
        run([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, x, y, n); });
    } else if (name == "sort_pairs") {
        std::stable_sort(values.begin(), values.end(), [&](u32 a, u32 b) { return host[a] < host[b]; });
        right = values;
        found = w;
        run([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, x, y, v, w, n); });
    } else {
        return 1;
    }
    bool is_right = std::equal(right.begin(), right.end(), found);
    if (name == "select" || name == "unique") is_right = is_right && *count == right.size();
    std::printf("%s of %d: %s\n", name.c_str(), n, is_right ? "right" : "WRONG");
    return !is_right;
}
