use gridwright_core::KernelArg;

/// Elements of fixed arrays in workgroup memory: every [`KernelArg`] that isn't an array itself.
///
/// # Safety
/// It isn't an array.
#[diagnostic::on_unimplemented(
    message = "a fixed array in workgroup memory can't hold `{Self}`",
    note = "it holds numbers and `#[derive(KernelArg)]` structs, along up to three axes: `[[[T; N]; M]; L]`"
)]
pub unsafe trait ArrayElement: KernelArg {}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        // SAFETY: a number isn't an array.
        unsafe impl ArrayElement for $number {}
    )*};
}

numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);
