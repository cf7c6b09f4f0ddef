//! Conversions between all types of numbers.

use crate::rows::rows;

/// From an integer to all other types.
macro_rules! integer {
    ($kernel:ident: $number:ident, words $words:literal $(, $float:ident as $float_row:ident)*) => {
        rows! { $kernel: $number, words $words, |a, b, c| {
            as_u8: a as u8;
            as_u16: a as u16;
            as_u32: a as u32;
            as_u64: a as u64;
            as_u128: a as u128;
            as_usize: a as usize;
            as_i8: a as i8;
            as_i16: a as i16;
            as_i32: a as i32;
            as_i64: a as i64;
            as_i128: a as i128;
            as_isize: a as isize;
            as_i8_as_i64: a as i8 as i64;
            as_i8_as_u16: a as i8 as u16;
            as_u8_as_i32: a as u8 as i32;
            as_i16_as_u32: a as i16 as u32;
            as_u16_as_i64: a as u16 as i64;
            as_i32_as_u64: a as i32 as u64;
            as_u32_as_i128: a as u32 as i128;
            as_i64_as_i128: a as i64 as i128;
            shifted_i16: (a as i16 >> 8) as u16 as u32 ^ a as u32;
            shifted_i8: (a as i8 >> 4) as u8 as u64 ^ b as u64;
            try_u8: u8::try_from(a).ok();
            try_u16: u16::try_from(a).ok();
            try_u32: u32::try_from(a).ok();
            try_u64: u64::try_from(a).ok();
            try_usize: usize::try_from(a).ok();
            try_i8: i8::try_from(a).ok();
            try_i16: i16::try_from(a).ok();
            try_i32: i32::try_from(a).ok();
            try_i64: i64::try_from(a).ok();
            try_isize: isize::try_from(a).ok();
            try_u128: u128::try_from(a).is_ok();
            try_i128: i128::try_from(a).is_ok();
            of_bool: (a < b) as $number;
            $($float_row: a as $float;)*
        } }
    };
}

integer! { casts_of_u8: u8, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_u16: u16, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_u32: u32, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_u64: u64, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_usize: usize, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_u128: u128, words 3, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_i8: i8, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_i16: i16, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_i32: i32, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_i64: i64, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_isize: isize, words 2, f32 as as_f32, f64 as as_f64 }
integer! { casts_of_i128: i128, words 3, f32 as as_f32, f64 as as_f64 }

/// From a float to all integers.
macro_rules! float {
    ($kernel:ident: $number:ident, $other:ident) => {
        rows! { $kernel: $number, words 2, |a, b, c| {
            as_u8: a as u8;
            as_u16: a as u16;
            as_u32: a as u32;
            as_u64: a as u64;
            as_u128: a as u128;
            as_usize: a as usize;
            as_i8: a as i8;
            as_i16: a as i16;
            as_i32: a as i32;
            as_i64: a as i64;
            as_i128: a as i128;
            as_isize: a as isize;
            as_other: a as $other;
            there_and_back: a as $other as $number;
            as_i32_and_back: a as i32 as $number;
            as_u64_and_back: a as u64 as $number;
            as_i64_and_back: a as i64 as $number;
            sum_as_i32: (a as i32).wrapping_add(b as i32);
        } }
    };
}

float! { casts_of_f32: f32, f64 }
float! { casts_of_f64: f64, f32 }
