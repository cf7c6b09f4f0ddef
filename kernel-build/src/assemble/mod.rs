//! Stage *assemble*: PTX → machine code for chips that the user names, by NVIDIA's ptxas of this machine.
//!
//! A driver compiles PTX with its own copy of ptxas. Machine code that is in the program is what the build machine's copy made of it, so
//! that a chip runs the same code wherever the program is.

#[cfg(test)]
mod tests;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use gridwright_image::cubin::Cubin;
use gridwright_image::ptxas::{Fault, Release};

use crate::architecture::Architecture;
use crate::environment::Environment;
use crate::files::write_if_changed;

/// The variable that names the program, or its folder.
const VARIABLE: &str = "GRIDWRIGHT_PTXAS";

/// What to do where there is none.
const REMEDY: &str =
    "install NVIDIA's CUDA toolkit, put its folder `bin` on PATH, or name its `ptxas` in GRIDWRIGHT_PTXAS";

/// A ptxas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assembler {
    pub(crate) program: PathBuf,
    /// What it says of itself.
    version: String,
}

impl Assembler {
    /// The one that `GRIDWRIGHT_PTXAS` names, the first on `PATH`, or that of an installed toolkit.
    pub(crate) fn find(environment: &Environment) -> Result<Self, String> {
        let program = program(environment)?;
        let said = output(&program, Command::new(&program).arg("--version"))?;
        Ok(Self { program, version: String::from_utf8_lossy(&said.stdout).trim().to_owned() })
    }

    /// The first thing that this release is known to compile wrong and that PTX can't avoid.
    pub(crate) fn fault(&self, chip: &Architecture) -> Option<&'static Fault> {
        let number = chip.number()?;
        let mut faults = Release::of_program(&self.version)?.faults();
        faults.find(|fault| fault.instead.is_none() && fault.chips.contains(&number))
    }

    /// The release, as people say it.
    pub(crate) fn release(&self) -> String {
        Release::of_program(&self.version)
            .map_or_else(|| "an unknown release".into(), |release| release.to_string())
    }

    /// Makes machine code of a file of PTX, unless it is there already. Gives the kernels for whose values there were too few registers,
    /// and the bytes that go to local memory.
    pub(crate) fn assemble(
        &self,
        ptx: &Path,
        chip: &Architecture,
        cubin: &Path,
    ) -> Result<Vec<(String, u64)>, String> {
        let text = fs::read(ptx).map_err(|e| format!("could not read {}: {e}", ptx.display()))?;
        let mut hash = DefaultHasher::new();
        (&text, &self.program, &self.version, chip.name()).hash(&mut hash);
        let (made_of, stamp) = (hash.finish().to_string(), cubin.with_extension("cubin.of"));
        // The stamp's first line, before what ptxas said of registers.
        let old = fs::read_to_string(&stamp).unwrap_or_default();
        if let Some((of, said)) = old.split_once('\n')
            && cubin.is_file()
            && of == made_of
        {
            return Ok(spills(said));
        }
        let fresh = cubin.with_extension("cubin.raw");
        let _ = fs::remove_file(&fresh);
        let architecture = format!("-arch={}", chip.name());
        let said = output(
            &self.program,
            Command::new(&self.program).args(["-v", "-O3", &architecture, "-o"]).args([&*fresh, ptx]),
        )?;
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let unwritten = |e: std::io::Error| format!("could not write {}: {e}", cubin.display());
        let bytes = fs::read(&fresh).map_err(unwritten)?;
        let read = Cubin::read(&bytes)
            .map_err(|e| format!("{} wrote no machine code: {e}", self.program.display()))?;
        if Some(read.architecture) != chip.number() {
            return Err(format!(
                "{} wrote machine code for sm_{}",
                self.program.display(),
                read.architecture
            ));
        }
        write_if_changed(cubin, &bytes).map_err(unwritten)?;
        fs::remove_file(&fresh).map_err(unwritten)?;
        write_if_changed(&stamp, format!("{made_of}\n{said}").as_bytes()).map_err(unwritten)?;
        Ok(spills(&said))
    }
}

/// The kernels of which `ptxas -v` says that they spill, and the bytes that they store.
fn spills(said: &str) -> Vec<(String, u64)> {
    let mut kernel = None;
    let mut spills = Vec::new();
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            kernel = rest.split('\'').next();
        }
        let stores =
            line.split(", ").find_map(|part| part.strip_suffix(" bytes spill stores")?.trim().parse().ok());
        if let (Some(bytes @ 1..), Some(kernel)) = (stores, kernel.filter(|_| line.contains("spill stores")))
        {
            spills.push((kernel.to_owned(), bytes));
        }
    }
    spills
}

fn program(environment: &Environment) -> Result<PathBuf, String> {
    let name = format!("ptxas{}", env::consts::EXE_SUFFIX);
    if let Some(given) = environment.path(VARIABLE) {
        let inside = given.join(&name);
        let found = [given.clone(), inside].into_iter().find(|program| program.is_file());
        return found.ok_or_else(|| format!("{VARIABLE} is {}, and there is no ptxas", given.display()));
    }
    let path =
        environment.get("PATH").map(|path| env::split_paths(path).collect::<Vec<_>>()).unwrap_or_default();
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(|name| environment.path(name));
    let toolkits = toolkits.chain([PathBuf::from("/usr/local/cuda")]).map(|toolkit| toolkit.join("bin"));
    let mut programs = path.into_iter().chain(toolkits).map(|folder| folder.join(&name));
    programs.find(|program| program.is_file()).ok_or_else(|| format!("there is no ptxas: {REMEDY}"))
}

/// Runs a program to its end.
fn output(program: &Path, command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|e| format!("{} could not be run: {e}", program.display()))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    let said = said.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    Err(format!("{} failed, {}: {said}", program.display(), output.status))
}
