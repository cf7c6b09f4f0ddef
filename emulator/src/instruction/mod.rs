//! What instructions mean: one file a family, each with the forms that it knows and what they compute.
//!
//! [`decode`] turns syntax into operations whose names are resolved: registers are rows of 32 lanes, constants are rows too, labels are
//! positions. A form that no family knows is an error with its line. Operations that compute have a handler, which sees the lanes'
//! registers alone; what needs more of the machine is data, which the floor above executes.

mod access;
mod approximate;
mod arithmetic;
mod async_copy;
mod async_store;
mod atomic;
mod bits;
mod bulk_copy;
mod carry;
mod code;
mod compare;
mod control;
mod convert;
mod convert_pack;
mod decode;
mod decoder;
mod directed;
mod fence;
mod float;
mod half_float;
mod handler;
mod matrix;
mod mbarrier;
mod memory;
mod modifiers;
mod moves;
mod operation;
mod packed;
mod single;
mod small_float;
mod special;
mod texture;
mod video;
mod video_vector;
mod warp;

pub(crate) use access::{Access, AddressBase, AtomicKind, Level, Memory};
pub(crate) use bulk_copy::{Bulk, BulkCopy, BulkPlace, MapField};
pub(crate) use code::{FunctionCode, FunctionShape, Names, ParameterSlot, Pool, Reference, Symbol};
pub(crate) use decode::decode;
pub(crate) use directed::multiply_add;
pub(crate) use half_float::combine as combine_halves;
pub(crate) use handler::Handler;
pub(crate) use matrix::{
    Combine, ElementType, Factor, Fragment, Matrix, MoveFragment, MoveMatrices, MultiplyByWarpgroup,
    MultiplyMatrices, SharedFactor, SumLayout, SumType, Sums, WarpgroupFactor, metadata_bits,
};
pub(crate) use operation::{
    Action, AsyncCopy, Atomic, Barrier, BarrierKind, Bytes, CallSite, Callee, Choice, ClusterBarrier, Guard,
    Mbarrier, MbarrierKind, Op, Vote, Warp, WarpKind,
};
pub(crate) use small_float::{from_e4m3, from_e5m2};
pub(crate) use special::{Question, Special};
pub(crate) use texture::{
    DetailSource, Element, Geometry, ObjectQuery, ObjectTest, SurfaceAccess, SurfaceKind, TexelPlace,
    TextureOperation, TextureRead,
};
