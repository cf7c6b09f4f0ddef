//! What the compiler is told about the crate that becomes an image.

use std::ffi::OsString;
use std::path::Path;

use super::manifest::quoted;
use super::{Context, Contraction};
use crate::architecture::{Architecture, Family};
use crate::discover::{Library, Package};
use crate::environment::Environment;

/// The unstable features that the macros' output needs. User code gets no others: with more, safe
/// intrinsics that break the model's promises would be within its reach.
const FEATURES: &str = "abi_gpu_kernel";

/// What LLVM is told for every family. Without straight-line strength reduction: LLVM 22's takes `x - !c` for `x - c` plus or minus one
/// of its strides, so that a read or a write lands beside its place (llvm-project PR 204278 mends it).
const LLVM: &[&str] = &["-opt-disable=slsr"];

/// Without a pass of rustc's own that takes the result of a comparison away from those who use it beside a branch (rust PR 158214 mends
/// it).
const MIR: &str = "-Zmir-enable-passes=-SimplifyComparisonIntegral";

/// Code generation that matches what NVIDIA's own compiler does with the same source.
const NVIDIA_LLVM: &[&str] = &["-nvptx-fma-level=1", "-disable-lsr", "-unroll-threshold=3000"];

/// Code generation that matches `nvcc -fmad=false`. LLVM has this setting by module only.
const NVIDIA_LLVM_UNCONTRACTED: &[&str] = &["-nvptx-fma-level=0", "-disable-lsr", "-unroll-threshold=3000"];

/// Kernels get their entries where the macros find the cfg that fits what they say of contraction.
const ENTRIES: &str = "--cfg=gridwright_entries";
const UNCONTRACTED_ENTRIES: &str = "--cfg=gridwright_uncontracted_entries";

/// The newest version of code objects that runtimes before HIP 6.3 load. rustc makes version 6 unless it is told otherwise, and
/// generic architectures need that; of a kernel's code they are the same.
const AMD_FORMAT: &str = "-amdhsa-code-object-version=5";

/// Code generation for AMD.
///
/// - Without strength reduction: it keeps a pointer and a counter for each access of a loop, which take registers and code to set them
///   up, where AMD's instructions add an index to a pointer as they shift it.
/// - Without products of 24 bits before instructions are selected: a product of two masked values and a sum in 64 bits lose the masks
///   (PR 198729). The selection finds such products itself.
/// - Without private arrays in workgroup memory: they would fill what a launch asks for.
const AMD_LLVM: &[&str] =
    &["-disable-lsr", "-amdgpu-codegenprepare-mul24=0", "-disable-promote-alloca-to-lds"];

/// The compiler ends with the IR, from which the toolchain's LLVM makes the instructions when the stages here are through with it: of
/// instructions that it made itself none was taken. The pass is the first of code generation, whatever the target.
const STOP: &str = "-Cllvm-args=-stop-before=pre-isel-intrinsic-lowering";

/// There is nothing to link.
const UNLINKED: &str = "-Clinker=true";

/// Kernels with the same code stay two: as one with two names the second has no descriptor, and linking fails.
const AMD_FUNCTIONS: &str = "-Zmerge-functions=disabled";

/// What a debug build checks on the CPU, without what `core` asserts of its own unsafe code.
const DEBUG_CHECKS: [&str; 3] = ["-Coverflow-checks=on", "-Cdebug-assertions=on", "-Zub-checks=no"];

/// For every crate, `core` included.
pub(super) fn every_crate(architecture: &Architecture, environment: &Environment) -> Vec<String> {
    // A function is compiled where it is used. Kernels use little of `core`; with all of it compiled, each
    // image would be linked with all of it, which took most of an image's time.
    let mut flags = vec!["-Zhint-mostly-unused".to_owned(), MIR.to_owned()];
    flags.extend(architecture.of_all_crates().map(cpu));
    if !environment.is_on("GRIDWRIGHT_NO_MATRIX_UNITS") {
        let units = architecture.matrix_units().iter();
        flags.extend(units.map(|units| format!("--cfg=gridwright_matrix_units=\"{units}\"")));
    }
    flags
}

/// For the image's crate where it has its tests' kernels. Without a test program, test functions are left out.
pub(super) const TESTS: [&str; 2] = ["--cfg=test", "-Aexplicit_builtin_cfgs_in_flags"];

