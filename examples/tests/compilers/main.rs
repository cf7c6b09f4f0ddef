//! Small safe functions that compilers are known to get wrong, and more of each kind, on the device that `GRIDWRIGHT_DEVICE` names, by
//! default the CPU: the same numbers as on the host, bit for bit.
//!
//! The reports that they are made after, and what is done about each, are in `kernel-build/src/plan/MISCOMPILES.md`.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used)] // also in helpers
#![allow(
    clippy::double_comparisons,
    clippy::erasing_op,
    clippy::manual_checked_ops,
    clippy::manual_clamp,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::neg_multiply,
    clippy::precedence,
    clippy::semicolon_if_nothing_returned,
    clippy::unnecessary_min_or_max,
    reason = "each form is compiled as it is written"
)]

mod bits;
mod bytes;
mod carries;
mod division;
mod enums;
mod floats;
mod groups;
mod loops;
mod memory;
mod probe;
mod products;
#[cfg(not(gridwright_device))]
mod run;
mod shifts;

#[cfg(not(gridwright_device))]
mod tests {
    use crate::run::{Result, device, wrong};

    macro_rules! families {
        ($($test:ident: $family:ident,)*) => {
            $(
                #[test]
                fn $test() -> Result {
                    let device = device()?;
                    let wrong = wrong(&crate::$family::FAMILY, &device, &device.stream()?)?;
                    assert!(wrong.is_empty(), "on {}:\n{}", device.name(), wrong.join("\n"));
                    Ok(())
                }
            )*
        };
    }

    families! {
        operations_on_bits_are_right: bits,
        bytes_and_halves_of_words_are_right: bytes,
        carries_are_right: carries,
        divisions_are_right: division,
        variants_and_conditions_are_right: enums,
        floats_are_right: floats,
        loops_are_right: loops,
        elements_come_from_their_place: memory,
        products_are_right: products,
        shifts_are_right: shifts,
    }
}
