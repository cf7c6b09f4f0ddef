//! Graphs: work that is recorded once and replayed by one call.
//!
//! | to | see |
//! |---|---|
//! | record what a stream is told | [`Stream::capture`](crate::Stream::capture) |
//! | build one, operation by operation | [`GraphBuilder`] |
//! | replay it, or give a launch other arguments | [`Graph`], [`Node`] |
//!
//! ```
//! use gridwright::graph::Graph;
//! use gridwright::prelude::*;
//!
//! #[gpu_kernel]
//! fn halve(t: Thread, mut x: PerThread<[f32]>) {
//!     if let Some(x) = x.get_mut(t) {
//!         *x *= 0.5;
//!     }
//! }
//!
//! # fn main() -> Result<(), gridwright::Error> {
//! let device = Device::cpu()?;
//! let stream = device.stream()?;
//! let kernel = halve::load(&device)?;
//! let mut x = stream.upload(&[8.0, 16.0])?;
//! let graph: Graph = stream.capture(|stream| {
//!     kernel.launch(stream, LaunchConfig::threads(2), (&mut x,))?;
//!     kernel.launch(stream, LaunchConfig::threads(2), (&mut x,))
//! })?;
//! graph.launch(&stream)?;
//! assert_eq!(stream.download(&x)?, [2.0, 4.0]);
//! # Ok(())
//! # }
//! ```

pub use gridwright_host::{Graph, GraphBuilder, Node};
