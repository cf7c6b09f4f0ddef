use gridwright_core::KernelArg;

use super::phases::{AtGrid, AtGroup, AtWarp};
use crate::bounds::no_element;
use crate::views::FixedSlots;
use crate::{GridMemory, Workgroup, WorkgroupMut};

/// Workgroup memory that a group reads and fills as a whole: [`Workgroup`] and [`WorkgroupMut`].
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::group::GroupMemory;
///
/// /// Makes all of it ones, whether it is a whole memory or a part.
/// fn ones<S: GroupShape>(g: &Group<'_, S>, memory: &mut impl GroupMemory<Element = f32>) {
///     g.fill(memory, 1.0);
/// }
/// ```
///
/// # Safety
/// `elements` is the memory, borrowed.
pub unsafe trait GroupMemory:
    LevelMemory<AtGroup, Value = Self::Element> + LevelMemory<AtWarp, Value = Self::Element>
{
    /// The type of the memory's elements.
    type Element: KernelArg;

    #[doc(hidden)]
    fn elements(&mut self) -> *mut [Self::Element];
}

/// Memory that a level shares, which code at the level reads and writes: of a group and of a warp a [`Workgroup`] and a
/// [`WorkgroupMut`], of a grid a [`GridMemory`].
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::level::{LevelMemory, Phases};
///
/// /// The first element of memory that the level shares.
/// fn first<L: Phases, M: LevelMemory<L::At>>(level: &L, memory: &M) -> M::Value {
///     level.read(memory, 0)
/// }
/// ```
///
/// # Safety
/// `element_mut` is an element of the memory, borrowed.
#[diagnostic::on_unimplemented(
    message = "code at this level doesn't share `{Self}`",
    label = "not memory of the level",
    note = "a group and a warp read and write workgroup memory, a grid its `GridMemory`"
)]
pub unsafe trait LevelMemory<At> {
    /// The type of the memory's elements.
    type Value: KernelArg;

    /// # Panics
    /// Beyond the last element.
    ///
    /// # Safety
    /// At the level, between the barriers that keep others from writing it.
    #[doc(hidden)]
    #[track_caller]
    unsafe fn get(&self, index: usize) -> Self::Value;

    /// # Panics
    /// Beyond the last element.
    #[doc(hidden)]
    #[track_caller]
    fn element_mut(&mut self, index: usize) -> *mut Self::Value;
}

/// Memory of a level: `$len` elements from `$first` on.
macro_rules! memory {
    ($([$($generics:tt)*] $memory:ty, $element:ty, $at:ty, $place:literal, $this:ident => $len:expr, $first:expr;)*) => {$(
        // SAFETY: the memory has `$len` elements from the first one on.
        unsafe impl<$($generics)*> LevelMemory<$at> for $memory {
            type Value = $element;

            #[inline(always)]
            #[track_caller]
            unsafe fn get(&self, index: usize) -> $element {
                let ($this, len) = (self, { let $this = self; $len });
                if index >= len {
                    no_element(index, len, $place);
                }
                // SAFETY: the index was just seen to be inside; a barrier came after the phase that wrote the element.
                unsafe { $first.add(index).read() }
            }

            #[inline(always)]
            #[track_caller]
            fn element_mut(&mut self, index: usize) -> *mut $element {
                let ($this, len) = (&*self, { let $this = &*self; $len });
                if index >= len {
                    no_element(index, len, $place);
                }
                $first.wrapping_add(index)
            }
        }
    )*};
    (of_group: $([$($generics:tt)*] $memory:ty, $element:ty, $this:ident => $inner:expr;)*) => {$(
        memory! {
            [$($generics)*] $memory, $element, AtGroup, "in workgroup memory", $this => $inner.count(), $inner.element(0);
            [$($generics)*] $memory, $element, AtWarp, "in workgroup memory", $this => $inner.count(), $inner.element(0);
        }

        // SAFETY: they are.
        unsafe impl<$($generics)*> GroupMemory for $memory {
            type Element = $element;

            #[inline(always)]
            fn elements(&mut self) -> *mut [$element] {
                let $this = self;
                core::ptr::slice_from_raw_parts_mut($inner.element(0), $inner.count())
            }
        }
    )*};
}

memory! { of_group:
    [T: KernelArg] Workgroup<'_, [T]>, T, memory => memory;
    [S: FixedSlots] Workgroup<'_, S>, S::Element, memory => memory;
    [T: KernelArg] WorkgroupMut<'_, T>, T, memory => memory.0;
}

memory! {
    [T: KernelArg] GridMemory<'_, [T]>, T, AtGrid, "in a grid's memory", memory => memory.len(), memory.pointer();
}