/// For every crate of the user's package.
pub(super) fn device(context: &Context<'_>) -> Vec<String> {
    let package = context.package;
    let mut flags = device_code(context);
    flags.extend(variables(package, context.environment));
    flags.extend(features_as_cfgs(package));
    flags
}

/// For a package without device code: no unstable features. On AMD's GPUs they have safe functions that tell threads apart.
pub(super) fn plain() -> [String; 1] {
    ["-Zallow-features=".to_owned()]
}

/// For a dependency with device code of its own.
pub(super) fn library(context: &Context<'_>, library: &Library) -> Vec<String> {
    let package = &library.package;
    let mut flags = device_code(context);
    // What else cargo sets, it takes from the generated manifest.
    let folder = [("CARGO_MANIFEST_DIR", package.folder()), ("CARGO_MANIFEST_PATH", &package.manifest_path)];
    let named = folder.iter().filter(|(name, _)| package.named_variables.contains(*name));
    let named: Vec<_> = named.map(|(name, path)| format!("--env-set={name}={}", path.display())).collect();
    if !named.is_empty() {
        flags.push("-Zunstable-options".to_owned());
    }
    flags.extend(named);
    flags.extend(features_as_cfgs(package));
    flags.extend(remap(&context.package.workspace_root).into_string());
    if library.is_local() && is_incremental(context.environment) {
        flags.push(format!("-Cincremental={}", context.shared.join("incremental").display()));
    }
    flags
}

/// What makes a crate one of device code, by the package's settings.
fn device_code(context: &Context<'_>) -> Vec<String> {
    of_device_code(context.settings.debug_checks)
}

/// What makes a crate one of device code, with the checks of a debug build or without.
pub(super) fn of_device_code(has_checks: bool) -> Vec<String> {
    let mut flags = vec![
        "-Zcrate-attr=no_std".to_owned(),
        "-Zcrate-attr=no_main".to_owned(),
        format!("-Zcrate-attr=feature({FEATURES})"),
        format!("-Zallow-features={FEATURES}"),
        "--cfg=gridwright_device".to_owned(),
        "--check-cfg=cfg(gridwright_device)".to_owned(),
        "--check-cfg=cfg(gridwright_entries, gridwright_uncontracted_entries)".to_owned(),
        // The host build shows the same code's warnings, without those that host-only parts leave.
        "--cap-lints=allow".to_owned(),
    ];
    if has_checks {
        flags.extend(DEBUG_CHECKS.map(str::to_owned));
    }
    flags
}

/// Features reach the code as cfgs; the generated manifest has none of its own.
fn features_as_cfgs(package: &Package) -> impl Iterator<Item = String> {
    active_features(package).map(|name| format!("--cfg=feature=\"{name}\""))
}

/// What `env!` gives of the package: the words that cargo has for it, rather than for the device package. None but those that its
/// sources name, since host builds with an `OUT_DIR` each share the images.
fn variables(package: &Package, environment: &Environment) -> Vec<String> {
    let values = package.named_variables.iter().filter_map(|name| {
        let value = environment.get(name)?.to_str()?;
        // The compiler's command is read from what cargo says, line by line.
        (!value.contains(['\n', '\r'])).then(|| format!("--env-set={name}={value}"))
    });
    let values: Vec<_> = values.collect();
    let unstable = (!values.is_empty()).then(|| "-Zunstable-options".to_owned());
    unstable.into_iter().chain(values).collect()
}

/// The arguments of LLVM's own.
pub(super) fn llvm(architecture: &Architecture, contraction: Contraction) -> Vec<&'static str> {
    let of_family = match (architecture.family(), contraction) {
        (Family::Nvidia, Contraction::On) => NVIDIA_LLVM,
        (Family::Nvidia, Contraction::Off) => NVIDIA_LLVM_UNCONTRACTED,
        (Family::Amd, _) => AMD_LLVM,
    };
    let format = (architecture.family() == Family::Amd && !architecture.is_generic()).then_some(AMD_FORMAT);
    LLVM.iter().chain(of_family).copied().chain(format).collect()
}

