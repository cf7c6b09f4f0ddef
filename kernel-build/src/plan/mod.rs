//! Stage 4, *plan*: what to build and with what → manifests, command lines and environments as data.
//!
//! Nothing is written or run here, so that tests can look at all of it.

pub(crate) mod directories;
mod environment;
mod flags;
mod library;
mod manifest;
mod root;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use flags::{emit_image, stop};
pub(crate) use library::DeviceLibrary;
pub(crate) use root::{Root, Roots};

use crate::architecture::{Architecture, Family};
use crate::discover::{Candidate, Dependency, Libraries, Package};
use crate::environment::Environment;
use crate::llvm::Target;
use crate::lower::Lowering;
use crate::settings::Settings;
use crate::toolchain::Toolchain;

/// What the plans of one package have in common.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) package: &'a Package,
    pub(crate) settings: &'a Settings,
    pub(crate) toolchain: &'a Toolchain,
    pub(crate) environment: &'a Environment,
    /// `OUT_DIR/gridwright`.
    pub(crate) out: &'a Path,
    /// The folder that all packages of the workspace share.
    pub(crate) shared: &'a Path,
    /// The dependencies with device code of their own.
    pub(crate) libraries: &'a Libraries,
}

/// One target's device package: where its manifest goes and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DevicePackage {
    /// The folder of the manifest.
    pub(crate) folder: PathBuf,
    /// The manifest's text.
    pub(crate) manifest: String,
    /// The root files of its crates.
    pub(crate) roots: Roots,
    /// The libraries that it is linked with.
    pub(crate) libraries: Vec<DeviceLibrary>,
    /// The user's lock file, which is copied beside the manifest.
    pub(crate) lock: PathBuf,
    /// How the crate that becomes the image is chosen: `--lib`, or `--example` and its name.
    pub(crate) selection: Vec<OsString>,
}

/// Whether a product and a sum of it become one operation in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contraction {
    /// Where the family's compilers do that.
    On,
    /// Nowhere: the image of kernels that say `fp_contract = off`.
    Off,
}

impl Contraction {
    /// The images that a target takes for one architecture.
    pub(crate) fn of_images(
        context: &Context<'_>,
        candidate: &Candidate,
        architecture: &Architecture,
    ) -> &'static [Self] {
        // An instance's kernel may be another crate's.
        let of_libraries = || {
            (candidate.names_library && context.package.library_says_contraction)
                || manifest::libraries(context, candidate).iter().any(|library| library.says_contraction)
        };
        let is_said = || candidate.says_contraction || (candidate.has_instances && of_libraries());
        match architecture.family() {
            Family::Nvidia if is_said() => &[Self::On, Self::Off],
            Family::Nvidia | Family::Amd => &[Self::On],
        }
    }
}

/// The flags by which a compiler is tried for some architectures, each with the target that they are for.
pub(crate) fn probes<'a>(
    architectures: &'a [Architecture],
    environment: &Environment,
) -> Vec<(&'a str, Vec<String>)> {
    let of_one = |architecture: &'a Architecture| {
        let flags = [
            flags::every_crate(architecture, environment),
            flags::image(architecture, Contraction::On),
            flags::of_device_code(true),
        ];
        (architecture.family().triple(), flags.concat())
    };
    architectures.iter().map(of_one).collect()
}

/// One image to build.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub(crate) architecture: Architecture,
    pub(crate) contraction: Contraction,
    /// The compiler runs that make it.
    pub(crate) invocation: Invocation,
    /// The files of cargo's configuration, those that don't exist included.
    pub(crate) configuration: Vec<PathBuf>,
    /// Whether the compiler ends with the IR, and writes no image.
    pub(crate) stops: bool,
    /// Where the compiler writes the image.
    pub(crate) raw_image: PathBuf,
    /// Where it writes the LLVM IR of the whole program.
    pub(crate) raw_ir: PathBuf,
    /// Where it says which sources the image's crate has.
    pub(crate) dep_info: PathBuf,
    /// The root source file of the image's crate.
    pub(crate) root: PathBuf,
    /// Where this build leaves its stamp.
    pub(crate) stamp: PathBuf,
    /// How LLVM compiles the IR where that is mended first.
    pub(crate) lowering: Lowering,
    /// Where the image goes when it is checked: the file that macros include.
    pub(crate) image: PathBuf,
}

/// A command line with its folder and its changes to the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: PathBuf,
    /// Inherited variables that are dropped.
    pub(crate) removed: Vec<OsString>,
    pub(crate) set: BTreeMap<String, OsString>,
}

impl Invocation {
    /// The command, ready to run.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder);
        for name in &self.removed {
            command.env_remove(name);
        }
        command.envs(&self.set);
        command
    }

    /// This invocation without the network.
    pub(crate) fn offline(&self) -> Self {
        let mut offline = self.clone();
        offline.arguments.insert(1, "--offline".into());
        offline
    }
}

