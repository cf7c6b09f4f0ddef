"""Arrays of a CUDA device, by DLPack and by the CUDA array interface, which the driver's own calls read and write here."""

import ctypes

from gridwright_interop import CUDA, FRESH, Array, pointer_of, scale



def loaded():
    """The driver, by the name that kernels' programs try first: of an emulated one each name is a copy of its own."""
    try:
        return ctypes.CDLL("libcuda.so")
    except OSError:
        return ctypes.CDLL("libcuda.so.1")


driver = loaded()


def call(name, *arguments):
    status = getattr(driver, name)(*arguments)
    assert status == 0, f"{name}: {status}"


# The primary context, as other libraries have it.
device, context = ctypes.c_int(), ctypes.c_void_p()
call("cuInit", 0)
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxSetCurrent", context)

array = Array(100)
assert array.__dlpack_device__() == (CUDA, 0)
interface = array.__cuda_array_interface__
assert interface["shape"] == (100,) and interface["typestr"] == "<f4" and interface["version"] == 3
address = ctypes.c_uint64(interface["data"][0])


def elements():
    call("cuCtxSetCurrent", context)
    to = (ctypes.c_float * 100)()
    call("cuMemcpyDtoH_v2", to, address, ctypes.c_size_t(ctypes.sizeof(to)))
    return list(to)


assert elements() == list(range(100))
scale(array, 3.0)
assert elements() == [3 * number for number in range(100)]
written = (ctypes.c_float * 2)(50.0, 60.0)
call("cuMemcpyHtoD_v2", address, written, ctypes.c_size_t(8))
# Of pageable memory the call may return before the device has it, and kernels run on another stream.
call("cuCtxSynchronize")
scale(array, 0.5)
assert elements()[:3] == [25.0, 30.0, 3.0]


class Elsewhere:
    """The array as a tensor that says it is of another device."""

    def __init__(self, kind, index):
        self.place = kind, index

    def __dlpack__(self, **options):
        capsule = array.__dlpack__(**options)
        tensor = pointer_of(capsule, FRESH)
        # Behind version, context, deleter, flags and the address.
        place = (ctypes.c_int32 * 2).from_address(tensor + 40)
        place[:] = self.place
        return capsule


for place, text in [((1, 0), "the CPU"), ((CUDA, 5), "cuda:5"), ((10, 0), "hip:0"), ((13, 0), "device 13:0")]:
    try:
        scale(Elsewhere(*place), 2.0)
    except ValueError as error:
        assert text in str(error), str(error)
    else:
        raise AssertionError(f"{text} wasn't refused")
assert elements()[:3] == [25.0, 30.0, 3.0]
print("passed")
