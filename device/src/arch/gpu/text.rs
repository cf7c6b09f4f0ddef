//! `format!` in kernels. The standard library's goes through pointers to functions, of which a build can't say how much stack they
//! take; this one knows all types. The digits are the standard library's own.

extern crate alloc;

use alloc::string::String;
use core::fmt::NumBuffer;
use core::mem::MaybeUninit;
use core::num::imp::flt2dec::{
    DecodableFloat, MAX_SIG_DIGITS, Sign, strategy::grisu::format_shortest, to_shortest_str,
};
use core::num::imp::fmt::Part;

use gridwright_core::Argument;

/// What a `{}` of `format!` takes in a kernel: integers, floats, `bool`, `char`, texts, and references to those.
#[diagnostic::on_unimplemented(
    message = "a kernel can't format `{Self}`",
    label = "in kernels `format!` takes integers, floats, `bool`, `char`, `&str` and `String`",
    note = "format the parts of a struct or an array one by one"
)]
pub trait Formatted {
    #[doc(hidden)]
    fn argument(&self) -> Argument<'_>;
}

macro_rules! formatted {
    ($($variant:ident: $($value:ty)*;)*) => {$($(
        impl Formatted for $value {
            #[inline(always)]
            fn argument(&self) -> Argument<'_> {
                Argument::$variant(*self as _)
            }
        }
    )*)*};
}

formatted! {
    Unsigned: u8 u16 u32 u64 usize;
    Signed: i8 i16 i32 i64 isize;
    Unsigned128: u128;
    Signed128: i128;
    F32: f32;
    F64: f64;
    Bool: bool;
    Char: char;
}

impl Formatted for str {
    #[inline(always)]
    fn argument(&self) -> Argument<'_> {
        Argument::Str(self)
    }
}

impl Formatted for String {
    #[inline(always)]
    fn argument(&self) -> Argument<'_> {
        Argument::Str(self)
    }
}

impl<T: ?Sized + Formatted> Formatted for &T {
    #[inline(always)]
    fn argument(&self) -> Argument<'_> {
        (**self).argument()
    }
}

/// The format with an argument in place of each `{}`, and `{{` and `}}` as one brace.
#[inline(never)]
pub fn format(format: &str, arguments: &[Argument<'_>]) -> String {
    let mut text = String::new();
    let mut arguments = arguments.iter();
    let mut rest = format;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'{' | b'}')) {
        // A brace is one byte, and the macro lets none stand alone.
        let (before, marked) = (rest.get(..at).unwrap_or(""), rest.get(at..).unwrap_or(""));
        text.push_str(before);
        match marked.as_bytes() {
            [b'{', b'}', ..] => {
                if let Some(argument) = arguments.next() {
                    push(&mut text, argument);
                }
            }
            [brace, ..] => text.push((*brace).into()),
            [] => {}
        }
        rest = marked.get(2..).unwrap_or("");
    }
    text.push_str(rest);
    text
}

fn push(text: &mut String, argument: &Argument<'_>) {
    match *argument {
        Argument::Unsigned(value) => text.push_str(value.format_into(&mut NumBuffer::new())),
        Argument::Signed(value) => text.push_str(value.format_into(&mut NumBuffer::new())),
        Argument::Unsigned128(value) => text.push_str(value.format_into(&mut NumBuffer::new())),
        Argument::Signed128(value) => text.push_str(value.format_into(&mut NumBuffer::new())),
        Argument::F32(value) => push_float(text, value),
        Argument::F64(value) => push_float(text, value),
        Argument::Bool(value) => text.push_str(if value { "true" } else { "false" }),
        Argument::Char(value) => text.push(value),
        Argument::Str(value) => text.push_str(value),
    }
}

/// Appends a float as `{}` writes it.
#[inline(never)]
fn push_float<T: DecodableFloat>(text: &mut String, value: T) {
    let mut digits = [MaybeUninit::uninit(); MAX_SIG_DIGITS];
    let mut parts = [MaybeUninit::uninit(); 4];
    let formatted = to_shortest_str(format_shortest, value, Sign::Minus, 0, &mut digits, &mut parts);
    text.push_str(formatted.sign);
    for part in formatted.parts {
        match *part {
            Part::Zero(count) => (0..count).for_each(|_| text.push('0')),
            Part::Num(number) => text.push_str(number.format_into(&mut NumBuffer::new())),
            Part::Copy(digits) => digits.iter().for_each(|&digit| text.push(digit.into())),
        }
    }
}
