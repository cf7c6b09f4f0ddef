// CUB's algorithms as a library, each call timed by events: the peer of the bench `primitives_gpu`.
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

using std::size_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int BINS = 256;

struct Less {
    __host__ __device__ bool operator()(u32 a, u32 b) const { return a < b; }
};

// Chris Wellons's lowbias32, as in the bench.
static u32 hashed(u32 x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

struct Race {
    std::function<cudaError_t(void *, size_t &)> call;
    std::function<cudaError_t()> before = [] { return cudaSuccess; };
    std::vector<void *> memory;
    void *temporary = nullptr;
    size_t bytes = 0;
    cudaEvent_t start = nullptr, end = nullptr;
    cudaError_t error = cudaSuccess;

    ~Race() {
        for (void *part : memory) cudaFree(part);
        if (start) cudaEventDestroy(start);
        if (end) cudaEventDestroy(end);
    }

    void note(cudaError_t found) {
        if (!error) error = found;
    }

    template <class T> T *room(size_t n) {
        void *part = nullptr;
        note(cudaMalloc(&part, n * sizeof(T)));
        memory.push_back(part);
        return static_cast<T *>(part);
    }

    template <class T, class Of> T *filled(size_t n, Of of) {
        std::vector<T> host(n);
        for (size_t i = 0; i < n; ++i) host[i] = of(u32(i));
        T *part = room<T>(n);
        if (!error) note(cudaMemcpy(part, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
        return part;
    }
};

static bool set(Race &race, const std::string &name, size_t len) {
    int n = int(len);
    auto bit = [](u32 i) { return hashed(i) >> 31; };
    if (name == "reduce u32") {
        u32 *x = race.filled<u32>(len, hashed), *y = race.room<u32>(1);
        race.call = [=](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, x, y, n); };
    } else if (name == "scan u32") {
        u32 *x = race.filled<u32>(len, hashed), *y = race.room<u32>(len);
        race.call = [=](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, x, y, n); };
    } else if (name == "select u32") {
        u32 *x = race.filled<u32>(len, hashed), *y = race.room<u32>(len);
        auto *flags = race.filled<unsigned char>(len, bit);
        u64 *count = race.room<u64>(1);
        race.call = [=](void *t, size_t &b) { return cub::DeviceSelect::Flagged(t, b, x, flags, y, count, n); };
    } else if (name == "unique u32") {
        u32 *x = race.filled<u32>(len, bit), *y = race.room<u32>(len);
        u64 *count = race.room<u64>(1);
        race.call = [=](void *t, size_t &b) { return cub::DeviceSelect::Unique(t, b, x, y, count, n); };
    } else if (name == "run lengths u32") {
        u32 *x = race.filled<u32>(len, bit), *y = race.room<u32>(len), *z = race.room<u32>(len);
        u64 *count = race.room<u64>(1);
        race.call = [=](void *t, size_t &b) { return cub::DeviceRunLengthEncode::Encode(t, b, x, y, z, count, n); };
    } else if (name == "histogram f32") {
        float *x = race.filled<float>(len, [](u32 i) { return float(hashed(i) >> 8) / (1 << 24); });
        u32 *counts = race.room<u32>(BINS);
        race.call = [=](void *t, size_t &b) {
            return cub::DeviceHistogram::HistogramEven(t, b, x, counts, BINS + 1, 0.0f, 1.0f, n);
        };
    } else if (name == "sort u32") {
        u32 *x = race.filled<u32>(len, hashed), *y = race.room<u32>(len);
        race.call = [=](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, x, y, n); };
    } else if (name == "sort u64") {
        u64 *x = race.filled<u64>(len, [](u32 i) { return u64(hashed(i)) << 32 | hashed(~i); });
        u64 *y = race.room<u64>(len);
        race.call = [=](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, x, y, n); };
    } else if (name == "sort pairs") {
        u32 *x = race.filled<u32>(len, hashed), *y = race.room<u32>(len);
        u32 *v = race.filled<u32>(len, [](u32 i) { return i; }), *w = race.room<u32>(len);
        race.call = [=](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, x, y, v, w, n); };
    } else if (name == "merge sort u32") {
        u32 *x = race.filled<u32>(len, hashed), *y = race.room<u32>(len);
        race.before = [=] { return cudaMemcpyAsync(y, x, len * sizeof(u32), cudaMemcpyDeviceToDevice); };
        race.call = [=](void *t, size_t &b) { return cub::DeviceMergeSort::StableSortKeys(t, b, y, n, Less()); };
    } else {
        return false;
    }
    return true;
}

extern "C" Race *cub_new(const char *name, size_t len) {
    Race *race = new Race;
    if (set(*race, name, len) && !race->error) {
        race->note(race->call(nullptr, race->bytes));
        race->temporary = race->room<char>(race->bytes);
        race->note(cudaEventCreate(&race->start));
        race->note(cudaEventCreate(&race->end));
        if (!race->error) return race;
    }
    delete race;
    return nullptr;
}

extern "C" double cub_time(Race *race) {
    float milliseconds = -1;
    race->note(race->before());
    race->note(cudaEventRecord(race->start));
    race->note(race->call(race->temporary, race->bytes));
    race->note(cudaEventRecord(race->end));
    race->note(cudaEventSynchronize(race->end));
    race->note(cudaEventElapsedTime(&milliseconds, race->start, race->end));
    return race->error ? -1 : double(milliseconds) * 1e6;
}

extern "C" void cub_free(Race *race) { delete race; }
