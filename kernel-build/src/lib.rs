//! Compiles a package's GPU kernels from its build script.
//!
//! ```no_run
//! // build.rs
//! fn main() {
//!     gridwright_build::compile_kernels();
//! }
//! ```
//!
//! The same source files that the host build compiles are compiled a second time, by a nightly
//! compiler, for each wanted GPU architecture; the images end up in the program. Where that compiler
//! is missing, the program is built without them and runs on the CPU, and one warning says which
//! command gets what is missing. Nothing is installed, and nothing written outside of cargo's build folder;
//! cargo may download crates, as in any build.
//!
//! # Settings
//!
//! ```toml
//! [package.metadata.gridwright]
//! architectures = ["sm_80", "gfx942", "gfx1100"]   # the default
//! device-dependencies = ["glam"]                   # what kernels use beside `gridwright`
//! modules = ["kernels"]                            # the modules that are the device's code; without it, all of the crate
//! machine-code = ["sm_90"]                         # chips that this machine's ptxas compiles for
//! cpu-code = "all"                                 # the default; or "native": this machine's widest instruction set alone
//! debug-checks = true                              # overflow checks and `debug_assert!`; by default those of the profile
//! notes = false                                    # says nothing of kernels that cost more than they look
//! test-kernels = true                              # images for kernels of unit tests; by default in debug builds
//! ```
//!
//! Of AMD's architectures each has its own machine code. A generic one, `gfx9-4-generic` or `gfx11-generic`, runs on all devices of its
//! family with HIP 6.3 or newer. A device takes the image for its own architecture before a generic one.
//!
//! `architectures` and `cpu-code` may be tables by targets' names, such as `{ name_of_the_test = ["sm_80"] }`: targets that aren't named have
//! the default.
//!
//! | variable | meaning |
//! |---|---|
//! | `GRIDWRIGHT_ARCHITECTURES` | overrides the architectures: names with commas or spaces between them |
//! | `GRIDWRIGHT_MACHINE_CODE` | overrides the chips that the program has machine code for |
//! | `GRIDWRIGHT_CPU_CODE` | overrides `cpu-code` |
//! | `GRIDWRIGHT_DEBUG_CHECKS` | `1` or `0`: overrides `debug-checks` |
//! | `GRIDWRIGHT_NOTES` | `1` or `0`: overrides `notes` |
//! | `GRIDWRIGHT_TEST_KERNELS` | `1` or `0`: overrides `test-kernels` |
//! | `GRIDWRIGHT_PTXAS` | the ptxas that makes it: the program or its folder |
//! | `GRIDWRIGHT_TOOLCHAIN` | the compiler: a rustup toolchain's name or a folder |
//! | `GRIDWRIGHT_RUST_SRC` | the library's sources, where the toolchain has none: a folder or a `.tar.xz` |
//! | `GRIDWRIGHT_NO_MATRIX_UNITS` | multiplies fragments in software on AMD, to compare with or where an emulator lacks the instructions |
//! | `GRIDWRIGHT_SKIP_DEVICE` | builds no GPU code |
//! | `GRIDWRIGHT_REQUIRE_DEVICE` | turns a missing compiler from a warning into an error |
//!
//! # How it works
//!
//! A pipeline, each of whose stages is a module that takes data and returns data and diagnostics:
//! *discover* → *settings* → *toolchain* → *plan* → *compile* → *unroll* → *mend* → *lower* → *image* → *check* → *optimise* → *avoid* →
//! *assemble* → *table*.
//!
//! # Limits
//!
//! - A binary, example, test or bench may call device functions of its own package's library if that
//!   library holds kernels itself, or if `device-dependencies` lists the package's own name.
//! - Kernels in doc tests compile on the host and are in no image: rustdoc makes a crate of each example when tests run, after the build
//!   script has.
//! - What a library's build script writes isn't there in the device build of another package.
//! - `[patch]` tables of a workspace's manifest don't reach the device build; those of cargo's
//!   configuration files do.
//!
//! # From CUDA
//! `nvcc`. An architecture `sm_80` is `-gencode arch=compute_80,code=compute_80`, and `machine-code` adds
//! `code=sm_90`.

#![forbid(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::needless_doctest_main, reason = "the example is a whole build script")]

mod architecture;
mod assemble;
mod avoid;
mod build_script;
mod check;
mod compile;
mod diagnostic;
mod directives;
mod discover;
mod environment;
mod files;
mod image;
#[cfg(feature = "inspect")]
pub mod inspect;
mod ir;
mod llvm;
mod lower;
mod mend;
mod names;
mod notes;
mod optimise;
mod pipeline;
mod plan;
mod progress;
mod settings;
mod table;
mod toolchain;
mod unroll;
mod workers;

#[cfg(test)]
mod tests;

pub use architecture::{Architecture, Family};
pub use build_script::{compile_kernels, find_toolchain};
pub use diagnostic::{Diagnostic, Severity};
pub use toolchain::{Missing, PINNED as PINNED_TOOLCHAIN, Toolchain, Version};
