//! What a Gridwright kernel is made of: the [`Thread`] that proves who runs, the [`Group`] that phases are of, and the
//! memory that it reads ([`Matrix`], plain slices) and writes ([`PerThread`], [`PerGroup`], [`Workgroup`], [`Atomic`]).
//!
//! What differs between targets is in [`arch`], one module a target, and nowhere else. The crate never
//! allocates and knows no driver, stream or buffer.

#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), no_std)]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(core_intrinsics))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx, asm_experimental_arch))]
#![cfg_attr(
    any(target_arch = "nvptx64", target_arch = "amdgpu"),
    feature(
        auto_traits,
        negative_impls,
        link_llvm_intrinsics,
        gpu_intrinsics,
        gpu_launch_sized_workgroup_mem,
        fmt_arguments_from_str,
        optimize_attribute
    )
)]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu))]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), allow(internal_features))]

pub mod arch;
mod atomic;
mod block;
mod bounds;
mod element;
mod group;
mod matrix;
mod per_group;
mod per_thread;
mod print;
mod private;
mod sync;
mod thread;
mod views;
mod volume;
mod warp;
mod workgroup;

pub use atomic::{Atomic, AtomicInteger, AtomicSlice, AtomicValue, Scope};
pub use block::{AnyBlock, Block, FixedBlock};
pub use element::ArrayElement;
pub use group::{Group, GroupMemory, InPhase};
pub use matrix::{Matrix, ReadMatrix};
pub use per_group::{
    GroupMap, GroupMatrix, GroupOwned, GroupSlice, GroupTiles, GroupWindow, PerGroup, TileMap, Tiles,
};
pub use per_thread::{
    MatrixWindow, OwnAnywhere, OwnMap, OwnMatrix, OwnShape, OwnSlice, PerThread, SliceWindow, VolumeWindow,
};
pub use print::{Printable, argument, print};
pub use private::Private;
pub use sync::sync_threads;
pub use thread::{Local, Once, Repeatable, Thread};
pub use views::{
    Access, Atomics, Each, EachFrom, EachMut, FixedSlots, Items, Linear, OfGroup, OneAxis, OwnMut, Patch,
    Patches, ReadEach, ReadTile, Reversed, Shared, SlotMap, Slots, Strided, Take, TileWindow, Transposed,
    View, Whole, WorkgroupAtomics,
};
pub use volume::{ReadVolume, Volume};
pub use warp::{PrivateMut, Warp, WarpChunks, WarpItems, WarpPlace};
pub use workgroup::{Memory, Workgroup, WorkgroupMut};
