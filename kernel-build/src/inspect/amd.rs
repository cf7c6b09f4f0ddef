//! LLVM's disassembler, for AMD's code objects.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::programs::{self, ToolError};

const NAME: &str = "llvm-objdump";
const REMEDY: &str = "run `rustup component add llvm-tools --toolchain nightly`, or install LLVM of at least the version that \
                      knows the architecture";

/// Versions that may be installed under a name of their own, the newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 15..=30;

/// LLVM's disassemblers that are installed and were built for AMD's GPUs too: the device toolchain's, those on `PATH`, ROCm's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmdTools {
    disassemblers: Vec<PathBuf>,
}

impl AmdTools {
    /// Looks for the disassemblers; `sysroot` is the device toolchain's folder, if there is one.
    ///
    /// ```
    /// use gridwright_build::inspect::AmdTools;
    ///
    /// println!("{:?}", AmdTools::find(None));
    /// ```
    pub fn find(sysroot: Option<&Path>) -> Self {
        let of_toolchain = sysroot.into_iter().flat_map(|sysroot| {
            let hosts = fs::read_dir(sysroot.join("lib/rustlib")).into_iter().flatten();
            hosts.filter_map(Result::ok).map(|host| host.path().join("bin").join(NAME))
        });
        let numbered = VERSIONS.rev().filter_map(|version| programs::find(&format!("{NAME}-{version}"), &[]));
        let rocm = [programs::folder("ROCM_PATH"), Some(PathBuf::from("/opt/rocm"))];
        let rocm = rocm.into_iter().flatten().map(|folder| folder.join("llvm/bin").join(NAME));
        let plain = programs::find(NAME, &[]);
        let all = of_toolchain.chain(plain).chain(numbered).chain(rocm);
        Self { disassemblers: all.filter(|program| program.is_file() && knows_amd(program)).collect() }
    }

    /// The disassemblers that there are, in the order in which they are asked.
    ///
    /// ```
    /// use gridwright_build::inspect::AmdTools;
    ///
    /// println!("{} found", AmdTools::find(None).disassemblers().len());
    /// ```
    pub fn disassemblers(&self) -> &[PathBuf] {
        &self.disassemblers
    }

    /// The machine code of a kernel of a code object, as text, by the first tool that knows the architecture.
    ///
    /// # Errors
    /// Where there is no such tool.
    ///
    /// ```no_run
    /// use gridwright_build::inspect::AmdTools;
    ///
    /// println!("{}", AmdTools::find(None).disassemble("bin-hello.gfx942.hsaco".as_ref(), "saxpy")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn disassemble(&self, code_object: &Path, kernel: &str) -> Result<String, ToolError> {
        let mut error = ToolError::Missing { tool: NAME, remedy: REMEDY };
        for program in &self.disassemblers {
            let symbols = format!("--disassemble-symbols={kernel}");
            match programs::run(program, &[OsStr::new(&symbols), code_object.as_os_str()]) {
                Ok(said) => match listing(&said.output, kernel) {
                    Some(listing) => return Ok(listing),
                    None => {
                        let text = format!(
                            "it doesn't know the architecture, or shows no code of `{kernel}`: {REMEDY}"
                        );
                        error = ToolError::failed(program, text);
                    }
                },
                // Older ones don't even know the vendor.
                Err(ToolError::Failed { tool, message }) => {
                    error = ToolError::Failed { tool, message: format!("{message}; {REMEDY}") };
                }
                Err(missing) => error = missing,
            }
        }
        Err(error)
    }
}

/// Whether AMD's GPUs are among the targets that a program of LLVM's says it was built for.
fn knows_amd(program: &Path) -> bool {
    programs::run(program, &[OsStr::new("--version")]).is_ok_and(|said| said.output.contains("amdgcn"))
}

/// The lines of a kernel in what `llvm-objdump` prints; `None` where it could read none of them.
pub(super) fn listing(printed: &str, kernel: &str) -> Option<String> {
    let label = format!("<{kernel}>:");
    let lines = printed.lines().skip_while(|line| !line.ends_with(&label));
    let mut text: String = lines.flat_map(|line| [line, "\n"]).collect();
    text.truncate(text.trim_end().len());
    text.push('\n');
    // Each kernel ends so.
    (text.contains("s_endpgm") && !text.contains("<unknown>")).then_some(text)
}
