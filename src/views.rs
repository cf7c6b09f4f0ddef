//! Views: what a phase hands out to the threads of a group.
//!
//! | a view of | gives each thread |
//! |---|---|
//! | workgroup memory | a slot: [`Elements`], [`ElementsMut`]; all of it: [`Shared`], [`Atomics`] |
//! | slices and matrices that nobody writes | an element, if there is one: [`ReadElements`], [`ReadTile`], [`Deinterleaved`] |
//! | what threads own | their element: [`OwnMut`], [`NewMut`] |
//! | what a group owns | an element or a patch: [`RowPart`], [`InnerMut`], [`Patches`], [`Patch`], [`OfGroup`] |
//!
//! [`EachFrom`] has the method of slices. [`Take`] and [`First`] are views with which only some threads get an item.
//! [`Items`] is a view or a tuple of views, [`View`] one alone, and [`Whole`] those with which every thread takes part.
//!
//! ```
//! use gridwright::prelude::*;
//! use gridwright::views::Items;
//!
//! /// Runs a phase on whatever is handed out, and says how many threads the group has.
//! fn touched<S: GroupShape>(g: &Group<'_, S>, views: impl Items) -> usize {
//!     g.each(views, |_, _| {});
//!     g.len()
//! }
//! ```

pub use gridwright_device::{
    Atomics, Deinterleaved, EachFrom, Elements, ElementsMut, First, InnerMut, Items, NewMut, OfGroup, OwnMut,
    Patch, Patches, ReadElements, ReadTile, RowPart, Shared, Take, View, Whole,
};
