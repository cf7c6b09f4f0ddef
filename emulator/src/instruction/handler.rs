//! What runs for an instruction that computes, and how it is made of a function of lanes.

use crate::machine::{Lanes, Operands, has_vectors};

/// Computes in the lanes of a mask.
pub(crate) type Handler = fn(&mut Lanes<'_>, &Operands, u32);

/// The handler of an expression, compiled for any processor and for those that work on eight lanes at once.
macro_rules! handler {
    (|$lanes:ident, $operands:ident, $mask:ident| $body:expr) => {{
        #[inline(always)]
        fn body($lanes: &mut $crate::machine::Lanes<'_>, $operands: &$crate::machine::Operands, $mask: u32) {
            $body
        }
        fn plain(lanes: &mut $crate::machine::Lanes<'_>, operands: &$crate::machine::Operands, mask: u32) {
            body(lanes, operands, mask);
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        fn with_vectors(
            lanes: &mut $crate::machine::Lanes<'_>,
            operands: &$crate::machine::Operands,
            mask: u32,
        ) {
            body(lanes, operands, mask);
        }
        #[cfg(not(target_arch = "x86_64"))]
        use plain as with_vectors;
        $crate::instruction::handler::choose_handler(plain, with_vectors)
    }};
}

/// The handler of a function of one value, lane by lane.
macro_rules! map1 {
    ($a:ty => $d:ty, $f:expr) => {
        $crate::instruction::handler::handler!(
            |lanes, operands, mask| lanes.map1::<$a, $d>(operands, mask, $f)
        )
    };
}

/// The handler of a function of two values.
macro_rules! map2 {
    ($a:ty, $b:ty => $d:ty, $f:expr) => {
        $crate::instruction::handler::handler!(
            |lanes, operands, mask| lanes.map2::<$a, $b, $d>(operands, mask, $f)
        )
    };
}

/// The handler of a function of three values.
macro_rules! map3 {
    ($a:ty, $b:ty, $c:ty => $d:ty, $f:expr) => {
        $crate::instruction::handler::handler!(
            |lanes, operands, mask| lanes.map3::<$a, $b, $c, $d>(operands, mask, $f)
        )
    };
}

/// The second of two handlers of one meaning, where the processor has what it is compiled for, and else the first.
pub(super) fn choose_handler(
    plain: Handler,
    with_vectors: unsafe fn(&mut Lanes<'_>, &Operands, u32),
) -> Handler {
    if has_vectors() {
        // SAFETY: the two types differ in the promise only that the processor has the features, as it was just asked.
        unsafe { std::mem::transmute::<unsafe fn(&mut Lanes<'_>, &Operands, u32), Handler>(with_vectors) }
    } else {
        plain
    }
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

pub(super) use {by_integer, by_width, handler, map1, map2, map3};
