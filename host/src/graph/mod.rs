//! Work that is recorded once and replayed again and again.

mod builder;
mod capture;
mod draft;
mod graph;
mod node;

pub use builder::GraphBuilder;
pub(crate) use capture::Capture;
pub(crate) use draft::Draft;
pub use graph::Graph;
pub use node::Node;
