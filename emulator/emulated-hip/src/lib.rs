//! HIP's runtime over an emulator of AMD's GPUs: a `libamdhip64.so.7` with which unmodified HIP programs run code objects without a GPU.
//!
//! It is there to prove programs, Gridwright's own HIP backend first. Streams are queues with a thread each, so that a wait which is
//! missing shows: they, events, graphs and memory pools are those of the emulated CUDA driver. The name of a device says that it is
//! emulated.
//!
//! # How it is found
//!
//! `cargo build -p gridwright-emulated-hip` makes `libgridwright_emulated_hip.so`. Copied into a folder as `libamdhip64.so` *and*
//! `libamdhip64.so.7`, with that folder in `LD_LIBRARY_PATH`, it is the machine's runtime for what is started so.
//!
//! # Variables
//!
//! They are read by the first function that needs them, which refuses values that it doesn't understand and prints the reason.
//!
//! | variable | says | default |
//! |---|---|---|
//! | `GRIDWRIGHT_AMD_EMULATOR` | the folder of the emulator that runs kernels, with its `amdgpu_serve.py`. Without it memory, streams and events work, and launches answer `hipErrorNotSupported` | |
//! | `GRIDWRIGHT_PYTHON` | the Python that runs it, with `tinygrad` | `python3` |
//! | `GRIDWRIGHT_EMULATOR_CACHE` | a folder for what it compiles | one in the system's folder for temporary files |
//! | `GRIDWRIGHT_EMULATOR_DEVICES` | how many devices there are; 0 is a machine without | 1 |
//! | `GRIDWRIGHT_EMULATOR_MEMORY` | bytes of a device's memory | 16 GiB |
//! | `GRIDWRIGHT_EMULATOR_ARCHITECTURE` | `gfx1100`, with waves of 32 threads, or `gfx942`, with 64; `gfx1030` for a device that no program has code for | `gfx1100` |
//! | `GRIDWRIGHT_EMULATOR_DELAY_US` | each operation of a stream waits up to so many microseconds first, differently each time and the same in each run | 0 |
//! | `GRIDWRIGHT_EMULATOR_EXECUTE` | `0`: launches are checked and nothing runs, to measure what a launch costs | 1 |
//! | `GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS` | `0`: devices say that host and kernels can't use managed memory at the same time | 1 |
//! | `GRIDWRIGHT_EMULATOR_PATIENCE_S` | seconds that a launch may take before `hipErrorLaunchTimeOut` | 300 |
//! | `GRIDWRIGHT_EMULATOR_POOLS` | `0`: devices have no memory pools, and calls that need one answer `hipErrorNotSupported` | 1 |
//! | `GRIDWRIGHT_EMULATOR_HIP` | the version of HIP that the runtime says it has, from `5.2` to `7.0`: functions that came later answer `hipErrorNotSupported` | `7.0` |
//!
//! # How kernels run
//!
//! All memory is one file without a name, mapped at the same address here and in the emulator's process, one for each device, which
//! the first launch starts. A module's image lies in that memory too, so that its variables and constants are read and written as any
//! other. Before each launch the emulator is told which pages the device's kernels may use: what was freed, what is behind an
//! allocation, or what is of a device without peer access ends the emulator, and that is `hipErrorIllegalAddress`, which stays until
//! `hipDeviceReset`. AMD's runtime ends the program there.
//!
//! # What differs from AMD's runtime
//!
//! - Images are code objects: no bundles of several, no compiler, no linking, textures, arrays, stream capture, sharing between
//!   processes, virtual memory management. Functions of these are missing, but for a few that answer `hipErrorNotSupported`.
//! - Host memory that the program allocated itself can't be registered.
//! - The emulator isn't of this repository, and knows less than the hardware: it flushes subnormal floats to zero, has no caches, and
//!   its workgroups run one after the other. A launch takes a tenth of a second and more.
//! - `hipFree` and `hipHostFree` wait for the device, as HIP's documents say. Freed memory isn't given out again, and new memory of
//!   devices has a pattern in it.
//! - A program that follows a pointer to a device's memory is stopped.
//! - Graphs have kernels, copies of one row, memory that is set, host functions and empty nodes. Their nodes run one at a time, in
//!   any order that the dependencies allow.
//! - Wrong handles are always recognised; AMD's runtime may crash. A launch is refused where its block isn't the one that the kernel
//!   is compiled for, or its workgroup memory too much: AMD's runtime finds out later.
//! - Priorities, preferences and advice change nothing. Events have the times of the emulation: they say nothing of a GPU.
//! - A thread that used its own default stream leaves that stream's thread behind.

#![cfg(target_os = "linux")]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("handles and device addresses have 64 bits");

use gridwright_emulated_driver::{self as shared, abi, callback, locks, queue, registry, variables};

#[macro_use]
mod export;

mod answer;
mod arena;
mod arguments;
mod code_object;
mod context;
mod copy;
mod device;
mod error;
mod event;
mod executor;
mod fill;
mod function;
mod gpu;
mod graph;
mod graph_exec;
mod graph_nodes;
mod host_memory;
mod launch;
mod memory;
mod model;
mod module;
mod occupancy;
mod peer;
mod pointer;
mod pool;
mod process;
mod properties;
mod settings;
mod stream;
mod stream_memory;
mod target;
mod teardown;
mod vendor;
