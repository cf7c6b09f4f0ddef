//! How memory reaches a phase: as pointers. A reference would say that no other thread writes what it is to, and let a
//! read move over a barrier.

use core::marker::PhantomData;

/// Memory that this phase writes.
#[derive(Debug)]
pub struct Exclusive<'a, S: ?Sized>(*mut S, PhantomData<&'a ()>);

/// Memory that this phase reads.
#[derive(Debug)]
pub struct Readable<'a, S: ?Sized>(*const S, PhantomData<&'a ()>);

/// # Safety
/// Other threads access other elements while 'a lasts.
#[inline(always)]
pub(crate) unsafe fn exclusive<'a, S: ?Sized>(pointer: *mut S) -> Exclusive<'a, S> {
    Exclusive(pointer, PhantomData)
}

/// # Safety
/// Nobody writes the memory while 'a lasts.
#[inline(always)]
pub(crate) unsafe fn readable<'a, S: ?Sized>(pointer: *const S) -> Readable<'a, S> {
    Readable(pointer, PhantomData)
}

#[inline(always)]
pub(crate) fn exclusive_pointer<S: ?Sized>(memory: &mut Exclusive<'_, S>) -> *mut S {
    memory.0
}

#[inline(always)]
pub(crate) fn readable_pointer<S: ?Sized>(memory: &Readable<'_, S>) -> *const S {
    memory.0
}
