//! What a build made of a kernel, for tools that show it: the images that are left on disk, their machine code where a disassembler
//! is installed, what a kernel takes of a device, and the CPU's assembly.
//!
//! Nothing is built here. A tool runs cargo, and says with cargo's messages where the build script wrote.
//!
//! ```no_run
//! use gridwright_build::inspect;
//!
//! for target in inspect::built_targets("target/release/build/hello-0123/out".as_ref())? {
//!     for image in &target.images {
//!         println!("{} for {}: {:?}", target.name(), image.architecture.name(), image.kernels);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amd;
mod built;
mod cpu;
mod nvidia;
mod programs;
mod resources;
mod table;
mod target;
#[cfg(test)]
mod tests;

pub use amd::AmdTools;
pub use built::{BuiltImage, BuiltKernel, BuiltTarget, Embedded, built_targets};
pub use cpu::{CpuFunction, CpuListing};
pub use nvidia::NvidiaTools;
pub use programs::ToolError;
pub use resources::Resources;
pub use target::Target;