/// What of the processor's features isn't the compiler's own choice.
pub(super) fn features(architecture: &Architecture) -> String {
    architecture.instructions().map(|version| format!("+{version}")).unwrap_or_default()
}

/// For a compiler that ends with the IR.
pub(crate) fn stop(family: Family) -> &'static [&'static str] {
    match family {
        // Never linked.
        Family::Nvidia => &[STOP],
        Family::Amd => &[STOP, UNLINKED],
    }
}

/// For the crate that becomes the image.
pub(super) fn image(architecture: &Architecture, contraction: Contraction) -> Vec<String> {
    let mut flags = vec![format!("-Cllvm-args={}", llvm(architecture, contraction).join(" "))];
    let features = features(architecture);
    if !features.is_empty() {
        flags.push(format!("-Ctarget-feature={features}"));
    }
    match architecture.family() {
        Family::Nvidia => {
            let entries = match contraction {
                Contraction::On => ENTRIES,
                Contraction::Off => UNCONTRACTED_ENTRIES,
            };
            flags.push(entries.to_owned());
            flags.push(cpu(architecture.name()));
            // The assembly is the image.
            flags.push(UNLINKED.to_owned());
        }
        // Its processor is in the flags of all crates. Nothing is contracted, so that one image has all kernels.
        Family::Amd => {
            flags.extend([ENTRIES, UNCONTRACTED_ENTRIES].map(str::to_owned));
            flags.push(AMD_FUNCTIONS.to_owned());
        }
    }
    flags
}

/// Which processor to compile for.
fn cpu(name: &str) -> String {
    format!("-Ctarget-cpu={name}")
}

/// Whether somebody edits, and doesn't measure: compiled incrementally, code may come out an instruction longer.
pub(super) fn is_incremental(environment: &Environment) -> bool {
    let is = |name, value| environment.get(name).is_some_and(|set| set == value);
    is("PROFILE", "debug") && !is("CARGO_INCREMENTAL", "0")
}

/// Cargo's settings for packages that people edit: of those the compiler keeps what it learnt about them. The image's
/// crate is compiled as one piece of code, which can't be done incrementally.
///
/// They are flags of the compiler, since a word about `incremental` in the user's configuration would hold for all crates.
pub(super) fn incremental(packages: &[&str], target_dir: &Path) -> Vec<OsString> {
    let folder = quoted(&format!("-Cincremental={}", target_dir.join("incremental").display()));
    let setting = |package: &&str| {
        let setting = format!("profile.release.package.{}.rustflags=[{folder}]", quoted(package));
        ["--config".into(), setting.into()]
    };
    let allowed = (!packages.is_empty()).then(|| "-Zprofile-rustflags".into());
    allowed.into_iter().chain(packages.iter().flat_map(setting)).collect()
}

/// The LLVM IR, and the list of sources. Cargo wants the list elsewhere, under a name that crates share; without it there, it compiles the
/// crate whenever it is asked to.
pub(super) fn emit(ir: &Path, sources: &Path) -> [OsString; 2] {
    [emitted("llvm-ir", ir), emitted("dep-info", sources)]
}

/// Where the compiler has files for a while. A library and a program of one name would have them in one place, as cargo names crates of
/// two workspaces alike, and both may be compiled at once.
pub(super) fn temporaries(folder: &Path) -> OsString {
    let mut flag = OsString::from("-Ztemps-dir=");
    flag.push(folder);
    flag
}

/// The image, by a compiler that doesn't stop before.
pub(crate) fn emit_image(family: Family, image: &Path) -> OsString {
    match family {
        Family::Nvidia => emitted("asm", image),
        Family::Amd => emitted("link", image),
    }
}

fn emitted(what: &str, path: &Path) -> OsString {
    let mut flag = OsString::from(format!("--emit={what}="));
    flag.push(path);
    flag
}

/// Source files are named in messages and panics as the host build names them: from the workspace on.
pub(super) fn remap(workspace: &Path) -> OsString {
    let mut flag = OsString::from("--remap-path-prefix=");
    flag.push(workspace);
    flag.push("/=");
    flag
}

/// The package's features that this build has switched on.
pub(super) fn active_features(package: &Package) -> impl Iterator<Item = &str> {
    package.features.keys().map(String::as_str).filter(|name| package.active_features.contains(*name))
}
