//! CUDA's driver API over the emulator: a `libcuda.so.1` with which unmodified CUDA programs run compiled PTX without a GPU.
//!
//! It is there to prove programs: cudarc, and Gridwright's own CUDA backend. Streams are queues with a thread each, so
//! that a wait which is missing shows; memory that is used after it was freed is a fault; faults stay until the
//! context is reset, as on hardware. The device's name says that it is emulated.
//!
//! # How it is found
//!
//! `cargo build -p gridwright-emulated-cuda` makes `libgridwright_emulated_cuda.so`. Copied into a folder as `libcuda.so` *and*
//! `libcuda.so.1` (programs ask for either), with that folder in `LD_LIBRARY_PATH`, it is the machine's driver for what is started
//! so. `cargo xtask test --step cuda` does this, in `target/emulated-cuda`. The build doesn't name it so itself: cargo has
//! its own folder in that variable when it runs tests, and all of them would find a driver.
//!
//! # Variables
//!
//! They are read by `cuInit`, which refuses values that it doesn't understand and prints the reason.
//!
//! | variable | says | default |
//! |---|---|---|
//! | `GRIDWRIGHT_EMULATOR_DEVICES` | how many devices there are; 0 is a machine without | 1 |
//! | `GRIDWRIGHT_EMULATOR_MEMORY` | bytes of a device's memory | 16 GiB |
//! | `GRIDWRIGHT_EMULATOR_ARCHITECTURE` | whose limits devices have, as `sm_80` | `sm_90` |
//! | `GRIDWRIGHT_EMULATOR_CHECKS` | `off`; `warn` prints findings; `error` makes the first of a launch an error that stays | `warn` |
//! | `GRIDWRIGHT_EMULATOR_FINDINGS` | a file to which findings are appended as JSON, one object a line, beside the text; `-` writes them to standard error in the place of the text | |
//! | `GRIDWRIGHT_EMULATOR_DELAY_US` | each operation of a stream waits up to so many microseconds first, differently each time and the same in each run | 0 |
//! | `GRIDWRIGHT_EMULATOR_EXECUTE` | `0`: launches are checked and nothing runs, to measure what a launch costs | 1 |
//! | `GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS` | `0`: devices say that host and kernels can't use managed memory at the same time, as on Windows | 1 |
//! | `GRIDWRIGHT_EMULATOR_INSTRUCTION_LIMIT` | instructions that a warp may execute before `CUDA_ERROR_LAUNCH_TIMEOUT` | 2³² |
//! | `GRIDWRIGHT_EMULATOR_STRICT_FREE` | `1`: `cuMemFree` and its like wait for nothing, and what is queued and uses the memory fails | 0 |
//! | `GRIDWRIGHT_EMULATOR_POOLS` | `0`: devices have no memory pools, and calls that need one answer `CUDA_ERROR_NOT_SUPPORTED` | 1 |
//! | `GRIDWRIGHT_EMULATOR_CUDA` | the version of CUDA that the driver says it has, from `10.2` on: PTX newer than that one's is refused | `13.5` |
//! | `GRIDWRIGHT_EMULATOR_REGISTERS` | registers that a thread of any kernel takes: launches with more than there are answer `CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES` | an estimate, with which each launch fits |
//! | `GRIDWRIGHT_EMULATOR_UNKNOWN` | an instruction, as `st.global.b32`, that the driver's compiler doesn't know: PTX with it is refused, and the log says where it is | |
//!
//! # Findings as JSON
//!
//! Each object has `kind`, `severity` (`warning`, or `error` of what ended its launch), `kernel`, `ptx_line`, `group`, `thread`, `count` and
//! `message`, which is the text. Where they are known it has `source` (`file`, `line`, `column`: of PTX with `.loc`), `access` (`space`,
//! `address`, `bytes`, `is_write`, and the `allocation` that is nearest), and of a race the `other` thread, with its place.
//!
//! # What differs from NVIDIA's driver
//!
//! - Each function of `cuda.h` of CUDA 12.9 and 13.5 is exported, under all its names. What there is none of answers
//!   `CUDA_ERROR_NOT_SUPPORTED`; `unsupported.rs` is the list.
//! - Images are PTX, also in fat binaries, compressed or not; no cubins.
//! - `cuGetExportTable` knows no table. NVRTC does without. `libcudart` refuses: one of its tables answers a keyed hash by which it makes
//!   sure that the driver is NVIDIA's own, and this driver doesn't pretend to be.
//! - No virtual memory management and no green contexts. Processes share memory and events by the handles of `cuIpc…` only. Memory of
//!   another process counts as written, and races with its kernels aren't seen.
//! - A managed variable of a library is each context's own.
//! - All devices share one address space, and a kernel reaches the memory of each: access of peers isn't checked.
//! - Registers of a kernel, and so its occupancy, are estimates: nothing assembles PTX here.
//! - `cuMemFree` waits for the work of all contexts. NVIDIA's does so in most cases, and no document promises it: see the variable
//!   that makes frees strict.
//! - Freed memory isn't given out again, and new memory has a pattern in it.
//! - A cluster of blocks runs on one thread of the host. A programmatic dependent launch
//!   begins when the one before it has ended. Priorities, carve-outs, policies and advice change nothing.
//! - Graphs have kernels, copies, memory that is set, allocated and freed, host functions, events, graphs and empty nodes: no semaphores,
//!   operations on words or conditions. Their nodes run one at a time, in any order that the dependencies allow. A launch begins when
//!   all events are there that it waits for, and events that it records are reached when it has ended. Streams are captured into graphs
//!   of these. Nodes of an update belong together that were added in the same order.
//! - Wrong handles are always recognised; NVIDIA's driver may crash.
//! - A library's image is read when it is loaded, and its errors show then. Its modules are loaded where something of them is used.
//! - Arrays have no formats of video, of blocks or of packed numbers, and aren't sparse. Filters aren't anisotropic.
//! - A call that changes a reference to a texture or surface waits for the work of the context. `cuParamSetTexRef` isn't there.
//! - Events have the times of the emulation: they say nothing of a GPU.
//! - A thread that used its own default stream leaves that stream's thread behind.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("handles and device addresses have 64 bits");

use gridwright_emulated_driver::{
    self as shared, abi, answer, callback, ids, locks, queue, registry, variables,
};

#[macro_use]
mod export;

mod array;
mod array_copy;
mod capture;
mod context;
mod context_settings;
mod copy;
mod copy_rows;
mod device;
mod error;
mod event;
mod export_table;
mod fat_binary;
mod fill;
mod finding;
mod finding_json;
mod function;
mod function_calls;
mod gpu;
mod graph;
mod graph_add;
mod graph_exec;
mod graph_memory;
mod graph_nodes;
mod graph_parameters;
mod graph_print;
mod graph_settings;
mod graph_update;
mod graph_view;
mod host_memory;
mod ipc;
mod ipc_event;
mod launch;
mod launch_attributes;
mod library;
mod library_kernel;
mod link;
mod memory;
mod memory_advice;
mod memory_operation;
mod model;
mod module;
mod occupancy;
mod occupancy_calls;
mod old_names;
mod peer;
mod pointer;
mod pool;
mod process;
mod profiler;
mod ptx_link;
mod settings;
mod stream;
mod stream_attributes;
mod surface_reference;
mod symbol;
mod teardown;
mod tensor_map;
mod texel_format;
mod texture_descriptor;
mod texture_object;
mod texture_reference;
mod unload;
mod unsupported;
mod vendor;
mod workspace;
