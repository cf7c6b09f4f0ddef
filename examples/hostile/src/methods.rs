//! Methods that are in the way.

/// A trait whose methods take everything by value, so that they come before others of their names that take a reference.
#[allow(clippy::len_without_is_empty)] // it isn't a container's
pub trait Methods: ::core::marker::Sized {
    /// Far too many.
    fn len(self) -> usize {
        usize::MAX
    }

    /// Far too many.
    fn rows(self) -> usize {
        usize::MAX
    }

    /// Far too many.
    fn cols(self) -> usize {
        usize::MAX
    }

    /// The wrong one.
    fn index(self) -> usize {
        usize::MAX
    }

    /// The wrong one.
    fn first_group(self) -> usize {
        usize::MAX
    }

    /// Nothing.
    fn fixed<T>(self) {}

    /// Nothing.
    fn partition<T>(self, _: usize) {}

    /// Nothing.
    fn of_cluster<T>(self, _: T) {}

    /// Nothing is checked.
    fn check<A, B, C, D>(self, _: A, _: B, _: C, _: D) {}

    /// No words.
    fn words(self) {}

    /// No digest.
    fn digest(self) {}

    /// No extents.
    fn extents(self) {}

    /// An element for everybody, also where there is none.
    fn get_mut<T>(self, _: T) -> ::core::option::Option<&'static mut u32> {
        ::core::option::Option::None
    }
}

impl<T> Methods for T {}
