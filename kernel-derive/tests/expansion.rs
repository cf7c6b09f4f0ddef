//! The expansions compile, raise no lint in the user's crate, and do what they should.

#![allow(missing_docs)]

extern crate self as gridwright;

/// Stands for the facade.
#[allow(dead_code, missing_debug_implementations, unreachable_pub, clippy::all)]
#[allow(clippy::missing_safety_doc, clippy::undocumented_unsafe_blocks)]
#[path = "gridwright/mod.rs"]
mod gridwright_mock;

pub use gridwright_mock::*;

/// A strict user's crate.
mod user {
    #![forbid(unsafe_code)]
    #![deny(warnings, missing_docs, unused, unreachable_pub, clippy::all, clippy::pedantic)]
    #![deny(rust_2018_idioms, missing_debug_implementations)]

    use crate::{PerThread, Thread};
    use gridwright_derive::{KernelArg, gpu_kernel, host_only};

    #[gpu_kernel(requires = x.len() == y.len() && a > 0.0)]
    pub(crate) fn saxpy(t: Thread<'_>, a: f32, x: &[f32], mut y: PerThread<'_, [f32]>) {
        if let Some(y) = y.get_mut(t) {
            *y = a.mul_add(x[0], *y);
        }
    }

    #[gpu_kernel]
    pub(crate) fn nothing(_t: Thread) {}

    /// Every name here is one that the expansion might use itself.
    #[gpu_kernel(
        index = u64,
        requires = r#type.len() - 1 >= shape && (shape + 1).is_power_of_two()
            && { let chunk = shape; chunk < 100 }
    )]
    #[deprecated]
    pub(crate) fn names(arguments: Thread, mut shape: usize, r#type: &[f32], thread: PerThread<[f32]>) {
        shape += 1;
        let _ = (arguments, shape, r#type, thread);
    }

    /// The middle condition can't end the others.
    #[gpu_kernel(requires = n > 1 && { if n == 2 { return true; } n < 10 } && n != 2)]
    pub(crate) fn returns(_t: Thread, n: u32) {
        let _ = n;
    }

    #[gpu_kernel(instances((f32, 1), (f64, { 1 + 1 }), (T, 3)))]
    #[allow(dead_code)]
    pub(crate) fn add<T: Copy + std::ops::AddAssign, const N: usize>(
        t: Thread,
        by: T,
        mut to: PerThread<[T]>,
    ) {
        for _ in 0..N {
            if let Some(to) = to.get_mut(t) {
                *to += by;
            }
        }
    }

    /// An instance's argument may have the parameter's name.
    type T = u32;

    /// Two numbers.
    #[derive(Clone, Copy, Debug, KernelArg)]
    #[repr(C)]
    pub(crate) struct Pair {
        pub(crate) a: [f32; 2],
        #[cfg(test)]
        pub(crate) b: f32,
        #[cfg(not(test))]
        pub(crate) b: String,
    }

    /// One number.
    #[derive(Clone, Copy, Debug, KernelArg)]
    #[repr(transparent)]
    pub(crate) struct One(pub(crate) u32);

    #[host_only]
    pub(crate) fn in_a_function() -> bool {
        #[gpu_kernel]
        fn inner(_t: Thread, x: &[u8]) {
            assert!(x.is_empty());
        }
        let inner = inner::load(&crate::Device);
        inner.is_ok()
    }
}

macro_rules! kernel {
    ($name:ident, $parameter:ident, $ty:ty) => {
        #[gridwright_derive::gpu_kernel(requires = $parameter > n && { $parameter < 10 } && { n < 9 })]
        pub fn $name(_t: Thread, $parameter: $ty, n: u32) {
            let _ = ($parameter, n);
        }
    };
}

kernel!(from_a_macro, limit, u32);

use __private::{Chunk, IndexWidth, KernelArg, Raw, Signature};

#[allow(clippy::needless_pass_by_value)]
fn launch<K: Signature>(arguments: Raw<K>) -> Result<(), &'static str> {
    K::require(&arguments)?;
    // SAFETY: the caller's arguments live on and don't overlap.
    unsafe { K::run((), &Chunk, &arguments) };
    Ok(())
}

#[test]
fn a_kernel_runs() {
    let (x, mut y) = ([2.0_f32], [1.0_f32]);
    let (x, y): (*const [f32], *mut [f32]) = (&x, &mut y);
    assert_eq!(launch::<user::saxpy>((3.0, x, y)), Ok(()));
    // SAFETY: the kernel has run.
    assert_eq!(unsafe { &*y }, [7.0]);
    assert_eq!(launch::<user::saxpy>((-3.0, x, y)), Err("a > 0.0"));
    let longer: *const [f32] = &[0.0; 2];
    assert_eq!(launch::<user::saxpy>((3.0, longer, y)), Err("x.len() == y.len()"));
    assert_eq!(launch::<user::nothing>(()), Ok(()));
}

#[test]
fn instances_have_their_names() {
    let mut to = [1_u32];
    assert_eq!(launch::<user::add<u32, 3>>((2, &mut to)), Ok(()));
    assert_eq!(to, [7]);
    assert_eq!(<user::add<f32, 1>>::NAME, "add<f32, 1>");
    assert_eq!(<user::add<f64, 2>>::NAME, "add<f64, { 1 + 1 }>");
    assert_eq!(<user::add<f64, 2>>::PARAMETERS, ["by", "to"]);
    assert!(user::add::<f32, 1>::load(&Device).is_ok());
}

#[test]
#[allow(deprecated)]
fn conditions_are_checked() {
    let empty: *mut [f32] = &mut [];
    let names = |n, len| {
        let x: *const [f32] = std::ptr::slice_from_raw_parts(std::ptr::dangling(), len);
        user::names::require(&(n, x, empty))
    };
    assert_eq!(names(3, 4), Ok(()));
    assert_eq!(names(0, 0), Err("r#type.len() - 1 >= shape"));
    assert_eq!(names(2, 4), Err("(shape + 1).is_power_of_two()"));
    assert_eq!(names(127, 200), Err("{ let chunk = shape; chunk < 100 }"));
    assert_eq!(user::names::PARAMETERS, ["shape", "type", "thread"]);
    assert_eq!(user::names::INDEX, IndexWidth::Bits64);
    assert_eq!(user::saxpy::INDEX, IndexWidth::Bits32);
}

#[test]
fn a_condition_cannot_end_the_others() {
    assert_eq!(user::returns::require(&(2,)), Err("n != 2"));
    assert_eq!(user::returns::require(&(3,)), Ok(()));
}

#[test]
fn kernels_come_from_macros_too() {
    assert_eq!(from_a_macro::require(&(3, 2)), Ok(()));
    assert_eq!(from_a_macro::require(&(2, 3)), Err("limit > n"));
}

#[test]
fn structs_are_arguments() {
    fn is_argument<T: KernelArg + __private::bytemuck::Pod>(_: T) {}
    is_argument(user::Pair { a: [0.0; 2], b: 0.0 });
    is_argument(user::One(0));
    assert!(user::in_a_function());
}
