//! Views: for each kind of memory, the items that a phase hands out to threads.

mod atomics;
mod both;
mod by_value;
mod deinterleaved;
mod elements;
mod first;
mod inner;
mod items;
mod lane_items;
mod new;
mod of_group;
mod own;
mod patches;
mod read;
mod shared;
mod slots;
mod view;

pub(crate) use atomics::MOST_IN_REGISTERS;
pub use atomics::{Atomics, WorkgroupAtomics};
pub(crate) use by_value::{copied, item, put_back};
pub use deinterleaved::{Deinterleaved, DeinterleavedSizes};
pub use elements::{Elements, ElementsMut, Take};
pub use first::First;
pub use inner::{InnerMut, InnerWindow};
pub use items::{Items, Whole};
pub use lane_items::LaneItems;
pub use new::{NewMut, NewSizes};
pub use of_group::OfGroup;
pub use own::OwnMut;
pub(crate) use own::check_launch;
pub use patches::{Patch, Patches};
pub use read::{EachFrom, ReadElements, ReadSizes, ReadTile, TileWindow};
pub use shared::Shared;
pub use slots::{FixedSlots, Linear, OneAxis, Padded, Reversed, SlotMap, Slots, Strided, Transposed};
pub use view::{Access, Keep, View};
