//! What a build script calls.

use std::path::Path;

use crate::environment::{self, Environment};
use crate::toolchain::{self, Missing, Toolchain};
use crate::{directives, pipeline};

/// Compiles the kernels of the package whose build script calls this.
///
/// A device build's problems are reported to cargo: errors in kernels as errors of the host build, at
/// their own file and line; a missing compiler as one warning. This never panics.
///
/// # From CUDA
/// `nvcc`, which compiles device code beside the host's.
pub fn compile_kernels() {
    println!("{}", directives::ALWAYS);
    let environment = Environment::of_process();
    // Within a device build, the build scripts of dependencies have nothing to do.
    if environment.is_on(environment::INNER) {
        return;
    }
    for line in directives::lines(&pipeline::run(&environment)) {
        println!("{line}");
    }
}

/// The compiler and the library sources that [`compile_kernels`] would choose here, or what is
/// missing. An archive of sources is unpacked under `cache`.
///
/// # Errors
/// A missing part, with the command that gets it.
pub fn find_toolchain(cache: &Path) -> Result<Toolchain, Missing> {
    toolchain::find(&Environment::of_process(), cache)
}
