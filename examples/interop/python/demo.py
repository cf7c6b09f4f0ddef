"""NumPy and a kernel on the same memory, both ways: on the CPU, which GRIDWRIGHT_DEVICE=cpu chooses."""

import numpy as np

from gridwright_interop import Array, scale

# Memory of ours, seen by NumPy.
ours = Array(6)
seen = np.from_dlpack(ours)
scale(ours, 10.0)
print("ours, after a kernel:    ", seen)
seen[0] = 7.0
scale(ours, 2.0)
print("and after NumPy's write: ", seen)

# NumPy's memory, seen by a kernel.
theirs = np.arange(6, dtype=np.float32).reshape(2, 3)
scale(theirs, 0.5)
print("NumPy's, after a kernel: ", theirs.tolist())
