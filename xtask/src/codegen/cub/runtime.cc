// CUDA's runtime, as much as CUB calls, for a GPU that is the executor: each launch is written down and executed by the program of the
// variable EXECUTE before the call returns. SCRATCH is a folder in which `kernels.txt` describes the kernels.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include <sys/mman.h>
using namespace std;

struct Size { unsigned x, y, z; };
struct Parameter { size_t bytes, alignment; };
struct Kernel { int registers; size_t shared; vector<Parameter> parameters; };
struct Buffer { char *at; size_t bytes; };
// As `cudaFuncAttributes` and `cudaLaunchConfig_t` begin.
struct Attributes { size_t shared, constant, local; int threads, registers, ptx, binary; };
struct Configuration { Size grid, block; size_t shared; void *stream; };

// An A100: multiprocessors, and what each has.
const int MULTIPROCESSORS = 108, THREADS = 2048, REGISTERS = 65536, GROUPS = 32, SHARED = 167936, RESERVED = 1024;
// As on sm_80: where the parameters are in bank 0 of constants, and the windows of shared and local memory, and the stack.
const size_t PARAMETERS = 0x160, SHARED_WINDOW = 0x18, LOCAL_WINDOW = 0x20, STACK = 0x28;
const uint64_t SHARED_ADDRESS = 0x7f0000000000, LOCAL_ADDRESS = 0x7f1000000000;
// Where the memory is, as the host has it and as kernels do.
const uint64_t MEMORY = 0x7e0000000000, MEMORY_BYTES = 1ull << 32;

static vector<Buffer> buffers;

// Kernels are registered before this file's own variables are made.
static map<const void *, string> &names() {
    static map<const void *, string> names;
    return names;
}

static string variable(const char *name) {
    const char *value = getenv(name);
    if (!value) fprintf(stderr, "%s isn't set\n", name), exit(2);
    return value;
}

static map<string, Kernel> read_kernels() {
    map<string, Kernel> kernels;
    ifstream file(variable("SCRATCH") + "/kernels.txt");
    for (string line; getline(file, line);) {
        istringstream words(line);
        string name;
        Kernel kernel;
        words >> name >> kernel.registers >> kernel.shared;
        for (Parameter p; words >> p.bytes >> p.alignment;) kernel.parameters.push_back(p);
        kernels[name] = kernel;
    }
    return kernels;
}

static const Kernel &kernel(const void *function) {
    static const map<string, Kernel> kernels = read_kernels();
    auto found = kernels.find(names()[function]);
    if (found == kernels.end()) fprintf(stderr, "there is no kernel %s\n", names()[function].c_str()), exit(2);
    return found->second;
}

static int launch(const void *function, Size grid, Size block, void **arguments, size_t shared) {
    static int number = 0;
    const Kernel &k = kernel(function);
    string folder = variable("SCRATCH") + "/launch" + to_string(number++);
    if (system(("mkdir " + folder).c_str())) exit(2);
    vector<char> bank(PARAMETERS);
    auto put = [&](size_t place, auto value) { memcpy(&bank[place], &value, sizeof value); };
    put(0, block), put(sizeof block, grid), put(SHARED_WINDOW, SHARED_ADDRESS), put(LOCAL_WINDOW, LOCAL_ADDRESS), put(STACK, uint32_t(1 << 15));
    for (size_t i = 0; i < k.parameters.size(); i++) {
        auto [bytes, alignment] = k.parameters[i];
        bank.resize((bank.size() + alignment - 1) / alignment * alignment);
        auto value = static_cast<const char *>(arguments[i]);
        bank.insert(bank.end(), value, value + bytes);
    }
    ofstream(folder + "/constant0.bin", ios::binary).write(bank.data(), bank.size());
    ofstream lines(folder + "/launch.txt");
    lines << "grid " << grid.x << ' ' << grid.y << ' ' << grid.z << "\nblock " << block.x << ' ' << block.y << ' ' << block.z
          << "\nshared " << k.shared + shared << "\nconstant 0 " << folder << "/constant0.bin\n";
    for (size_t i = 0; i < buffers.size(); i++) {
        string path = folder + "/" + to_string(i);
        ofstream(path + ".bin", ios::binary).write(buffers[i].at, buffers[i].bytes);
        lines << "buffer " << reinterpret_cast<uint64_t>(buffers[i].at) << ' ' << path << ".bin " << path << ".result\n";
    }
    lines.close();
    if (system((variable("EXECUTE") + " " + names()[function] + " " + folder).c_str())) exit(2);
    for (size_t i = 0; i < buffers.size(); i++)
        ifstream(folder + "/" + to_string(i) + ".result", ios::binary).read(buffers[i].at, buffers[i].bytes);
    return system(("rm -r " + folder).c_str());
}

