//! The peers in C++: compiled for this machine, with Thrust of NVIDIA's package of headers and TBB of Debian's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use fs_err as fs;

use crate::call::{Call, Variables};
use crate::codegen::toolkit::Toolkit;
use crate::debian::{self, Packages};
use crate::workspace::Workspace;

/// Where the sources are.
const SOURCES: &str = "primitives/races/cpp";

/// What peers are compiled with: as one would for the machine at hand.
const FLAGS: [&str; 7] = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-fPIC", "-shared", "-w"];

/// Debian's packages of TBB, Intel's library of threads, on which GCC has C++17's parallel algorithms.
const TBB: Packages = Packages { folder: "tbb/root", package: None, alone: &["libtbb-dev", "libtbb12"] };

/// TBB's header, where a system has it.
const TBB_HEADER: &str = "usr/include/tbb/tbb.h";

/// A library: its source, and the variable by which the races find it.
struct Peer {
    source: &'static str,
    variable: &'static str,
    /// What Thrust runs on, if the peer is Thrust.
    thrust: Option<&'static str>,
    /// Whether it needs TBB.
    tbb: bool,
}

const PEERS: [Peer; 3] = [
    Peer {
        source: "thrust.cpp",
        variable: "GRIDWRIGHT_RACES_THRUST_OPENMP",
        thrust: Some("OMP"),
        tbb: false,
    },
    Peer { source: "thrust.cpp", variable: "GRIDWRIGHT_RACES_THRUST_TBB", thrust: Some("TBB"), tbb: true },
    Peer { source: "standard.cpp", variable: "GRIDWRIGHT_RACES_STANDARD", thrust: None, tbb: true },
];

/// The variables with the libraries' paths. A peer that can't be had is no reason to do without the others: it is said who is missing.
pub(super) fn libraries(workspace: &Workspace) -> anyhow::Result<Variables> {
    let thrust = Toolkit::install(workspace).and_then(|toolkit| toolkit.thrust());
    let tbb = tbb(workspace);
    fs::create_dir_all(workspace.target("races"))?;
    let mut libraries = Variables::new();
    for peer in &PEERS {
        match peer.compile(workspace, &thrust, &tbb) {
            Ok(library) => libraries.push((peer.variable, library.into())),
            Err(reason) => eprintln!("{} can't be had: {reason:#}", peer.variable),
        }
    }
    Ok(libraries)
}

impl Peer {
    /// Compiles the library, if it isn't there as it would be.
    fn compile(
        &self,
        workspace: &Workspace,
        headers_of_thrust: &anyhow::Result<PathBuf>,
        tbb: &anyhow::Result<Vec<OsString>>,
    ) -> anyhow::Result<PathBuf> {
        let sources = workspace.root.join(SOURCES);
        let library = workspace.target("races").join(self.variable.to_lowercase()).with_extension("so");
        let mut compiler = Call::new(workspace, "g++").arguments(FLAGS);
        if let Some(system) = self.thrust {
            let headers = headers_of_thrust.as_ref().map_err(|reason| anyhow!("{reason:#}"))?;
            let define = format!("-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_{system}");
            compiler = compiler.arguments([define, "-isystem".into()]).arguments([headers]);
        }
        compiler = compiler.arguments([sources.join(self.source), "-o".into(), library.clone()]);
        if self.tbb {
            compiler = compiler.arguments(tbb.as_ref().map_err(|reason| anyhow!("{reason:#}"))?);
        }
        // The command and the sources, of which the library was made. Written last: one that was interrupted is made anew.
        let [values, source] = ["values.h", self.source].map(|file| fs::read_to_string(sources.join(file)));
        let made_of = format!("{compiler}\n{}\n{}", values?, source?);
        let record = library.with_extension("txt");
        if !fs::read_to_string(&record).is_ok_and(|had| had == made_of) {
            println!("compiling {}", library.display());
            compiler.said()?;
            fs::write(&record, made_of)?;
        }
        Ok(library)
    }
}

/// What a compiler is told of TBB: the system's, or else what is unpacked.
fn tbb(workspace: &Workspace) -> anyhow::Result<Vec<OsString>> {
    let mut told = vec!["-ltbb".into()];
    if !Path::new("/").join(TBB_HEADER).is_file() {
        let unpacked = TBB.unpack(workspace, |folder| folder.join(TBB_HEADER).is_file())?;
        let libraries = debian::libraries(&unpacked);
        let runtime = format!("-Wl,-rpath,{}", libraries.display());
        told.extend(["-I".into(), unpacked.join("usr/include").into(), "-L".into(), libraries.into()]);
        told.push(runtime.into());
    }
    Ok(told)
}
