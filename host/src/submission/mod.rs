//! What is submitted to a device, as plain data that knows neither devices nor backends: backends look down at it, and the
//! host's `Device`, `Stream` and `Buffer` build it.
//!
//! | file | what it holds |
//! |---|---|
//! | `box_copy` | a copy of a part of a volume |
//! | `numbers` | streams, memory, graphs and pieces of work, by the numbers that a backend gives them |
//! | `memory` | where memory is, what it holds at first, who keeps it, and who uses it for what |
//! | `code`, `loaded`, `launch`, `attribute` | a kernel, what a backend made of it, and a launch of it |
//! | `work` | operations that are recorded once and replayed again and again |
//! | `mark` | a point in a stream's work |
//! | `host_call` | functions of the program that run in the order of a device's work, and where their panics go |
//! | `texture` | shapes of textures, and what kernels are given of one |

mod attribute;
mod box_copy;
mod code;
mod host_call;
mod launch;
mod loaded;
mod mark;
mod memory;
mod numbers;
mod texture;
mod work;

pub(crate) use attribute::Attribute;
pub(crate) use box_copy::{BoxCopy, BoxSide};
pub(crate) use code::Code;
pub(crate) use host_call::{HostCall, HostPanics, call_host_function, forbid, is_running};
pub(crate) use launch::Launch;
pub(crate) use loaded::{Loaded, LoadedKernel};
pub(crate) use mark::Mark;
pub(crate) use memory::{Access, Contents, Direction, Home, Kind, Memory, Owner, Place};
pub(crate) use numbers::{GraphId, MemoryId, StreamId, Ticket};
pub(crate) use texture::{TextureKind, TextureLimits, TextureObjects, TextureShape};
pub(crate) use work::{KernelTask, Operation, Order, Task, Work};
