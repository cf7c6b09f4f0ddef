//! Loads and stores of global memory with PTX's cache operators.

use core::arch::asm;

use crate::cache::Hint;

macro_rules! accesses {
    ($($load:ident $store:ident $width:ident $value:ty, $wide:ty, $class:ident;)*) => {$(
        /// # Safety
        /// The pointer is into global memory, at a value that nobody writes meanwhile.
        #[inline(always)]
        pub(in crate::arch) unsafe fn $load(from: *const $value, hint: Hint) -> $value {
            let value: $wide;
            macro_rules! load {
                ($operator:literal) => {
                    // SAFETY: the pointer is at a value of global memory, which nobody writes meanwhile, as this function asks.
                    unsafe {
                        asm!(
                            concat!("ld.global.", $operator, ".", stringify!($width), " {value}, [{from}];"),
                            value = out($class) value,
                            from = in(reg64) from,
                            options(pure, readonly, nostack, preserves_flags),
                        )
                    }
                };
            }
            match hint {
                Hint::Streaming => load!("cs"),
                Hint::LastUse => load!("lu"),
                Hint::Level2 => load!("cg"),
            }
            value as $value
        }

        /// # Safety
        /// The pointer is into global memory, at a value that nobody else accesses meanwhile.
        #[inline(always)]
        pub(in crate::arch) unsafe fn $store(to: *mut $value, value: $value, hint: Hint) {
            macro_rules! store {
                ($operator:literal) => {
                    // SAFETY: the pointer is at a value of global memory, which nobody else accesses meanwhile, as this function
                    // asks.
                    unsafe {
                        asm!(
                            concat!("st.global.", $operator, ".", stringify!($width), " [{to}], {value};"),
                            value = in($class) value as $wide,
                            to = in(reg64) to,
                            options(nostack, preserves_flags),
                        )
                    }
                };
            }
            match hint {
                Hint::Streaming | Hint::LastUse => store!("cs"),
                Hint::Level2 => store!("cg"),
            }
        }
    )*};
}

accesses! {
    load_1 store_1 b8 u8, u32, reg32;
    load_2 store_2 b16 u16, u32, reg32;
    load_4 store_4 b32 u32, u32, reg32;
    load_8 store_8 b64 u64, u64, reg64;
}

/// # Safety
/// The pointer is into global memory, at a value that nobody writes meanwhile.
#[inline(always)]
pub(in crate::arch) unsafe fn load_16(from: *const [u64; 2], hint: Hint) -> [u64; 2] {
    let (low, high): (u64, u64);
    macro_rules! load {
        ($operator:literal) => {
            // SAFETY: the pointer is at a value of global memory, which nobody writes meanwhile, as this function asks.
            unsafe {
                asm!(
                    concat!("ld.global.", $operator, ".v2.b64 {{{low}, {high}}}, [{from}];"),
                    low = out(reg64) low,
                    high = out(reg64) high,
                    from = in(reg64) from,
                    options(pure, readonly, nostack, preserves_flags),
                )
            }
        };
    }
    match hint {
        Hint::Streaming => load!("cs"),
        Hint::LastUse => load!("lu"),
        Hint::Level2 => load!("cg"),
    }
    [low, high]
}

/// # Safety
/// The pointer is into global memory, at a value that nobody else accesses meanwhile.
#[inline(always)]
pub(in crate::arch) unsafe fn store_16(to: *mut [u64; 2], [low, high]: [u64; 2], hint: Hint) {
    macro_rules! store {
        ($operator:literal) => {
            // SAFETY: the pointer is at a value of global memory, which nobody else accesses meanwhile, as this function asks.
            unsafe {
                asm!(
                    concat!("st.global.", $operator, ".v2.b64 [{to}], {{{low}, {high}}};"),
                    low = in(reg64) low,
                    high = in(reg64) high,
                    to = in(reg64) to,
                    options(nostack, preserves_flags),
                )
            }
        };
    }
    match hint {
        Hint::Streaming | Hint::LastUse => store!("cs"),
        Hint::Level2 => store!("cg"),
    }
}
