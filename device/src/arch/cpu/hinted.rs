//! Accesses with hints for caches: here they are the ordinary ones. Streaming stores of x86 pay off for whole cache lines only,
//! and the compiler wouldn't vectorise them.

use gridwright_core::KernelArg;

use crate::cache::Hint;

#[inline(always)]
pub(crate) fn load_hinted<T: KernelArg>(from: &T, _: Hint) -> T {
    *from
}

#[inline(always)]
pub(crate) fn store_hinted<T: KernelArg>(to: &mut T, value: T, _: Hint) {
    *to = value;
}
