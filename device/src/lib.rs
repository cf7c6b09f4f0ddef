//! The parts of a Gridwright kernel: the [`Thread`] that proves who runs, the [`Group`] that phases are of, and the
//! memory that it reads ([`Matrix`], plain slices) and writes ([`PerThread`], [`PerGroup`], [`Workgroup`], [`Atomic`]).
//!
//! What differs between targets is in [`arch`], one module a target, and nowhere else. The crate never
//! allocates, though kernels may with the feature `alloc`, and knows no driver, stream or buffer.

#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), no_std)]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(core_intrinsics))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx, asm_experimental_arch))]
#![cfg_attr(
    any(target_arch = "nvptx64", target_arch = "amdgpu"),
    feature(
        link_llvm_intrinsics,
        gpu_intrinsics,
        gpu_launch_sized_workgroup_mem,
        fmt_arguments_from_str,
        optimize_attribute,
        // Declarations of LLVM's intrinsics that take vectors or return several values.
        abi_unadjusted,
        f16,
        repr_simd,
        simd_ffi
    )
)]
#![cfg_attr(
    all(feature = "alloc", any(target_arch = "nvptx64", target_arch = "amdgpu")),
    feature(alloc_error_handler, flt2dec, int_format_into, num_internals, numfmt)
)]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu))]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), allow(internal_features))]

// Device code gets the allocator of this crate.
#[cfg(all(feature = "alloc", any(target_arch = "nvptx64", target_arch = "amdgpu")))]
extern crate alloc as _;

mod anywhere;
pub mod arch;
mod async_copy;
mod atomic;
mod block;
mod blocks;
mod bounds;
mod bulk_copy;
pub mod cache;
mod called;
mod casts;
mod cluster;
mod element;
mod former_names;
mod fragment;
mod grid;
pub mod hint;
mod level;
pub mod math;
mod matrix;
mod per_group;
mod per_thread;
mod placed;
mod print;
mod private;
mod rows;
mod scattered;
mod segments;
mod slice;
mod sync;
mod texture;
mod thread;
mod time;
mod tuples;
mod views;
mod volume;
mod warp;
mod workgroup;

pub use anywhere::Anywhere;
pub use async_copy::{AsyncCopies, Loading, Loads};
pub use atomic::{Atomic, AtomicElement, AtomicInteger, AtomicSlice, AtomicValue, Scope};
pub use block::{AnyBlock, Block, FixedBlock};
pub use blocks::Blocks;
pub use called::Called;
#[doc(hidden)]
pub use casts::FromFloat;
pub use cluster::{ClusterAtomics, ClusterItems, ClusterMemory, ClusterParts, ClusterPlace};
pub use element::ArrayElement;
#[doc(hidden)]
#[allow(deprecated)]
pub use former_names::{Each, EachMut, ReadEach, Tile, TileLanes};
pub use fragment::{
    Accumulator, Factor, FactorShape, FragmentSource, FragmentTarget, MatrixA, MatrixB, Product, Sum,
    SumShape, Tf32,
};
pub use grid::{GridItems, GridMemory, GridParts, GridSlice, GridStride, GridWide, StrideMut};
pub use gridwright_math::{Bf16, Bf16x2, F16, F16x2, Unfused, int, random, unfused_mul};
pub use level::{
    Accepts, AtGrid, AtGroup, AtWarp, Cluster, Coalesced, Collective, Count, EachThread, Given, Gives, Grid,
    Group, GroupMemory, InPhase, LanePartition, LaneTiles, Lanes, Level, LevelMemory, OfAll, Phases, Threads,
    Votes, Warp,
};
pub use matrix::{Matrix, ReadMatrix};
pub use per_group::{
    GroupMap, GroupMatrix, GroupOwned, GroupSlice, GroupTiles, GroupWindow, PerGroup, TileMap, Tiles,
};
pub use per_thread::{
    Column, Columns, IndexOfOwned, MatrixWindow, OwnAnywhere, OwnMap, OwnMatrix, OwnShape, OwnSlice, Owner,
    PerThread, SliceWindow, VolumeWindow,
};
pub use placed::{
    Diagonal, GroupAt, GroupPlaced, KnownPlacement, Offset, Permuted, PlacedTiles, Placement, TileList,
    TilePlace,
};
pub use print::{Printable, argument, print};
pub use private::{Private, Values};
pub use rows::{RowPart, Rows};
pub use scattered::Scattered;
pub use segments::{GroupSegments, PartsWindow, ReadSegments, SegmentWindow, Segments};
pub use slice::GetOr;
pub use sync::sync_threads;
pub use texture::{
    D1, D2, D2Layers, D3, Dimension, OwnTexels, ReadTexture, Surface, Surface1d, Surface2d, Surface3d,
    SurfaceLayered2d, Texture, Texture1d, Texture2d, Texture3d, TextureLayered2d,
};
pub use thread::{Local, Once, Repeatable, Thread};
pub use time::fence;
pub use views::{
    Access, Atomics, Deinterleaved, DeinterleavedSizes, EachFrom, Elements, ElementsMut, First, FixedSlots,
    InnerMut, InnerWindow, Items, Keep, LaneItems, Linear, NewMut, NewSizes, OfGroup, OneAxis, OwnMut,
    Padded, Patch, Patches, ReadElements, ReadSizes, ReadTile, Reversed, Shared, SlotMap, Slots, Strided,
    Take, TileWindow, Transposed, View, Whole, WorkgroupAtomics,
};
pub use volume::{ReadVolume, Volume};
pub use warp::{
    LaneCount, LaneTile, LaneTileSize, PrivateMut, RowsOfWarp, WarpChunks, WarpInteger, WarpItems, WarpPlace,
    WarpPrivate, WarpRow, WarpRows, WarpTile, WarpTiles,
};
pub use workgroup::{Memory, Workgroup, WorkgroupMut};
