"""NVIDIA's own libraries on the driver: NVRTC compiles kernels that run, and the CUDA runtime finds its way to the driver.

    python3 libraries.py OUTCOMES FOLDER NUMBER

FOLDER has libnvrtc.so.NUMBER and libcudart.so.NUMBER.

The tests of the runtime can't pass: before its first call libcudart asks the driver for a keyed hash, by which it makes sure that the driver
is NVIDIA's own, and the emulated driver doesn't pretend to be.
"""

import ctypes
import os
import struct
import sys

from driver import Driver, Outcomes

SAXPY = b"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""

BLOCK_SUM = b"""
extern "C" __global__ void block_sum(const int *x, int *sum, int n) {
    __shared__ int part[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? x[i] : 0;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        int all = 0;
        for (int warp = 0; warp < blockDim.x / 32; warp++) all += part[warp];
        atomicAdd(sum, all);
    }
}
"""


class Nvrtc:
    def __init__(self, folder, number):
        # It loads this one by name.
        ctypes.CDLL(f"{folder}/libnvrtc-builtins.so.{builtins(folder)}", mode=ctypes.RTLD_GLOBAL)
        self.library = ctypes.CDLL(f"{folder}/libnvrtc.so.{number}")

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            raise OSError(f"{name} answers {code}")

    def compile(self, source):
        program = ctypes.c_void_p()
        self.call("nvrtcCreateProgram", ctypes.byref(program), source, b"source.cu", 0, None, None)
        options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_90")
        self.call("nvrtcCompileProgram", program, 1, options)
        size = ctypes.c_size_t()
        self.call("nvrtcGetPTXSize", program, ctypes.byref(size))
        ptx = ctypes.create_string_buffer(size.value)
        self.call("nvrtcGetPTX", program, ptx)
        return ptx.raw


def builtins(folder):
    names = sorted(os.listdir(folder))
    found = [name.rsplit("builtins.so.", 1)[1] for name in names if name.startswith("libnvrtc-builtins.so.")]
    return found[0]


def nvrtc_saxpy(folder, number):
    ptx = Nvrtc(folder, number).compile(SAXPY)
    driver = Driver()
    function = driver.function(driver.load(ptx), "saxpy")
    n = 1000
    x, y = driver.memory(4 * n), driver.memory(4 * n)
    driver.write(x, struct.pack(f"{n}f", *range(n)))
    driver.write(y, struct.pack(f"{n}f", *([1.0] * n)))
    driver.launch(function, 8, 128, ctypes.c_float(2.0), x, y, ctypes.c_int(n))
    found = struct.unpack(f"{n}f", driver.read(y, 4 * n))
    assert found == tuple(2.0 * i + 1.0 for i in range(n)), found[:4]


def nvrtc_block_sum(folder, number):
    ptx = Nvrtc(folder, number).compile(BLOCK_SUM)
    driver = Driver()
    function = driver.function(driver.load(ptx), "block_sum")
    n = 1000
    x, total = driver.memory(4 * n), driver.memory(4)
    driver.write(x, struct.pack(f"{n}i", *range(n)))
    driver.write(total, bytes(4))
    driver.launch(function, 8, 128, x, total, ctypes.c_int(n))
    found = struct.unpack("i", driver.read(total, 4))[0]
    assert found == n * (n - 1) // 2, found


class Runtime:
    def __init__(self, folder, number):
        self.library = ctypes.CDLL(f"{folder}/libcudart.so.{number}")
        self.library.cudaGetErrorName.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            raise OSError(f"{name}: {self.library.cudaGetErrorName(code).decode()}")


def runtime_devices(folder, number):
    runtime = Runtime(folder, number)
    count, version = ctypes.c_int(), ctypes.c_int()
    runtime.call("cudaGetDeviceCount", ctypes.byref(count))
    runtime.call("cudaDriverGetVersion", ctypes.byref(version))
    assert count.value == 1 and version.value >= 12000, (count.value, version.value)
    major = ctypes.c_int()
    runtime.call("cudaDeviceGetAttribute", ctypes.byref(major), 75, 0)
    assert major.value == 9, major.value


