//! How memory reaches a phase's loop: as references, which LLVM knows to alias nothing.

/// Memory that only this phase accesses.
pub type Exclusive<'a, S> = &'a mut S;

/// Memory that this phase only reads.
pub type Readable<'a, S> = &'a S;

/// # Safety
/// Nothing else accesses the memory while 'a lasts.
#[inline(always)]
pub(crate) unsafe fn exclusive<'a, S: ?Sized>(pointer: *mut S) -> Exclusive<'a, S> {
    // SAFETY: the pointer is at live memory, which nothing else accesses while 'a lasts, as this function asks.
    unsafe { &mut *pointer }
}

/// # Safety
/// Nobody writes the memory while 'a lasts.
#[inline(always)]
pub(crate) unsafe fn readable<'a, S: ?Sized>(pointer: *const S) -> Readable<'a, S> {
    // SAFETY: the pointer is at live memory, which nobody writes while 'a lasts, as this function asks.
    unsafe { &*pointer }
}

#[inline(always)]
pub(crate) fn exclusive_pointer<S: ?Sized>(memory: &mut Exclusive<'_, S>) -> *mut S {
    &raw mut **memory
}

#[inline(always)]
pub(crate) fn readable_pointer<S: ?Sized>(memory: &Readable<'_, S>) -> *const S {
    &raw const **memory
}
