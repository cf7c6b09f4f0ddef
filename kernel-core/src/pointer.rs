use core::marker::PhantomData;

use crate::{Description, KernelArg, Layout, Param, RawSlice, Slot};

/// Passing: each thread has the device address `P`, a raw pointer, and does with it what it answers for. For kernels
/// that are `unsafe fn`.
#[derive(Debug)]
pub struct Pointer<P>(PhantomData<P>);

macro_rules! pointers {
    ($($pointer:ty => $spelling:literal;)*) => {$(
        // SAFETY: the extent is the address; nothing is owned.
        unsafe impl<T: KernelArg> Param for $pointer {
            // The length is for messages: it doesn't cross.
            type Raw = RawSlice<T>;
            type Extent = Self;
            type Passing = Pointer<Self>;
            const RANK: u32 = 3;

            fn extent(raw: &RawSlice<T>) -> Self {
                raw.pointer
            }

            fn describe(raw: &RawSlice<T>) -> Description {
                Description::Slice { len: raw.len }
            }

            const LAYOUT: Layout = T::LAYOUT;
            const SPELLING: &'static str = $spelling;

            fn slots(raw: &RawSlice<T>, mut slot: impl FnMut(Slot)) {
                slot(Slot::At((&raw const raw.pointer).cast()));
            }
        }
    )*};
}

pointers! {
    *const T => "*const _";
    *mut T => "*mut _";
}