def runtime_copies(folder, number):
    runtime = Runtime(folder, number)
    data, back = bytes(range(256)), ctypes.create_string_buffer(256)
    memory = ctypes.c_void_p()
    runtime.call("cudaMalloc", ctypes.byref(memory), ctypes.c_size_t(256))
    runtime.call("cudaMemcpy", memory, data, ctypes.c_size_t(256), 1)
    runtime.call("cudaMemcpy", back, memory, ctypes.c_size_t(256), 2)
    assert back.raw == data
    runtime.call("cudaMemset", memory, 7, ctypes.c_size_t(256))
    runtime.call("cudaMemcpy", back, memory, ctypes.c_size_t(256), 2)
    assert back.raw == bytes([7] * 256)
    runtime.call("cudaFree", memory)


def runtime_streams_and_events(folder, number):
    runtime = Runtime(folder, number)
    stream, event, pinned, memory = (ctypes.c_void_p() for _ in range(4))
    runtime.call("cudaStreamCreate", ctypes.byref(stream))
    runtime.call("cudaEventCreate", ctypes.byref(event))
    runtime.call("cudaMallocHost", ctypes.byref(pinned), ctypes.c_size_t(4096))
    runtime.call("cudaMallocAsync", ctypes.byref(memory), ctypes.c_size_t(4096), stream)
    runtime.call("cudaMemsetAsync", memory, 5, ctypes.c_size_t(4096), stream)
    runtime.call("cudaMemcpyAsync", pinned, memory, ctypes.c_size_t(4096), 2, stream)
    runtime.call("cudaEventRecord", event, stream)
    runtime.call("cudaEventSynchronize", event)
    assert ctypes.string_at(pinned, 4096) == bytes([5] * 4096)
    runtime.call("cudaFreeAsync", memory, stream)
    runtime.call("cudaStreamSynchronize", stream)
    runtime.call("cudaEventDestroy", event)
    runtime.call("cudaStreamDestroy", stream)
    runtime.call("cudaFreeHost", pinned)


def runtime_runs_what_nvrtc_made(folder, number):
    ptx = Nvrtc(folder, number).compile(SAXPY)
    runtime = Runtime(folder, number)
    library, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    runtime.call("cudaLibraryLoadData", ctypes.byref(library), ptx, None, None, 0, None, None, 0)
    runtime.call("cudaLibraryGetKernel", ctypes.byref(kernel), library, b"saxpy")
    n = 256
    x, y = ctypes.c_void_p(), ctypes.c_void_p()
    for memory in (x, y):
        runtime.call("cudaMalloc", ctypes.byref(memory), ctypes.c_size_t(4 * n))
        runtime.call("cudaMemcpy", memory, struct.pack(f"{n}f", *range(n)), ctypes.c_size_t(4 * n), 1)
    arguments = (ctypes.c_float(2.0), x, y, ctypes.c_int(n))
    pointers = (ctypes.c_void_p * 4)(*(ctypes.addressof(argument) for argument in arguments))

    class Three(ctypes.Structure):
        _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]

    runtime.call("cudaLaunchKernel", kernel, Three(2, 1, 1), Three(128, 1, 1), pointers, ctypes.c_size_t(0), None)
    back = ctypes.create_string_buffer(4 * n)
    runtime.call("cudaMemcpy", back, y, ctypes.c_size_t(4 * n), 2)
    assert struct.unpack(f"{n}f", back.raw) == tuple(3.0 * i for i in range(n))


TESTS = (
    nvrtc_saxpy,
    nvrtc_block_sum,
    runtime_devices,
    runtime_copies,
    runtime_streams_and_events,
    runtime_runs_what_nvrtc_made,
)


def main(path, folder, number):
    outcomes = Outcomes(path)
    for test in TESTS:
        outcomes.run(test.__name__, lambda: test(folder, number))
    outcomes.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
