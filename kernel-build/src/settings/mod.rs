//! Stage 2, *settings*: `[package.metadata.gridwright]` and the environment → what to build.

mod cpu;
#[cfg(test)]
mod tests;

pub(crate) use cpu::{CpuCode, CpuCodes};
use serde_json::Value;

use crate::architecture::Architecture;
use crate::diagnostic::Diagnostic;
use crate::discover::Package;
use crate::environment::Environment;

/// What is built where neither the manifest nor the environment says.
///
/// For AMD that could be `gfx9-4-generic` and `gfx11-generic`, on which more devices run. In the code objects of our examples' package,
/// with 117 entries, the first has as many instructions and registers as `gfx942` in each, and the second as `gfx1100` in all but one
/// kernel, which has 637 instructions and 75 registers instead of 642 and 91. But HIP loads generic ones from 6.3 on only, and the
/// others since 5. Building both kinds would double AMD's part of a build: each architecture has a `core` of its own, half a
/// minute the first time. So generic ones are for those who name them.
const DEFAULT_ARCHITECTURES: [&str; 3] = ["sm_80", "gfx942", "gfx1100"];

/// What the user wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Each once, in the order given.
    pub(crate) architectures: Vec<Architecture>,
    /// The chips of NVIDIA's that the program has machine code for, beside PTX. Each once, in the order given.
    pub(crate) machine_code: Vec<Architecture>,
    /// The dependencies that kernels use beside `gridwright`, by the names the manifest gives them.
    pub(crate) device_dependencies: Vec<String>,
    /// The modules that are all of a target's device code, by their paths in the crate. None: its own root is the device's.
    pub(crate) modules: Vec<String>,
    /// The CPU's instruction sets that kernels of each target have code for.
    pub(crate) cpu: CpuCodes,
    /// Whether the package's own device code is compiled with overflow checks and debug assertions.
    pub(crate) debug_checks: bool,
    /// Whether the build says which kernels cost more than they look.
    pub(crate) notes: bool,
    /// Whether unit tests with kernels get images.
    pub(crate) test_kernels: bool,
    /// Why nothing is to be built, if so.
    pub(crate) skip: Option<String>,
    /// Whether a missing toolchain is an error.
    pub(crate) require_device: bool,
}

/// Reads the settings; a setting that can't be understood is an error, an unknown one a warning.
pub(crate) fn read(package: &Package, environment: &Environment) -> (Settings, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut from_manifest = None;
    let mut device_dependencies = Vec::new();
    let mut machine_code = Vec::new();
    let mut modules = Vec::new();
    let mut cpu_code = None;
    let (mut debug_checks, mut notes, mut test_kernels) = (None, None, None);
    let table = package.metadata.get("gridwright").and_then(Value::as_object);
    for (key, value) in table.into_iter().flatten() {
        match key.as_str() {
            "architectures" => from_manifest = texts(key, value, &mut diagnostics),
            "device-dependencies" => device_dependencies = texts(key, value, &mut diagnostics).unwrap_or_default(),
            "machine-code" => machine_code = texts(key, value, &mut diagnostics).unwrap_or_default(),
            "modules" => modules = texts(key, value, &mut diagnostics).unwrap_or_default(),
            "cpu-code" => cpu_code = Some(value),
            "debug-checks" => debug_checks = switch(key, value, &mut diagnostics),
            "notes" => notes = switch(key, value, &mut diagnostics),
            "test-kernels" => test_kernels = switch(key, value, &mut diagnostics),
            _ => diagnostics.push(Diagnostic::warning(format!(
                "[package.metadata.gridwright] has no setting `{key}`; there are `architectures`, `cpu-code`, \
                 `debug-checks`, `device-dependencies`, `machine-code`, `modules`, `notes` and `test-kernels`"
            ))),
        }
    }
    check_dependencies(package, &device_dependencies, &mut diagnostics);

    let (source, names) = match (environment.get("GRIDWRIGHT_ARCHITECTURES"), from_manifest) {
        (Some(list), _) => ("GRIDWRIGHT_ARCHITECTURES", split(&list.to_string_lossy())),
        (None, Some(list)) => ("[package.metadata.gridwright] architectures", list),
        (None, None) => ("", DEFAULT_ARCHITECTURES.map(str::to_owned).to_vec()),
    };
    let architectures = parse(source, &names, &mut diagnostics);
    let (source, chips) = match environment.get("GRIDWRIGHT_MACHINE_CODE") {
        Some(list) => ("GRIDWRIGHT_MACHINE_CODE", split(&list.to_string_lossy())),
        None => ("[package.metadata.gridwright] machine-code", machine_code),
    };
    let machine_code = parse(source, &chips, &mut diagnostics);
    check_chips(source, &machine_code, &architectures, &mut diagnostics);
    let cpu = CpuCodes::read(cpu_code, package, environment, &mut diagnostics);
    let chosen =
        |variable: &str, from_manifest: Option<bool>, otherwise: bool| match environment.get(variable) {
            Some(switch) => switch != "0",
            None => from_manifest.unwrap_or(otherwise),
        };
    let is_for_debugging = is_for_debugging(environment);
    let debug_checks = chosen("GRIDWRIGHT_DEBUG_CHECKS", debug_checks, is_for_debugging);
    let notes = chosen("GRIDWRIGHT_NOTES", notes, true);
    let test_kernels = chosen("GRIDWRIGHT_TEST_KERNELS", test_kernels, is_for_debugging);
    let settings = Settings {
        cpu,
        debug_checks,
        notes,
        skip: skip(environment, &architectures),
        architectures,
        machine_code,
        device_dependencies,
        modules: module_paths(&modules),
        test_kernels,
        require_device: environment.is_on("GRIDWRIGHT_REQUIRE_DEVICE"),
    };
    (settings, diagnostics)
}

