//! NVIDIA's compiler, assembler and disassembler, from Python's package index.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::Cost;
use crate::call::{Call, in_front};
use crate::python::Python;
use crate::workspace::Workspace;

/// Compiler, headers and tools of one release.
pub(crate) const PACKAGES: &[&str] = &[
    "nvidia-cuda-nvcc==13.5.37",
    "nvidia-cuda-crt==13.5.37",
    "nvidia-nvvm==13.5.37",
    "nvidia-cuda-runtime==13.5.37",
    "nvidia-cuda-nvdisasm==13.5.37",
    "nvidia-cuda-cccl==13.3.5.0.6",
];

/// Architecture that machine code is made for.
pub(crate) const ARCHITECTURE: &str = "sm_90";

pub(crate) struct Toolkit {
    bin: PathBuf,
}

impl Toolkit {
    pub(crate) fn install(workspace: &Workspace) -> anyhow::Result<Self> {
        let python = Python::with(workspace, "cuda", PACKAGES)?;
        Ok(Self { bin: python.package_folder("nvidia/cu13")?.join("bin") })
    }

    /// The folder of the headers of Thrust and CUB.
    pub(crate) fn thrust(&self) -> anyhow::Result<PathBuf> {
        let folder = self.bin.with_file_name("include").join("cccl");
        ensure!(folder.join("thrust").is_dir(), "there is no {}", folder.join("thrust").display());
        Ok(folder)
    }

    /// The folder of the tools.
    pub(crate) fn bin(&self) -> &Path {
        &self.bin
    }

    /// Compiles CUDA C to machine code.
    pub(crate) fn compile(&self, source: &Path, cubin: &Path) -> anyhow::Result<BTreeMap<String, Cost>> {
        let arch = format!("-arch={ARCHITECTURE}");
        let call = self.tool("nvcc")?.arguments(["-O3", "-cubin", "-Xptxas", "-v", &arch, "-o"]);
        self.costs(&call.arguments([cubin, source]).said()?, cubin)
    }

    /// Compiles CUDA C to machine code for several architectures, in one file.
    pub(crate) fn compile_for(
        &self,
        source: &Path,
        architectures: &[u32],
        fat_binary: &Path,
    ) -> anyhow::Result<()> {
        let call = self.tool("nvcc")?.arguments(["-O3", "-fatbin"]).arguments(machine_code(architectures));
        call.arguments(["-o".as_ref(), fat_binary, source]).said().map(drop)
    }

    /// Compiles CUDA C++ that may use CUB to a shared library for several architectures, with CUDA's runtime in it.
    pub(crate) fn compile_library(
        &self,
        source: &Path,
        architectures: &[u32],
        library: &Path,
    ) -> anyhow::Result<()> {
        let flags = ["-std=c++17", "-O3", "-shared", "-Xcompiler", "-fPIC", "-cudart", "static", "-I"];
        let call = self.tool("nvcc")?.arguments(machine_code(architectures)).arguments(flags);
        let call = call.arguments([self.thrust()?, "-L".into(), self.bin.with_file_name("lib")]);
        call.arguments(["-o".as_ref(), library, source]).said().map(drop)
    }

    /// Compiles CUDA C to PTX.
    pub(crate) fn compile_to_ptx(&self, source: &Path, architecture: u32, ptx: &Path) -> anyhow::Result<()> {
        let arch = format!("-arch=compute_{architecture}");
        let call = self.tool("nvcc")?.arguments(["-O3", "-ptx", &arch, "-o"]);
        call.arguments([ptx, source]).said().map(drop)
    }

    /// Assembles PTX to machine code.
    pub(crate) fn assemble(&self, ptx: &Path, cubin: &Path) -> anyhow::Result<BTreeMap<String, Cost>> {
        let arch = format!("-arch={ARCHITECTURE}");
        let call = self.tool("ptxas")?.arguments(["-v", &arch, "-o"]);
        self.costs(&call.arguments([cubin, ptx]).said()?, cubin)
    }

    fn costs(&self, said: &str, cubin: &Path) -> anyhow::Result<BTreeMap<String, Cost>> {
        let instructions = instructions(&self.listing(cubin)?);
        let costs = registers(said).into_iter().filter_map(|(name, registers)| {
            let (own, behind) = *instructions.get(&name)?;
            Some((name, Cost { registers, instructions: own, behind }))
        });
        Ok(costs.collect())
    }

    /// How often each opcode is in a kernel, without what follows its first point.
    pub(crate) fn opcodes(&self, cubin: &Path, kernel: &str) -> anyhow::Result<BTreeMap<String, u32>> {
        Ok(opcodes(&self.listing(cubin)?, kernel))
    }

    fn listing(&self, cubin: &Path) -> anyhow::Result<String> {
        self.tool("nvdisasm")?.arguments(["-c".as_ref(), cubin]).said()
    }

