//! clang, which compiles HIP, and LLVM's tools that read code objects: Debian's, unpacked under `target/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use fs_err as fs;
use itertools::Itertools;
use object::Endianness;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol};

use super::Cost;
use crate::call::Call;
use crate::debian::{self, Packages};
use crate::workspace::Workspace;

/// The folder of the tools of the version whose LLVM is that of the device toolchain.
const BIN: &str = "usr/lib/llvm-22/bin";

/// The tools that are called, or that clang calls.
const TOOLS: &[&str] = &["clang++", "ld.lld", "llvm-mc", "llvm-readobj"];

/// Packages of Debian 12 and its security updates: the tools, and those of their libraries that a small system lacks.
const PACKAGES: Packages = Packages {
    folder: "llvm-22/root",
    package: None,
    alone: &[
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
    ],
};

pub(crate) struct Clang {
    bin: PathBuf,
    /// The folder of the tools' libraries, if not where the system looks.
    libraries: Option<PathBuf>,
}

impl Clang {
    /// The system's tools, if it has that version; else the packages are downloaded and unpacked, which
    /// needs no rights.
    pub(crate) fn install(workspace: &Workspace) -> anyhow::Result<Self> {
        let is_whole = |root: &Path| TOOLS.iter().all(|tool| root.join(BIN).join(tool).is_file());
        let system = Path::new("/");
        if is_whole(system) {
            return Ok(Self { bin: system.join(BIN), libraries: None });
        }
        let unpacked = PACKAGES.unpack(workspace, is_whole)?;
        Ok(Self { bin: unpacked.join(BIN), libraries: Some(debian::libraries(&unpacked)) })
    }

    /// Compiles HIP to a code object.
    pub(crate) fn compile(
        &self,
        source: &Path,
        architecture: &str,
        code_object: &Path,
    ) -> anyhow::Result<()> {
        let call = self.tool("clang++").arguments(["-x", "hip", "--cuda-device-only"]);
        let call = call.arguments([format!("--offload-arch={architecture}")]);
        // HIP's headers and libraries come with ROCm: the source does without.
        let call = call.arguments(["-nogpulib", "-nogpuinc", "-fdeclspec", "-O3", "-mcode-object-version=5"]);
        call.arguments(["--no-gpu-bundle-output", "-o"]).arguments([code_object, source]).said().map(drop)
    }

    /// What the kernels of a code object cost. `scratch` is a folder for a file.
    pub(crate) fn costs(
        &self,
        architecture: &str,
        code_object: &Path,
        scratch: &Path,
    ) -> anyhow::Result<BTreeMap<String, Cost>> {
        let notes = self.notes(code_object)?;
        let bytes = fs::read(code_object)?;
        let mut costs = BTreeMap::new();
        for (name, registers) in registers(&notes) {
            let listing = self.listing(architecture, &bytes, &name, scratch)?;
            costs.insert(name, Cost { registers, instructions: instructions(&listing), behind: 0 });
        }
        Ok(costs)
    }

    /// What a code object says of its kernels.
    pub(crate) fn notes(&self, code_object: &Path) -> anyhow::Result<String> {
        self.tool("llvm-readobj").arguments(["--notes".as_ref(), code_object.as_os_str()]).said()
    }

    /// How often each instruction is in a kernel of a code object. `scratch` is a folder for a file.
    pub(crate) fn mnemonics(
        &self,
        architecture: &str,
        code_object: &Path,
        kernel: &str,
        scratch: &Path,
    ) -> anyhow::Result<BTreeMap<String, usize>> {
        let bytes = fs::read(code_object)?;
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
        let call = self.tool("llvm-mc").arguments(["--disassemble", "--triple=amdgcn-amd-amdhsa", &cpu]);
        let listing = call.arguments([code]).said()?;
        ensure!(!listing.contains("warning:"), "{kernel} isn't code for {architecture}: {listing}");
        Ok(listing)
    }

    fn tool(&self, name: &str) -> Call {
        let call = Call::in_folder(".", self.bin.join(name));
        self.libraries.iter().fold(call, |call, libraries| call.variable("LD_LIBRARY_PATH", libraries))
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
    bytes.iter().map(|byte| format!("{byte:#04x} ")).collect()
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
fn mnemonics(listing: &str) -> BTreeMap<String, usize> {
    names(listing).map(str::to_owned).counts().into_iter().collect()
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
