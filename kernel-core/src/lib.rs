//! The vocabulary that Gridwright's host and device share.
//!
//! Sizes of launches ([`LaunchConfig`], [`Dim`], [`Limits`]) and of their workgroup memory ([`WorkgroupMemory`]), values
//! that may cross between host and device ([`KernelArg`]), how each kernel parameter travels ([`Param`]), what the host knows of a
//! kernel ([`Signature`]) and of its code for the CPU ([`CpuEntry`]), what host
//! and device images must agree on ([`Layout`], [`Digest`], [`Images`]), and what threads leave for the host: panics and printed lines
//! ([`Record`], [`Line`]), and the heap of kernels on a GPU ([`Heap`]). The crate knows no driver, no thread and no macro; it
//! allocates nothing and needs no `std`.
#![no_std]
// A bound of every element, which the compiler itself has to see through types.
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(auto_traits, negative_impls))]

#[cfg(test)]
extern crate std;

mod chunk;
mod config_error;
mod cpu_entry;
mod description;
mod device_arguments;
mod device_record;
mod digest;
mod dim;
mod extent;
mod generic_kernel;
mod geometry;
mod grid;
mod heap;
mod image;
mod isa;
mod kernel_arg;
mod launch_attributes;
mod launch_bounds;
mod launch_config;
mod launch_sizes;
mod layout;
mod limits;
mod operator;
mod param;
mod param_list;
mod pointer;
mod printed_line;
mod raw_parts;
mod raw_texture;
mod rect;
pub mod requires;
mod resolve;
mod sampling;
mod signature;
mod texel;
mod tuples;
mod uniform;
mod value_parts;
mod vector;
mod workgroup;
mod workgroup_error;
mod workgroup_sizes;

pub use chunk::Chunk;
pub use config_error::ConfigError;
pub use cpu_entry::{CpuEntry, GroupsEntry, ThreadsEntry};
pub use description::Description;
pub use device_arguments::{RawMatrix, RawSlice, RawVolume};
pub use device_record::{PanicPlace, PanicRecord, RECORD, Record};
pub use digest::Digest;
pub use dim::Dim;
pub use extent::{GroupExtent, MatrixExtent, SliceExtent, VolumeExtent};
pub use generic_kernel::{GenericKernel, Instance, Parts};
pub use geometry::{Geometry, IndexWidth};
pub use grid::{GRID_BOARD, GRID_PLACE, grid_bytes};
pub use heap::{ALLOCATES, Heap, HeapUsage, NotAllocated};
pub use image::{
    CpuCode, Image, ImageEntry, ImageKind, ImageParameter, Images, KERNEL_LINES, PanicText, is_spelled,
    path_bytes, path_in_crate,
};
pub use isa::Isa;
pub use kernel_arg::{KernelArg, MOST_ALIGNMENT, field};
pub use launch_attributes::{Carveout, LaunchAttributes};
pub use launch_bounds::Bounds;
pub use launch_config::LaunchConfig;
pub use launch_sizes::LaunchSizes;
pub use layout::{Kind, Layout};
pub use limits::Limits;
pub use operator::Operator;
pub use param::{ByValue, Param, ReadSlice, Slot};
pub use param_list::{ParamList, Refused};
pub use pointer::Pointer;
pub use printed_line::{Argument, Line, write_line};
pub use raw_parts::{RawParts, RawPlaced};
pub use raw_texture::{RawTexture, TextureExtent};
pub use rect::{Rect, Strips};
pub use sampling::{Address, Filter, Sampling};
pub use signature::{Raw, Signature};
pub use texel::{Format, FormatKind, Norm, Texel};
pub use uniform::Uniform;
pub use value_parts::{
    CHUNK_BYTES, CHUNKS, MOST_VALUE_BYTES, ValuePart, WORD_BYTES, WORDS, has_chunk, has_word, value_part,
};
pub use vector::{Vector, VectorElement};
pub use workgroup::{
    ALIGNMENT, CLUSTER_BYTES, COLLECTIVE_BYTES, MOST_PARTITIONS, PartitionLayout, WorkgroupElement,
    WorkgroupMemory, partition_bytes,
};
pub use workgroup_error::WorkgroupError;
pub use workgroup_sizes::{Bytes, Partition, Sets};

#[cfg(test)]
mod tests;