/// What a dependency with device code says of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfLibrary {
    pub(crate) device_dependencies: Vec<String>,
    pub(crate) modules: Vec<String>,
}

/// What a dependency says of its own device code. What is wrong there its own build says.
pub(crate) fn of_library(package: &Package) -> OfLibrary {
    let list = |key: &str| {
        let value = package.metadata.get("gridwright").and_then(|table| table.get(key));
        value.and_then(|value| texts(key, value, &mut Vec::new())).unwrap_or_default()
    };
    OfLibrary { device_dependencies: list("device-dependencies"), modules: module_paths(&list("modules")) }
}

/// Paths of modules, from the crate's root on.
fn module_paths(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| path.strip_prefix("crate::").unwrap_or(path).to_owned()).collect()
}

/// Whether the host's code has these checks, as far as cargo says: by the profile that this one is made of.
fn is_for_debugging(environment: &Environment) -> bool {
    environment.get("PROFILE").is_some_and(|profile| profile == "debug")
}

/// The architectures of some names, each once.
fn parse(source: &str, names: &[String], diagnostics: &mut Vec<Diagnostic>) -> Vec<Architecture> {
    let mut architectures: Vec<Architecture> = Vec::new();
    for name in names {
        match Architecture::parse(name) {
            Ok(architecture) if architectures.contains(&architecture) => {}
            Ok(architecture) => architectures.push(architecture),
            Err(text) => diagnostics.push(Diagnostic::error(format!("{source}: {text}"))),
        }
    }
    architectures
}

/// Machine code is made of PTX for the chip or an older one. What chips with a letter have of their own isn't in any PTX of ours.
fn check_chips(
    source: &str,
    chips: &[Architecture],
    built: &[Architecture],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for chip in chips {
        let name = chip.name();
        let Some(number) = chip.number() else {
            diagnostics.push(Diagnostic::error(format!(
                "{source}: `{name}` is not a chip of NVIDIA's by its plain number, such as sm_90"
            )));
            continue;
        };
        if !built.iter().any(|architecture| architecture.number().is_some_and(|older| older <= number)) {
            diagnostics.push(Diagnostic::error(format!(
                "{source}: machine code for {name} is made of PTX, and no architecture is built that is {name} or older: add \
                 {name} to `architectures`"
            )));
        }
    }
}

/// Names between commas or white space.
fn split(list: &str) -> Vec<String> {
    list.split(|c: char| c == ',' || c.is_whitespace()).filter(|n| !n.is_empty()).map(str::to_owned).collect()
}

fn skip(environment: &Environment, architectures: &[Architecture]) -> Option<String> {
    if environment.is_on("GRIDWRIGHT_SKIP_DEVICE") {
        Some("it was built with GRIDWRIGHT_SKIP_DEVICE set: build again without it".to_owned())
    } else if environment.holds("DOCS_RS") {
        Some("it was built for docs.rs".to_owned())
    } else if architectures.is_empty() {
        Some("the list of architectures is empty: name some in [package.metadata.gridwright] or GRIDWRIGHT_ARCHITECTURES".to_owned())
    } else {
        None
    }
}

fn switch(key: &str, value: &Value, diagnostics: &mut Vec<Diagnostic>) -> Option<bool> {
    if !value.is_boolean() {
        diagnostics.push(Diagnostic::error(format!(
            "[package.metadata.gridwright] {key} must be `true` or `false`"
        )));
    }
    value.as_bool()
}

fn texts(key: &str, value: &Value, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<String>> {
    let list = value.as_array().and_then(|a| a.iter().map(|v| v.as_str().map(str::to_owned)).collect());
    if list.is_none() {
        diagnostics.push(Diagnostic::error(format!(
            "[package.metadata.gridwright] {key} must be a list of strings"
        )));
    }
    list
}

/// A name that is no dependency would otherwise show as an unresolved import, far from its cause.
fn check_dependencies(package: &Package, names: &[String], diagnostics: &mut Vec<Diagnostic>) {
    for name in names.iter().filter(|name| **name != package.name) {
        if !package.dependencies.iter().any(|d| d.key() == name && d.kind.as_deref() != Some("build")) {
            diagnostics.push(Diagnostic::error(format!(
                "[package.metadata.gridwright] device-dependencies: `{name}` is not a dependency of `{}`",
                package.name
            )));
        }
    }
}
