//! clang, which compiles HIP, and LLVM's tools that read code objects: Debian's, unpacked under `target/`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use object::Endianness;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol};

use super::Cost;
use crate::call::Call;
use crate::workspace::Workspace;

/// The version whose LLVM is that of the device toolchain.
const VERSION: &str = "22";

/// The tools that are called, or that clang calls.
const TOOLS: &[&str] = &["clang++", "ld.lld", "llvm-mc", "llvm-readobj"];

/// Packages of Debian 12 and its security updates: the tools, and those of their libraries that a small system lacks.
const PACKAGES: &[&str] = &[
    "clang-22",
    "libbsd0",
    "libclang-cpp22",
    "libedit2",
    "libicu72",
    "libllvm22",
    "libxml2",
    "libz3-4",
    "lld-22",
    "llvm-22",
];

pub(crate) struct Clang {
    bin: PathBuf,
    /// The folder of the tools' libraries, if not where the system looks.
    libraries: Option<PathBuf>,
}

impl Clang {
    /// The system's tools, if it has that version; else the packages are downloaded and unpacked, which
    /// needs no rights.
    ///
    /// # Errors
    /// Where there is no `apt-get`, or no such package.
    pub(crate) fn install(workspace: &Workspace) -> anyhow::Result<Self> {
        let installed = PathBuf::from(format!("/usr/lib/llvm-{VERSION}/bin"));
        if TOOLS.iter().all(|tool| installed.join(tool).is_file()) {
            return Ok(Self { bin: installed, libraries: None });
        }
        let folder = workspace.metadata.target_directory.join(format!("llvm-{VERSION}")).into_std_path_buf();
        // Written last: a folder that was interrupted is made anew.
        let record = folder.join("packages.txt");
        let wanted = PACKAGES.join("\n");
        if fs::read_to_string(&record).is_ok_and(|had| had == wanted) {
            return Ok(Self::unpacked(&folder));
        }
        println!("unpacking {} into {}", PACKAGES.join(", "), folder.display());
        let _ = fs::remove_dir_all(&folder);
        let packages = folder.join("packages");
        fs::create_dir_all(&packages).with_context(|| format!("can't make {}", packages.display()))?;
        let download = ["download", "-qq"].iter().chain(PACKAGES);
        let download = Call::new(workspace, "apt-get").arguments(download).directory(&packages);
        if !download.works() {
            // A system that was just made has no lists.
            Call::new(workspace, "apt-get").arguments(["update", "-qq"]).run()?;
            download.run()?;
        }
        for package in fs::read_dir(&packages)? {
            let unpack = Call::new(workspace, "dpkg-deb").arguments(["--extract"]);
            unpack.arguments([package?.path(), folder.join("root")]).run()?;
        }
        fs::remove_dir_all(&packages)?;
        fs::write(&record, wanted).with_context(|| format!("can't write {}", record.display()))?;
        Ok(Self::unpacked(&folder))
    }

    fn unpacked(folder: &Path) -> Self {
        let usr = folder.join("root").join("usr");
        let libraries = usr.join("lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
        Self { bin: usr.join(format!("lib/llvm-{VERSION}/bin")), libraries: Some(libraries) }
    }

    /// Compiles HIP to a code object.
    pub(crate) fn compile(
        &self,
        source: &Path,
        architecture: &str,
        code_object: &Path,
    ) -> anyhow::Result<()> {
        let offload = format!("--offload-arch={architecture}");
        let arguments = [
            "-x",
            "hip",
            "--cuda-device-only",
            &offload,
            // HIP's headers and libraries come with ROCm: the source does without.
            "-nogpulib",
            "-nogpuinc",
            "-fdeclspec",
            "-O3",
            "-mcode-object-version=5",
            "--no-gpu-bundle-output",
            "-o",
        ];
        let files = [code_object.as_os_str(), source.as_os_str()];
        self.run("clang++", &[&arguments.map(OsStr::new)[..], &files].concat()).map(drop)
    }

    /// What the kernels of a code object cost. `scratch` is a folder for a file.
    pub(crate) fn costs(
        &self,
        architecture: &str,
        code_object: &Path,
        scratch: &Path,
    ) -> anyhow::Result<BTreeMap<String, Cost>> {
        let notes = self.notes(code_object)?;
        let bytes = fs::read(code_object).with_context(|| format!("can't read {}", code_object.display()))?;
        let mut costs = BTreeMap::new();
        for (name, registers) in registers(&notes) {
            let listing = self.listing(architecture, &bytes, &name, scratch)?;
            costs.insert(name, Cost { registers, instructions: instructions(&listing), behind: 0 });
        }
        Ok(costs)
    }

    /// What a code object says of its kernels.
    pub(crate) fn notes(&self, code_object: &Path) -> anyhow::Result<String> {
        self.run("llvm-readobj", &["--notes".as_ref(), code_object.as_os_str()])
    }

    /// How often each instruction is in a kernel of a code object. `scratch` is a folder for a file.
    pub(crate) fn mnemonics(
        &self,
        architecture: &str,
        code_object: &Path,
        kernel: &str,
        scratch: &Path,
    ) -> anyhow::Result<BTreeMap<String, u32>> {
        let bytes = fs::read(code_object).with_context(|| format!("can't read {}", code_object.display()))?;
        Ok(mnemonics(&self.listing(architecture, &bytes, kernel, scratch)?))
    }

    /// The instructions of a kernel.
    fn listing(
        &self,
        architecture: &str,
        code_object: &[u8],
        kernel: &str,
        scratch: &Path,
    ) -> anyhow::Result<String> {
        let code = scratch.join("code.txt");
        fs::write(&code, numbers(function(code_object, kernel)?))?;
        let cpu = format!("--mcpu={architecture}");
        let arguments = ["--disassemble", "--triple=amdgcn-amd-amdhsa", &cpu].map(OsStr::new);
        let listing = self.run("llvm-mc", &[&arguments[..], &[code.as_os_str()]].concat())?;
        ensure!(!listing.contains("warning:"), "{kernel} isn't code for {architecture}: {listing}");
        Ok(listing)
    }

    /// Runs a tool: both of its streams, if it ends well.
    fn run(&self, tool: &str, arguments: &[&OsStr]) -> anyhow::Result<String> {
        let mut command = Command::new(self.bin.join(tool));
        if let Some(libraries) = &self.libraries {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        let output = command.args(arguments).output().with_context(|| format!("can't start {tool}"))?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        ensure!(output.status.success(), "{tool} {}: {text}", output.status);
        Ok(text)
    }
}

/// The code of a kernel.
fn function<'b>(code_object: &'b [u8], name: &str) -> anyhow::Result<&'b [u8]> {
    let file = ElfFile64::<Endianness>::parse(code_object)?;
    let symbol = file.symbol_by_name(name).with_context(|| format!("no symbol {name}"))?;
    let section = file.section_by_index(symbol.section_index().context("a symbol of no section")?)?;
    let code = section.data_range(symbol.address(), symbol.size())?;
    code.with_context(|| format!("the code of {name} lies outside of its section"))
}

