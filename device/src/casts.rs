//! Casts of floats to integers that a CPU has vectors for. The compiler's own cast saturates one number after the other there, and a
//! loop around it isn't vectorised. Macros ask [`saturated`](crate::arch::saturated) before the casts of a kernel's body.

/// A number that floats are cast to, of at most 32 bits.
pub trait FromFloat: Sized {
    /// What `as` gives.
    fn of_f32(value: f32) -> Self;

    /// What `as` gives.
    fn of_f64(value: f64) -> Self;
}

/// Zero instead of what isn't a number.
macro_rules! number {
    ($value:ident) => {
        if $value.is_nan() { 0.0 } else { $value }
    };
}

macro_rules! narrow {
    ($($integer:ident)*) => {$(
        impl FromFloat for $integer {
            #[inline(always)]
            fn of_f32(value: f32) -> Self {
                let inside = number!(value).clamp(f32::from($integer::MIN), f32::from($integer::MAX));
                // SAFETY: the number is between those of 16 bits at most, which an `i32` has.
                unsafe { inside.to_int_unchecked::<i32>() as $integer }
            }

            #[inline(always)]
            fn of_f64(value: f64) -> Self {
                let inside = number!(value).clamp(f64::from($integer::MIN), f64::from($integer::MAX));
                // SAFETY: the number is between those of 16 bits at most, which an `i32` has.
                unsafe { inside.to_int_unchecked::<i32>() as $integer }
            }
        }
    )*};
}

macro_rules! wide {
    ($($integer:ident)*) => {$(
        impl FromFloat for $integer {
            #[inline(always)]
            fn of_f32(value: f32) -> Self {
                // The largest number rounds to the power of two behind it, which is the first one outside.
                const MOST: f32 = ($integer::MAX as f32).next_down();
                let inside = number!(value).clamp($integer::MIN as f32, MOST);
                // SAFETY: the bounds are numbers of the type, and the number is between them.
                let integer = unsafe { inside.to_int_unchecked::<$integer>() };
                if value > MOST { $integer::MAX } else { integer }
            }

            #[inline(always)]
            fn of_f64(value: f64) -> Self {
                let inside = number!(value).clamp(f64::from($integer::MIN), f64::from($integer::MAX));
                // SAFETY: the bounds are numbers of the type, and the number is between them.
                unsafe { inside.to_int_unchecked::<$integer>() }
            }
        }
    )*};
}

narrow!(u8 i8 u16 i16);
wide!(u32 i32);

#[cfg(test)]
mod tests {
    use crate::arch::saturated;

    /// Each exponent with mantissas at and between its edges, then numbers beside each power of two, then some of all bits.
    fn floats() -> impl Iterator<Item = f32> {
        let mantissas =
            [0, 1, 2, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_fffe, 0x7f_ffff, 0x2a_aaaa, 0x55_5555];
        let edges = (0..=0x1ff_u32).flat_map(move |top| mantissas.map(|low| f32::from_bits(top << 23 | low)));
        let beside = (0..=33).flat_map(|power| {
            let near = [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5].map(|by| 2_f64.powi(power) + by);
            near.into_iter().flat_map(|x| [x as f32, -x as f32])
        });
        edges.chain(beside).chain((0..u32::MAX).step_by(4099).map(f32::from_bits))
    }

    #[test]
    fn a_saturated_cast_of_a_float_is_the_languages() {
        macro_rules! check {
            ($($integer:ident)*) => {$(
                for x in floats() {
                    assert_eq!(saturated::<$integer, f32>(&x), Some(x as $integer), "{x:e}");
                    for x in [f64::from(x), f64::from(x).next_up(), f64::from(x).next_down()] {
                        assert_eq!(saturated::<$integer, f64>(&x), Some(x as $integer), "{x:e}");
                    }
                }
            )*};
        }
        check!(u8 i8 u16 i16 u32 i32);
    }

    #[test]
    fn other_values_are_cast_by_the_language() {
        assert_eq!(saturated::<u8, u64>(&300), None);
        assert_eq!(saturated::<u8, char>(&'x'), None);
        assert_eq!(saturated::<i32, bool>(&true), None);
    }
}
