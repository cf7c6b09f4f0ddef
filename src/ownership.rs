//! Who owns what: the maps and lists that give each element, row, tile or segment to one thread or group.
//!
//! | to | see |
//! |---|---|
//! | give each thread another element or a column | [`Linear`], [`Reversed`], [`Transposed`], [`Columns`], [`Column`] |
//! | give each thread another slot of workgroup memory | [`SlotMap`]: those above, [`Strided`], [`Padded`] |
//! | give each group a tile where the launch says | [`PlacedTiles`]: [`Diagonal`], [`Offset`], [`Permuted`] |
//! | own segments of a slice, by offsets | [`Segments`], [`Offsets`] |
//! | write elements where the kernel found their places | [`Anywhere`] |
//! | own elements by a list | [`Scattered`], [`DistinctIndices`] |
//! | name what a launch is given for them | [`MatrixTiles`], [`BufferSegments`], [`BufferSegmentsMut`], [`BufferScattered`] |
//! | write a helper for any map | [`OwnMap`], [`OwnShape`], [`Owner`]; of groups, [`GroupMap`], [`GroupOwned`], [`Placement`], [`KnownPlacement`] |
//!
//! [`Tiles`](crate::Tiles) and [`Rows`](crate::Rows) are in the root.
//!
//! ```
//! use gridwright::prelude::*;
//!
//! /// The elements in the other order.
//! #[gpu_kernel(requires = x.len() == y.len())]
//! fn reverse(t: Thread, x: &[f32], mut y: PerThread<[f32], Reversed>) {
//!     if let Some(y) = y.get_mut(t) {
//!         *y = x[t.index()];
//!     }
//! }
//!
//! # fn main() -> Result<(), gridwright::Error> {
//! let device = Device::cpu()?;
//! let stream = device.stream()?;
//! let (x, mut y) = (stream.upload(&[1.0, 2.0, 3.0])?, stream.alloc_zeroed(3)?);
//! reverse::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&x, &mut y))?;
//! assert_eq!(stream.download(&y)?, [3.0, 2.0, 1.0]);
//! # Ok(())
//! # }
//! ```

pub use gridwright_device::{
    Anywhere, Column, Columns, Diagonal, GroupMap, GroupOwned, KnownPlacement, Linear, Offset, OwnMap,
    OwnShape, Owner, Padded, Permuted, PlacedTiles, Placement, Reversed, Scattered, Segments, SlotMap,
    Strided, Transposed,
};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use gridwright_host::{
    BufferScattered, BufferSegments, BufferSegmentsMut, DistinctIndices, MatrixTiles, Offsets,
};
