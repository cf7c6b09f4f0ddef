//! What `gpu_println!` expands to.

use gridwright_core::{Argument, Line};

use crate::{Thread, arch};

/// Values that a `{}` of [`gpu_println!`] takes: integers, floats, `bool`, `char`, `&'static str`, and references to those.
///
/// [`gpu_println!`]: https://docs.rs/gridwright/latest/gridwright/macro.gpu_println.html
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::Printable;
///
/// fn show(t: Thread, what: &'static str, value: impl Printable) {
///     gpu_println!(t, "thread {}: {} = {}", t.index(), what, value);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a kernel can't print `{Self}`",
    label = "`gpu_println!` prints integers, floats, `bool`, `char` and `&'static str`",
    note = "print the parts of a struct or an array one by one"
)]
pub trait Printable: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn argument(self) -> Argument<'static>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! printable {
    ($($variant:ident: $($value:ty)*;)*) => {$($(
        impl sealed::Sealed for $value {}

        impl Printable for $value {
            #[inline(always)]
            fn argument(self) -> Argument<'static> {
                Argument::$variant(self as _)
            }
        }
    )*)*};
}

printable! {
    Unsigned: u8 u16 u32 u64 usize;
    Signed: i8 i16 i32 i64 isize;
    Unsigned128: u128;
    Signed128: i128;
    F32: f32;
    F64: f64;
    Bool: bool;
    Char: char;
    Str: &'static str;
}

impl<T: Printable> sealed::Sealed for &T {}

impl<T: Printable> Printable for &T {
    #[inline(always)]
    fn argument(self) -> Argument<'static> {
        (*self).argument()
    }
}

/// A value for [`print()`].
#[inline(always)]
pub fn argument<T: Printable>(value: T) -> Argument<'static> {
    value.argument()
}

/// Prints a line. The thread is the witness that this is the code of one thread, which runs once: at group level each
/// thread of the group would print it, and what `each_while` repeats might print it again.
#[inline(always)]
pub fn print<const N: usize>(_: Thread<'_>, format: &'static str, arguments: [Argument<'static>; N]) {
    const { assert!(N <= Line::MOST_ARGUMENTS) };
    arch::print(format, &arguments);
}
