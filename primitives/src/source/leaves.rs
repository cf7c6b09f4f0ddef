//! The slices that a source reads, as a list of types.

#[cfg(not(gridwright_device))]
use gridwright::memory::BufferSlice;
use gridwright::prelude::*;

/// A nested list of the elements' types of slices: `(f32, (u32, ()))`.
///
/// ```
/// use gridwright_primitives::source::{Leaves, Slice, Source, Zip};
///
/// fn is_list<L: Leaves>() {}
///
/// // The slices that pairs are read from.
/// is_list::<<Zip<Slice<f32>, Slice<u32>> as Source>::Leaves<()>>();
/// ```
pub trait Leaves: 'static {
    /// The slices.
    type Slices<'k>: Copy;
    /// The slices as the host has them.
    #[cfg(not(gridwright_device))]
    type Buffers<'b>;

    /// The slices for a shorter time.
    #[cfg(not(gridwright_device))]
    fn shorter<'s, 'b: 's>(buffers: Self::Buffers<'b>) -> Self::Buffers<'s>;
}

impl Leaves for () {
    type Slices<'k> = ();
    #[cfg(not(gridwright_device))]
    type Buffers<'b> = ();

    #[cfg(not(gridwright_device))]
    fn shorter<'s, 'b: 's>((): ()) {}
}

impl<T: KernelArg, Rest: Leaves> Leaves for (T, Rest) {
    type Slices<'k> = (&'k [T], Rest::Slices<'k>);
    #[cfg(not(gridwright_device))]
    type Buffers<'b> = (BufferSlice<'b, T>, Rest::Buffers<'b>);

    #[cfg(not(gridwright_device))]
    fn shorter<'s, 'b: 's>((first, rest): Self::Buffers<'b>) -> Self::Buffers<'s> {
        (first, Rest::shorter(rest))
    }
}

/// A list of at most three slices, which a kernel takes one by one. Those that the list doesn't have are of bytes, and empty.
///
/// ```
/// use gridwright_primitives::source::UpToThree;
///
/// fn of_first<L: UpToThree>() -> usize {
///     size_of::<L::A>()
/// }
/// assert_eq!(of_first::<(f32, (u64, ()))>(), 4);
/// ```
pub trait UpToThree: Leaves {
    /// The elements of the first.
    type A: KernelArg;
    /// The elements of the second.
    type B: KernelArg;
    /// The elements of the third.
    type C: KernelArg;

    /// The list.
    fn list<'k>(a: &'k [Self::A], b: &'k [Self::B], c: &'k [Self::C]) -> Self::Slices<'k>;

    /// One by one.
    #[cfg(not(gridwright_device))]
    fn one_by_one<'b>(list: Self::Buffers<'b>, none: &BufferSlice<'b, u8>) -> OneByOne<'b, Self>;
}

/// Three slices as the host has them.
#[cfg(not(gridwright_device))]
pub type OneByOne<'b, L> = (
    BufferSlice<'b, <L as UpToThree>::A>,
    BufferSlice<'b, <L as UpToThree>::B>,
    BufferSlice<'b, <L as UpToThree>::C>,
);

/// Lists: the slices that they have, and those that they don't.
macro_rules! lists {
    ([$a:ident $b:ident $c:ident] $($list:ty: $slices:tt [$($element:ident),*] [$($rest:ident $none:ident),*];)*) => {$(
        impl<$($element: KernelArg),*> UpToThree for $list {
            $(type $element = $element;)*
            $(type $none = u8;)*

            #[inline(always)]
            #[allow(unused_variables)] // of those that aren't in the list
            fn list<'k>($a: &'k [Self::A], $b: &'k [Self::B], $c: &'k [Self::C]) -> Self::Slices<'k> {
                $slices
            }

            #[cfg(not(gridwright_device))]
            #[allow(unused_variables)] // of a full list
            fn one_by_one<'b>(list: Self::Buffers<'b>, none: &BufferSlice<'b, u8>) -> OneByOne<'b, Self> {
                let $slices = list;
                $(let $rest = none.clone();)*
                ($a, $b, $c)
            }
        }
    )*};
}

lists! {
    [a b c]
    (): () [] [a A, b B, c C];
    (A, ()): (a, ()) [A] [b B, c C];
    (A, (B, ())): (a, (b, ())) [A, B] [c C];
    (A, (B, (C, ()))): (a, (b, (c, ()))) [A, B, C] [];
}
