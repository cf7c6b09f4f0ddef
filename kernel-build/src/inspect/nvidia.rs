//! NVIDIA's assembler and disassemblers, of an installed CUDA toolkit.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Resources;
use super::programs::{self, ToolError};

const REMEDY: &str =
    "install NVIDIA's CUDA toolkit, and put its folder `bin` on PATH or its folder into CUDA_HOME";

/// NVIDIA's tools that are installed: on `PATH`, in `CUDA_HOME` or `CUDA_PATH`, or where the toolkit goes by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NvidiaTools {
    assembler: Option<PathBuf>,
    disassembler: Option<Disassembler>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Disassembler {
    Nvdisasm(PathBuf),
    Cuobjdump(PathBuf),
}

impl NvidiaTools {
    /// Looks for the tools.
    ///
    /// ```
    /// use gridwright_build::inspect::NvidiaTools;
    ///
    /// println!("{:?}", NvidiaTools::find());
    /// ```
    pub fn find() -> Self {
        let named = ["CUDA_HOME", "CUDA_PATH"].map(programs::folder).into_iter().flatten();
        let folders: Vec<_> =
            named.chain([PathBuf::from("/usr/local/cuda")]).map(|folder| folder.join("bin")).collect();
        let nvdisasm = || programs::find("nvdisasm", &folders).map(Disassembler::Nvdisasm);
        let cuobjdump = || programs::find("cuobjdump", &folders).map(Disassembler::Cuobjdump);
        Self { assembler: programs::find("ptxas", &folders), disassembler: nvdisasm().or_else(cuobjdump) }
    }

    /// `ptxas`, if it is there.
    ///
    /// ```
    /// use gridwright_build::inspect::NvidiaTools;
    ///
    /// println!("{:?}", NvidiaTools::find().assembler());
    /// ```
    ///
    /// # From CUDA
    /// `ptxas`.
    pub fn assembler(&self) -> Option<&Path> {
        self.assembler.as_deref()
    }

    /// `nvdisasm`, or else `cuobjdump`.
    ///
    /// ```
    /// use gridwright_build::inspect::NvidiaTools;
    ///
    /// println!("{:?}", NvidiaTools::find().disassembler());
    /// ```
    ///
    /// # From CUDA
    /// `nvdisasm` or `cuobjdump`.
    pub fn disassembler(&self) -> Option<&Path> {
        match self.disassembler.as_ref()? {
            Disassembler::Nvdisasm(program) | Disassembler::Cuobjdump(program) => Some(program),
        }
    }

    /// Assembles PTX for an architecture, that of the PTX or a newer one, and gives what each kernel takes, by name.
    ///
    /// # Errors
    /// Where `ptxas` isn't there, or refuses the PTX or the architecture.
    ///
    /// ```no_run
    /// use gridwright_build::inspect::NvidiaTools;
    ///
    /// let tools = NvidiaTools::find();
    /// let resources = tools.assemble("bin-hello.sm_80.ptx".as_ref(), "sm_90", "hello.cubin".as_ref())?;
    /// println!("{} registers", resources["saxpy"].registers);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # From CUDA
    /// `ptxas -v`.
    pub fn assemble(
        &self,
        ptx: &Path,
        architecture: &str,
        cubin: &Path,
    ) -> Result<BTreeMap<String, Resources>, ToolError> {
        let missing = ToolError::Missing { tool: "ptxas", remedy: REMEDY };
        let assembler = self.assembler.as_ref().ok_or(missing)?;
        let architecture = format!("-arch={architecture}");
        let flags = ["-v", &architecture, "-o"].map(OsStr::new);
        let said = programs::run(assembler, &[&flags[..], &[cubin.as_os_str(), ptx.as_os_str()]].concat())?;
        Ok(resources(&(said.output + &said.errors)))
    }

    /// The machine code of a kernel of a cubin, as text.
    ///
    /// # Errors
    /// Where neither `nvdisasm` nor `cuobjdump` is there, or it finds no such kernel.
    ///
    /// ```no_run
    /// use gridwright_build::inspect::NvidiaTools;
    ///
    /// println!("{}", NvidiaTools::find().disassemble("hello.cubin".as_ref(), "saxpy")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # From CUDA
    /// `nvdisasm`, or `cuobjdump -sass`.
    pub fn disassemble(&self, cubin: &Path, kernel: &str) -> Result<String, ToolError> {
        let (program, listing) = match &self.disassembler {
            Some(Disassembler::Nvdisasm(program)) => {
                let said = programs::run(program, &["-c".as_ref(), cubin.as_os_str()])?;
                (program, section(&said.output, kernel))
            }
            Some(Disassembler::Cuobjdump(program)) => {
                let arguments = ["-sass", "-fun", kernel].map(OsStr::new);
                let said = programs::run(program, &[&arguments[..], &[cubin.as_os_str()]].concat())?;
                (program, Some(said.output).filter(|text| text.contains("/*0000*/")))
            }
            None => return Err(ToolError::Missing { tool: "nvdisasm or cuobjdump", remedy: REMEDY }),
        };
        listing.ok_or_else(|| ToolError::failed(program, format!("it shows no code of `{kernel}`")))
    }
}

/// What ptxas says of each entry with `-v`.
pub(super) fn resources(said: &str) -> BTreeMap<String, Resources> {
    let mut found: BTreeMap<String, Resources> = BTreeMap::new();
    // The entry whose facts come, and the function whose stack comes: an entry or one that it calls.
    let (mut entry, mut function) = (None, None);
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            entry = rest.split('\'').next().map(str::to_owned);
        } else if let Some((_, name)) = line.split_once("Function properties for ") {
            function = Some(name.trim().to_owned());
        } else if line.contains("bytes stack frame") {
            if function.is_some() && function == entry {
                let kernel = found.entry(entry.clone().unwrap_or_default()).or_default();
                kernel.local_bytes = number_before(line, "bytes stack frame").unwrap_or(0);
                kernel.spills = number_before(line, "bytes spill stores").unwrap_or(0);
            }
        } else if line.contains("Used ")
            && let (Some(registers), Some(entry)) = (number_before(line, "registers"), entry.take())
        {
            let kernel = found.entry(entry).or_default();
            kernel.registers = registers;
            kernel.workgroup_bytes = number_before(line, "bytes smem").unwrap_or(0);
        }
    }
    found
}

/// The number in front of some words.
fn number_before(line: &str, words: &str) -> Option<u32> {
    line.split_once(words)?.0.split_whitespace().next_back()?.parse().ok()
}

/// The lines of a kernel in a listing of nvdisasm: its section's.
pub(super) fn section(listing: &str, kernel: &str) -> Option<String> {
    let label = format!(".text.{kernel}:");
    let lines = listing.lines().skip_while(|line| line.trim_end() != label);
    let lines = lines.take_while(|line| {
        let other = line.starts_with(".text.") && line.trim_end() != label;
        !other && !line.trim_start().starts_with(".section") && !line.starts_with("//---")
    });
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    text.contains("/*0000*/").then(|| text.trim_end().to_owned() + "\n")
}