extern "C" {
void **__cudaRegisterFatBinary(void *) {
    static void *handle;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, void *, void *, void *, void *, int *) {
    names()[host] = name;
}

static Configuration pushed;
unsigned __cudaPushCallConfiguration(Size grid, Size block, size_t shared, void *stream) {
    pushed = {grid, block, shared, stream};
    return 0;
}
int __cudaPopCallConfiguration(Size *grid, Size *block, size_t *shared, void **stream) {
    *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared, *stream = pushed.stream;
    return 0;
}
int __cudaGetKernel(const void **kernel, const void *function) {
    *kernel = function;
    return 0;
}
int __cudaLaunchKernel(const void *kernel, Size grid, Size block, void **arguments, size_t shared, void *) {
    return launch(kernel, grid, block, arguments, shared);
}
int cudaLaunchKernelExC(const Configuration *c, const void *function, void **arguments) {
    return launch(function, c->grid, c->block, arguments, c->shared);
}

int cudaGetDevice(int *device) { return *device = 0; }
int cudaSetDevice(int) { return 0; }
int cudaGetDeviceCount(int *count) {
    *count = 1;
    return 0;
}
int cudaDeviceGetAttribute(int *value, int attribute, int) {
    // By the numbers of `cudaDeviceAttr`: a group's threads, a grid's groups, a group's shared memory, a warp, multiprocessors, their
    // threads, the compute capability, their shared memory, and what of it a group can opt into.
    const map<int, int> values = {{1, 1024}, {5, 2147483647}, {8, 49152}, {10, 32}, {16, MULTIPROCESSORS}, {39, THREADS}, {75, 8}, {76, 0},
                                  {81, SHARED}, {97, SHARED - RESERVED}};
    auto found = values.find(attribute);
    *value = found == values.end() ? 0 : found->second;
    return 0;
}
int cudaFuncGetAttributes(Attributes *attributes, const void *function) {
    const Kernel &k = kernel(function);
    *attributes = {k.shared, 0, 0, 1024, k.registers, 80, 80};
    return 0;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, const void *function, int threads, size_t shared, unsigned) {
    const Kernel &k = kernel(function);
    int by_shared = SHARED / int(k.shared + shared + RESERVED);
    *groups = min({THREADS / threads, REGISTERS / (max(k.registers, 16) * threads), by_shared, GROUPS});
    return 0;
}

int cudaMalloc(void **memory, size_t bytes) {
    static char *next = static_cast<char *>(mmap(reinterpret_cast<void *>(MEMORY), MEMORY_BYTES, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0));
    if (next == MAP_FAILED) return 2;
    *memory = next;
    buffers.push_back({next, (bytes + 15) / 16 * 16});
    next += (bytes + 4095) / 4096 * 4096 + 4096;
    return 0;
}
int cudaMemsetAsync(void *memory, int value, size_t bytes, void *) {
    memset(memory, value, bytes);
    return 0;
}
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int, void *) {
    memmove(to, from, bytes);
    return 0;
}
int cudaGetLastError() { return 0; }
int cudaPeekAtLastError() { return 0; }
}
