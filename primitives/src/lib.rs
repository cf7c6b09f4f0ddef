//! Algorithms on devices' memory: reduce, scan, sort, select and more, on NVIDIA's and AMD's GPUs, the emulator and the CPU.

#[cfg(not(gridwright_device))]
#[cfg_attr(not(test), expect(dead_code, reason = "called by the device-wide functions, which come next"))]
mod cpu;
