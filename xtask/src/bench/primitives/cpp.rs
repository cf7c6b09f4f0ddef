//! The peers in C++: compiled for this machine, with Thrust of NVIDIA's package of headers and TBB of Debian's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::call::Call;
use crate::codegen::toolkit::Toolkit;
use crate::workspace::Workspace;

/// Where the sources are.
const SOURCES: &str = "primitives/races/cpp";

/// What peers are compiled with: as one would for the machine at hand.
const FLAGS: [&str; 7] = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-fPIC", "-shared", "-w"];

/// Debian's packages of TBB.
const TBB: [&str; 2] = ["libtbb-dev", "libtbb12"];

/// A library: its source, the variable by which the races find it, and what it needs.
struct Peer {
    source: &'static str,
    variable: &'static str,
    defines: &'static [&'static str],
    needs_thrust: bool,
    needs_tbb: bool,
}

const PEERS: [Peer; 3] = [
    Peer {
        source: "thrust.cpp",
        variable: "GRIDWRIGHT_RACES_THRUST_OPENMP",
        defines: &["-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP"],
        needs_thrust: true,
        needs_tbb: false,
    },
    Peer {
        source: "thrust.cpp",
        variable: "GRIDWRIGHT_RACES_THRUST_TBB",
        defines: &["-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_TBB"],
        needs_thrust: true,
        needs_tbb: true,
    },
    Peer {
        source: "standard.cpp",
        variable: "GRIDWRIGHT_RACES_STANDARD",
        defines: &[],
        needs_thrust: false,
        needs_tbb: true,
    },
];

/// The variables with the libraries' paths. A peer that can't be had is no reason to do without the others: it is said who is missing.
pub(super) fn libraries(workspace: &Workspace) -> anyhow::Result<Vec<(&'static str, String)>> {
    let thrust = Toolkit::install(workspace).and_then(|toolkit| toolkit.thrust());
    let tbb = Tbb::install(workspace);
    let folder = workspace.metadata.target_directory.join("races").into_std_path_buf();
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let mut libraries = Vec::new();
    for peer in &PEERS {
        match peer.compile(&workspace.root.join(SOURCES), &folder, &thrust, &tbb) {
            Ok(library) => libraries.push((peer.variable, library)),
            Err(reason) => eprintln!("{} can't be had: {reason:#}", peer.variable),
        }
    }
    Ok(libraries)
}

impl Peer {
    /// Compiles the library, if it isn't there as it would be.
    fn compile(
        &self,
        sources: &Path,
        folder: &Path,
        thrust: &anyhow::Result<PathBuf>,
        tbb: &anyhow::Result<Tbb>,
    ) -> anyhow::Result<String> {
        let library = folder.join(self.variable.to_lowercase()).with_extension("so");
        let mut compiler = Command::new("g++");
        compiler.args(FLAGS).args(self.defines).arg(sources.join(self.source)).arg("-o").arg(&library);
        if self.needs_thrust {
            compiler.arg("-isystem").arg(thrust.as_ref().map_err(|reason| anyhow::anyhow!("{reason:#}"))?);
        }
        if self.needs_tbb {
            tbb.as_ref().map_err(|reason| anyhow::anyhow!("{reason:#}"))?.give(&mut compiler);
        }
        // The command and the sources, of which the library was made. Written last: one that was interrupted is made anew.
        let texts = ["values.h", self.source].map(|file| fs::read_to_string(sources.join(file)));
        let [values, source] = texts;
        let made_of = format!("{compiler:?}\n{}\n{}", values?, source?);
        let record = library.with_extension("txt");
        if !fs::read_to_string(&record).is_ok_and(|had| had == made_of) {
            println!("compiling {}", library.display());
            let output = compiler.output().context("can't start g++")?;
            ensure!(output.status.success(), "g++: {}", String::from_utf8_lossy(&output.stderr));
            fs::write(&record, made_of)?;
        }
        library.into_os_string().into_string().ok().context("the workspace's path isn't UTF-8")
    }
}

/// Intel's library of threads, on which GCC has C++17's parallel algorithms.
enum Tbb {
    /// Where compilers look.
    OfTheSystem,
    /// A folder with `include` and libraries.
    Unpacked(PathBuf),
}

impl Tbb {
    /// The system's, or else Debian's packages are downloaded and unpacked, which needs no rights.
    fn install(workspace: &Workspace) -> anyhow::Result<Self> {
        if Path::new("/usr/include/tbb/tbb.h").is_file() {
            return Ok(Self::OfTheSystem);
        }
        let folder = workspace.metadata.target_directory.join("tbb").into_std_path_buf();
        // Written last: a folder that was interrupted is made anew.
        let record = folder.join("packages.txt");
        let wanted = TBB.join("\n");
        let usr = folder.join("root").join("usr");
        if fs::read_to_string(&record).is_ok_and(|had| had == wanted) {
            return Ok(Self::Unpacked(usr));
        }
        println!("unpacking {} into {}", TBB.join(", "), folder.display());
        let _ = fs::remove_dir_all(&folder);
        let packages = folder.join("packages");
        fs::create_dir_all(&packages).with_context(|| format!("can't make {}", packages.display()))?;
        let download = Call::new(workspace, "apt-get").arguments(["download", "-qq"]).arguments(TBB);
        let download = download.directory(&packages);
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
        Ok(Self::Unpacked(usr))
    }

    /// Tells a compiler where it is.
    fn give(&self, compiler: &mut Command) {
        if let Self::Unpacked(usr) = self {
            let libraries = usr.join("lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
            compiler.arg("-I").arg(usr.join("include")).arg("-L").arg(&libraries);
            compiler.arg(format!("-Wl,-rpath,{}", libraries.display()));
        }
        compiler.arg("-ltbb");
    }
}
