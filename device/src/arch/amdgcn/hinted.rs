//! Loads and stores without hints for caches: LLVM takes them of metadata, which rustc doesn't write for these processors.

use crate::cache::Hint;

macro_rules! accesses {
    ($($load:ident $store:ident $value:ty;)*) => {$(
        /// # Safety
        /// The pointer is at a value that nobody writes meanwhile.
        #[inline(always)]
        pub(in crate::arch) unsafe fn $load(from: *const $value, _: Hint) -> $value {
            // SAFETY: the pointer is at a value that nobody writes meanwhile, as this function asks.
            unsafe { from.read() }
        }

        /// # Safety
        /// The pointer is at a value that nobody else accesses meanwhile.
        #[inline(always)]
        pub(in crate::arch) unsafe fn $store(to: *mut $value, value: $value, _: Hint) {
            // SAFETY: the pointer is at a value that nobody else accesses meanwhile, as this function asks.
            unsafe { to.write(value) };
        }
    )*};
}

accesses! {
    load_1 store_1 u8;
    load_2 store_2 u16;
    load_4 store_4 u32;
    load_8 store_8 u64;
    load_16 store_16 [u64; 2];
}