    /// A tool. nvcc looks for its parts on the path.
    fn tool(&self, name: &str) -> anyhow::Result<Call> {
        Ok(Call::in_folder(".", self.bin.join(name)).variable("PATH", in_front("PATH", &[&self.bin])?))
    }
}

/// What has nvcc make machine code for architectures.
fn machine_code(architectures: &[u32]) -> Vec<String> {
    let code = |of: &u32| format!("-gencode=arch=compute_{of},code=sm_{of}");
    architectures.iter().map(code).collect()
}

/// The registers of each entry, in what ptxas says with `-v`.
fn registers(said: &str) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let mut entry = None;
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            entry = rest.split('\'').next().map(str::to_owned);
        } else if let Some((_, rest)) = line.split_once("Used ")
            && let Some(registers) = rest.split(' ').next().and_then(|number| number.parse().ok())
            && let Some(entry) = entry.take()
        {
            found.insert(entry, registers);
        }
    }
    found
}

/// The instructions of each kernel in a listing of nvdisasm, without those that pad: its own, and those of the functions behind it, of
/// which each kernel has a copy.
fn instructions(listing: &str) -> BTreeMap<String, (u32, u32)> {
    let mut found = BTreeMap::<String, (u32, u32)>::new();
    each_instruction(listing, |kernel, is_behind, _| {
        let (own, behind) = found.entry(kernel.to_owned()).or_default();
        *if is_behind { behind } else { own } += 1;
    });
    found
}

/// The opcodes of one kernel's own instructions.
fn opcodes(listing: &str, kernel: &str) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    each_instruction(listing, |of, is_behind, instruction| {
        let mut words = instruction.split_whitespace().skip_while(|word| word.starts_with('@'));
        if of == kernel
            && !is_behind
            && let Some(opcode) = words.next()
        {
            let stem = opcode.split('.').next().unwrap_or(opcode);
            *found.entry(stem.to_owned()).or_default() += 1;
        }
    });
    found
}

/// Calls `body` with each instruction that doesn't pad, its kernel, and whether it is of a function behind that.
fn each_instruction<'l>(listing: &'l str, mut body: impl FnMut(&str, bool, &'l str)) {
    let mut section = None;
    let mut is_behind = false;
    for line in listing.lines() {
        if let Some(name) = line.strip_prefix(".text.").and_then(|rest| rest.strip_suffix(':')) {
            section = Some(name.to_owned());
            is_behind = false;
        } else if line.starts_with('$') && line.ends_with(':') {
            is_behind = true;
        } else if let Some(section) = &section
            && let Some((_, instruction)) =
                line.trim_start().strip_prefix("/*").and_then(|rest| rest.split_once("*/"))
            && !instruction.trim().starts_with("NOP")
        {
            body(section, is_behind, instruction.trim());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{instructions, opcodes, registers};

    #[test]
    fn registers_are_read_by_entry() {
        let said = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'sobel' for 'sm_90'\n\
                    ptxas info    : Function properties for sobel\nptxas info    : Used 30 registers, used 0 barriers\n";
        assert_eq!(registers(said).into_iter().collect::<Vec<_>>(), [("sobel".into(), 30)]);
    }

    #[test]
    fn padding_is_not_counted() {
        let listing = ".text.add:\n        /*0000*/                   LDC R1, c[0x0][0x28] ;\n.L_x_0:\n\
                       \u{20}       /*0010*/                   EXIT ;\n        /*0020*/                   NOP;\n";
        let counts: Vec<_> = instructions(listing).into_iter().collect();
        assert_eq!(counts, [("add".into(), (2, 0))]);
    }

    #[test]
    fn opcodes_are_counted_with_and_without_a_guard() {
        let listing = ".text.mul:\n        /*0000*/                   HMMA.16816.F32 R4, R8, R2, R4 ;\n\
                       \u{20}       /*0010*/              @!P0 HMMA.16816.F32 R4, R8, R2, R4 ;\n.text.add:\n\
                       \u{20}       /*0000*/                   HMMA.16816.F32 R4, R8, R2, R4 ;\n";
        assert_eq!(opcodes(listing, "mul").into_iter().collect::<Vec<_>>(), [("HMMA".into(), 2)]);
    }

    #[test]
    fn functions_behind_a_kernel_are_counted_apart() {
        let listing = ".text.add:\n        /*0000*/                   EXIT ;\n\
                       \u{20}       .type           $add$panic,@function\n$add$panic:\n\
                       \u{20}       /*0010*/                   EXIT ;\n.text.mul:\n        /*0000*/                   EXIT ;\n";
        let counts: Vec<_> = instructions(listing).into_iter().collect();
        assert_eq!(counts, [("add".into(), (1, 1)), ("mul".into(), (1, 0))]);
    }
}
