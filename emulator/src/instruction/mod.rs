//! What instructions mean: one file a family, each with the forms that it knows and what they compute.
//!
//! A [`Decoder`] turns syntax into operations whose names are resolved: registers are rows of 32 lanes, constants
//! are rows too, labels are positions. A form that no family knows is an error with its line.

mod approximate;
mod arithmetic;
mod async_copy;
mod atomic;
mod bits;
mod carry;
mod compare;
mod control;
mod convert;
mod decoder;
mod directed;
mod float;
mod half_float;
mod matrix;
mod mbarrier;
mod memory;
mod moves;
mod operation;
mod texture;
mod video;
mod warp;

pub use approximate::Approximations;
pub(crate) use decoder::{
    Decoder, FunctionCode, FunctionShape, Names, ParameterSlot, Pool, Reference, Symbol,
};
pub(crate) use half_float::add as add_halves;
pub(crate) use operation::{
    Access, Action, AddressBase, AsyncCopy, Atomic, AtomicKind, Barrier, BarrierKind, BulkCopy, Bytes,
    CallSite, Callee, Choice, ClusterBarrier, FactorType, Guard, Handler, Level, LoadMatrices, Matrix,
    Mbarrier, MbarrierKind, Memory, MultiplyMatrices, Op, Operands, Predicate, Slot, SumType, SurfaceStore,
    TexelPlace, TextureRead, Vote, Warp, WarpKind,
};

/// The handler of a function of one value, lane by lane.
macro_rules! map1 {
    ($a:ty => $d:ty, $f:expr) => {{
        fn run(lanes: &mut $crate::execute::Lanes<'_>, operands: &$crate::instruction::Operands, mask: u32) {
            lanes.map1::<$a, $d>(operands, mask, $f);
        }
        run as $crate::instruction::Handler
    }};
}

/// The handler of a function of two values.
macro_rules! map2 {
    ($a:ty, $b:ty => $d:ty, $f:expr) => {{
        fn run(lanes: &mut $crate::execute::Lanes<'_>, operands: &$crate::instruction::Operands, mask: u32) {
            lanes.map2::<$a, $b, $d>(operands, mask, $f);
        }
        run as $crate::instruction::Handler
    }};
}

/// The handler of a function of three values.
macro_rules! map3 {
    ($a:ty, $b:ty, $c:ty => $d:ty, $f:expr) => {{
        fn run(lanes: &mut $crate::execute::Lanes<'_>, operands: &$crate::instruction::Operands, mask: u32) {
            lanes.map3::<$a, $b, $c, $d>(operands, mask, $f);
        }
        run as $crate::instruction::Handler
    }};
}

/// A handler for one of three widths of unsigned integers.
macro_rules! by_width {
    ($bits:expr, map1, $f:expr) => {
        match $bits {
            16 => Some(map1!(u16 => u16, $f)),
            32 => Some(map1!(u32 => u32, $f)),
            64 => Some(map1!(u64 => u64, $f)),
            _ => None,
        }
    };
    ($bits:expr, map2, $f:expr) => {
        match $bits {
            16 => Some(map2!(u16, u16 => u16, $f)),
            32 => Some(map2!(u32, u32 => u32, $f)),
            64 => Some(map2!(u64, u64 => u64, $f)),
            _ => None,
        }
    };
    ($bits:expr, map3, $f:expr) => {
        match $bits {
            16 => Some(map3!(u16, u16, u16 => u16, $f)),
            32 => Some(map3!(u32, u32, u32 => u32, $f)),
            64 => Some(map3!(u64, u64, u64 => u64, $f)),
            _ => None,
        }
    };
}

/// A handler for one of three widths of integers, of either sign.
macro_rules! by_integer {
    ($ty:expr, $map:ident, $f:expr) => {
        match $ty {
            $crate::parse::syntax::Type::Signed(16) => by_integer!(@ $map, i16, $f),
            $crate::parse::syntax::Type::Signed(32) => by_integer!(@ $map, i32, $f),
            $crate::parse::syntax::Type::Signed(64) => by_integer!(@ $map, i64, $f),
            $crate::parse::syntax::Type::Unsigned(16) => by_integer!(@ $map, u16, $f),
            $crate::parse::syntax::Type::Unsigned(32) => by_integer!(@ $map, u32, $f),
            $crate::parse::syntax::Type::Unsigned(64) => by_integer!(@ $map, u64, $f),
            _ => None,
        }
    };
    (@ map1, $t:ty, $f:expr) => { Some(map1!($t => $t, $f)) };
    (@ map2, $t:ty, $f:expr) => { Some(map2!($t, $t => $t, $f)) };
    (@ map3, $t:ty, $f:expr) => { Some(map3!($t, $t, $t => $t, $f)) };
}

pub(crate) use {by_integer, by_width, map1, map2, map3};
