//! Work that is recorded once and replayed again and again.

mod builder;
mod capture;
mod draft;
mod node;
mod replay;

pub use builder::GraphBuilder;
pub(crate) use capture::Capture;
pub use node::Node;
pub use replay::Graph;