/// The device package of one target.
pub(crate) fn device_package(context: &Context<'_>, candidate: &Candidate) -> DevicePackage {
    let library = manifest::linked_library(context, candidate);
    // Cargo's own word for the target keeps a bin and an example of one name apart.
    let tests = if candidate.is_unit_test { "-tests" } else { "" };
    let folder = directories::packages(context)
        .join(format!("{}-{}{tests}", candidate.cargo_kind, candidate.crate_name));
    let libraries = manifest::libraries(context, candidate);
    let libraries: Vec<_> = libraries.into_iter().map(|library| library::package(context, library)).collect();
    let names = &context.settings.modules;
    let roots = Roots {
        image: root::root(&candidate.root, &candidate.modules, names, folder.join("root.rs")),
        library: library.map(|library| {
            let modules = &context.package.library_modules;
            root::root(&library.src_path, modules, names, folder.join("library.rs"))
        }),
    };
    DevicePackage {
        manifest: manifest::text(context, candidate, library, &roots, &libraries),
        folder,
        roots,
        libraries,
        lock: context.package.workspace_root.join("Cargo.lock"),
        selection: match library {
            None => vec!["--lib".into()],
            Some(_) => vec!["--example".into(), candidate.crate_name.clone().into()],
        },
    }
}

/// The package about which cargo is asked what a build takes, and the question; `None` if device code names nothing but gridwright.
pub(crate) fn question(
    context: &Context<'_>,
    candidates: &[&Candidate],
) -> Option<(DevicePackage, Invocation)> {
    let folder = directories::packages(context).join("asked");
    let root = Root { path: candidates.first()?.root.clone(), text: None };
    let manifest = manifest::asked(context, candidates, &root.path)?;
    let mut arguments: Vec<OsString> = ["metadata", "--format-version=1"].map(Into::into).into();
    if let Some(target) = context.environment.get("TARGET") {
        arguments.extend(["--filter-platform".into(), target.to_owned()]);
    }
    arguments.extend(["--manifest-path".into(), folder.join("Cargo.toml").into()]);
    let package = DevicePackage {
        folder,
        manifest,
        roots: Roots { image: root, library: None },
        libraries: Vec::new(),
        lock: context.package.workspace_root.join("Cargo.lock"),
        selection: Vec::new(),
    };
    let invocation = Invocation {
        // The one that builds the host's side chose the lock file's versions.
        program: context.environment.path("CARGO").unwrap_or_else(|| "cargo".into()),
        arguments,
        folder: context.package.folder().to_owned(),
        removed: Vec::new(),
        set: BTreeMap::new(),
    };
    Some((package, invocation))
}

/// Whether device code of these targets may use a dependency of their package.
pub(crate) fn may_use(context: &Context<'_>, candidates: &[&Candidate], dependency: &Dependency) -> bool {
    manifest::may_use(context, candidates, dependency)
}

/// The build of one image of a target.
pub(crate) fn build(
    context: &Context<'_>,
    candidate: &Candidate,
    package: &DevicePackage,
    architecture: &Architecture,
    contraction: Contraction,
) -> Build {
    let family = architecture.family();
    let name = match contraction {
        Contraction::On => architecture.name().to_owned(),
        Contraction::Off => format!("{}.uncontracted", architecture.name()),
    };
    let file = |extension: &str| package.folder.join(format!("{name}.{extension}"));
    let (raw_image, raw_ir, dep_info) = (file(family.extension()), file("ll"), file("d"));
    let target_dir = directories::of_core(context.shared, architecture);

    // So verbose, cargo says which commands it runs.
    let library =
        if manifest::allocates(context, candidate) { "-Zbuild-std=core,alloc" } else { "-Zbuild-std=core" };
    let mut arguments: Vec<OsString> =
        ["rustc", "-vv", "--release", library, "--message-format=json"].map(Into::into).into();
    arguments.extend(["--target".into(), family.triple().into()]);
    arguments.extend(package.selection.iter().cloned());
    arguments.extend(["--manifest-path".into(), package.folder.join("Cargo.toml").into()]);
    arguments.extend(["--target-dir".into(), target_dir.clone().into()]);
    if flags::is_incremental(context.environment) {
        let local = manifest::local_packages(context, candidate);
        arguments.extend(flags::incremental(&local, &target_dir));
    }
    arguments.push("--".into());
    arguments.extend(flags::device(context).into_iter().map(OsString::from));
    arguments.extend(flags::image(architecture, contraction).into_iter().map(OsString::from));
    if candidate.has_test {
        arguments.extend(flags::TESTS.map(OsString::from));
    }
    let stops = context.toolchain.makes_instructions();
    if stops {
        arguments.extend(flags::stop(family).iter().map(OsString::from));
    } else {
        arguments.push(flags::emit_image(family, &raw_image));
    }
    arguments.extend(flags::emit(&raw_ir, &dep_info));
    arguments.push(flags::temporaries(&file("temporary")));
    arguments.push(flags::remap(&context.package.workspace_root));

    Build {
        invocation: Invocation {
            program: context.toolchain.program("cargo"),
            arguments,
            // The user's own cargo configuration is found from here.
            folder: context.package.folder().to_owned(),
            removed: environment::removed(context.environment),
            set: environment::set(context.environment, context.toolchain, architecture, &target_dir),
        },
        configuration: environment::configuration(context.environment, context.package.folder()),
        image: context.out.join(format!("{}.{name}.{}", candidate.stem(), family.extension())),
        lowering: Lowering {
            target: Target {
                family,
                processor: architecture.name().to_owned(),
                features: flags::features(architecture),
                arguments: flags::llvm(architecture, contraction),
            },
            unrolled: file("unrolled.ll"),
            sysroot: context.toolchain.sysroot.clone(),
            ir: file("mended.ll"),
            image: file(&format!("mended.{}", family.extension())),
        },
        architecture: architecture.clone(),
        contraction,
        root: package.roots.image.path.clone(),
        stamp: file("stamp"),
        stops,
        raw_image,
        raw_ir,
        dep_info,
    }
}
