"""NumPy and kernels on the same memory, on the CPU."""

import gc

import numpy as np

from gridwright_interop import CPU, Array, scale


def refused(array, *texts):
    try:
        scale(array, 2.0)
    except (ValueError, BufferError) as error:
        assert all(text in str(error) for text in texts), str(error)
    else:
        raise AssertionError(f"{texts} wasn't refused")


# Ours, in NumPy.
ours = Array(1000)
assert ours.__dlpack_device__() == (CPU, 0) and not hasattr(ours, "__cuda_array_interface__")
seen = np.from_dlpack(ours)
assert seen.dtype == np.float32 and seen.shape == (1000,) and seen.flags.writeable
assert (seen == np.arange(1000)).all()
again = np.from_dlpack(ours)
assert again.__array_interface__["data"] == seen.__array_interface__["data"]
scale(ours, 2.0)
assert (seen == 2 * np.arange(1000)).all()
seen[3] = -1.0
scale(seen, 2.0)
assert seen[3] == -2.0 and again[3] == -2.0

# The elements stay as long as somebody sees them.
del ours, again
gc.collect()
assert seen[10] == 40.0
del seen
gc.collect()

# A capsule that nobody takes is deleted with its tensor.
for _ in range(100):
    Array(1 << 20).__dlpack__(max_version=(1, 0))
empty = np.from_dlpack(Array(0))
assert empty.shape == (0,)

# NumPy's, in a kernel: matrices, single elements, parts, and none.
for theirs in [np.ones((3, 5), np.float32), np.ones((), np.float32), np.ones(9, np.float32)[2:7], np.ones((0, 4), np.float32)]:
    scale(theirs, 3.0)
    assert (theirs == 3.0).all(), theirs
owner = np.ones(9, np.float32)
scale(owner[1:3], 3.0)
assert owner.tolist() == [1, 3, 3, 1, 1, 1, 1, 1, 1]

# What isn't numbers of 32 bits in a row.
refused(np.ones(4), "float64", "float32")
refused(np.ones(4, np.int32), "int32")
refused(np.ones((4, 3), np.float32).T, "[3, 4]", "[1, 3]", "contiguous copy")
refused(np.ones(8, np.float32)[::2], "strides [2]")
refused(np.ones(8, np.float32)[::-1], "strides [-1]")
frozen = np.ones(4, np.float32)
frozen.flags.writeable = False
refused(frozen, "read-only")
assert frozen.tolist() == [1, 1, 1, 1]
print("passed")
