"""Arrays that Python shares with Gridwright's kernels, by ctypes. GRIDWRIGHT_INTEROP names the library."""

import ctypes
import os

library = ctypes.CDLL(os.environ["GRIDWRIGHT_INTEROP"])
for name, result, arguments in [
    ("gridwright_error", ctypes.c_char_p, []),
    ("gridwright_arange", ctypes.c_void_p, [ctypes.c_size_t]),
    ("gridwright_hand_out", ctypes.c_void_p, [ctypes.c_void_p]),
    ("gridwright_address", ctypes.c_void_p, [ctypes.c_void_p]),
    ("gridwright_place", None, [ctypes.c_void_p, ctypes.c_void_p]),
    ("gridwright_drop", None, [ctypes.c_void_p]),
    ("gridwright_scale", ctypes.c_bool, [ctypes.c_void_p, ctypes.c_float]),
]:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments

def python(name, result, *arguments):
    """A function of Python's own C interface."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


new_capsule = python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
is_capsule = python("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
pointer_of = python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
set_name = python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
# By address, for a capsule that is being deleted: an object of it would delete it again.
is_capsule_at = python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
pointer_at = python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)

# A capsule's name stays where it is as long as the capsule.
FRESH, USED = b"dltensor_versioned", b"used_dltensor_versioned"

CPU, CUDA = 1, 2


class Tensor(ctypes.Structure):
    """The first fields of DLManagedTensorVersioned."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def delete_unused(capsule):
    """Deletes the tensor of a capsule that nobody took it from."""
    if is_capsule_at(capsule, FRESH):
        tensor = pointer_at(capsule, FRESH)
        Tensor.from_address(tensor).deleter(tensor)


class Array:
    """Numbers in memory of a device, which others may use where they are."""

    def __init__(self, len):
        self.len = len
        self.array = library.gridwright_arange(len)
        if not self.array:
            raise RuntimeError(library.gridwright_error().decode())

    def __del__(self):
        if getattr(self, "array", None):
            library.gridwright_drop(self.array)

    def __dlpack_device__(self):
        place = (ctypes.c_int32 * 2)()
        library.gridwright_place(self.array, place)
        return tuple(place)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        # Nothing is queued on the array, so that no stream has to wait.
        if max_version is None or max_version[0] < 1:
            raise BufferError("ask for max_version=(1, 0)")
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the array can't be copied")
        tensor = library.gridwright_hand_out(self.array)
        return new_capsule(tensor, FRESH, ctypes.cast(delete_unused, ctypes.c_void_p))

    def cuda_array_interface(self):
        address = library.gridwright_address(self.array)
        return {"shape": (self.len,), "typestr": "<f4", "data": (address, False), "strides": None, "version": 3}

    def __getattr__(self, name):
        # An array of the CPU mustn't have the attribute at all.
        if name == "__cuda_array_interface__" and self.__dlpack_device__()[0] == CUDA:
            return self.cuda_array_interface()
        raise AttributeError(name)


def scale(array, by):
    """Multiplies the elements of anything that has `__dlpack__`, where they are."""
    capsule = array.__dlpack__(max_version=(1, 0))
    if not is_capsule(capsule, FRESH):
        raise BufferError("the array's library is of DLPack before 1.0")
    tensor = pointer_of(capsule, FRESH)
    # The tensor is the library's from here on, also where it refuses it.
    set_name(capsule, USED)
    if not library.gridwright_scale(tensor, by):
        raise ValueError(library.gridwright_error().decode())