/// Bytes as `llvm-mc` reads them.
fn numbers(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:#04x} ");
        text
    })
}

/// The vector registers of a thread of each kernel, in the notes of a code object as `llvm-readobj` prints them. Where the
/// architecture has accumulation registers they are of the same file, and this is the number of both.
fn registers(notes: &str) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let mut kernel = None;
    for line in notes.lines() {
        let line = line.trim_start_matches([' ', '-']);
        if let Some(symbol) = line.strip_prefix(".symbol:") {
            kernel = symbol.trim().strip_suffix(".kd").map(str::to_owned);
        } else if let Some(registers) = line.strip_prefix(".vgpr_count:")
            && let Ok(registers) = registers.trim().parse()
            && let Some(kernel) = kernel.take()
        {
            found.insert(kernel, registers);
        }
    }
    found
}

/// The instructions in a listing, without those that do nothing.
fn instructions(listing: &str) -> u32 {
    let is_padding = |name: &&str| name.starts_with("s_nop") || name.starts_with("s_code_end");
    names(listing).filter(|name| !is_padding(name)).count() as u32
}

/// How often each instruction is in a listing.
fn mnemonics(listing: &str) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    for name in names(listing) {
        *found.entry(name.to_owned()).or_default() += 1;
    }
    found
}

/// The name of each instruction in a listing.
fn names(listing: &str) -> impl Iterator<Item = &str> {
    let lines = listing.lines().map(str::trim).filter(|line| !line.starts_with(['.', '/', ';']));
    lines.filter_map(|line| line.split_whitespace().next())
}

#[cfg(test)]
mod tests {
    use super::{instructions, mnemonics, numbers, registers};

    #[test]
    fn registers_are_read_by_kernel() {
        let notes = "amdhsa.kernels:\n  - .agpr_count: 0\n    .args:\n      - .name: vgpr_count\n        .size: 8\n    \
                     .name: first\n    .symbol:         first.kd\n    .vgpr_count:     9\n  - .args:\n    \
                     .symbol:         second.kd\n    .vgpr_count:     12\n";
        let found: Vec<_> = registers(notes).into_iter().collect();
        assert_eq!(found, [("first".into(), 9), ("second".into(), 12)]);
    }

    #[test]
    fn what_does_nothing_is_not_counted() {
        let listing = "\t.amdgcn_target \"gfx942\"\n\ts_load_dword s8, s[0:1], 0x18  // a comment\n\ts_nop 0\n\n\ts_endpgm\n\
                       \ts_code_end\n";
        assert_eq!(instructions(listing), 2);
    }

    #[test]
    fn instructions_are_counted_by_name() {
        let listing = "\t.amdgcn_target \"gfx942\"\n\tv_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]\n\ts_endpgm\n\
                       \tv_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]\n";
        let found: Vec<_> = mnemonics(listing).into_iter().collect();
        assert_eq!(found, [("s_endpgm".into(), 1), ("v_mfma_f64_16x16x4_f64".into(), 2)]);
    }

    #[test]
    fn bytes_have_two_digits() {
        assert_eq!(numbers(&[0, 0x81, 0xbf]), "0x00 0x81 0xbf ");
    }
}
