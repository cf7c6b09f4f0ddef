//! `cargo gridwright doctor`: what this machine has for kernels, what it lacks, and what to do.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fmt};

use gridwright::{Device, DriverInfo, Error};
use gridwright_build::inspect::{AmdTools, NvidiaTools};
use gridwright_build::{Architecture, find_toolchain};
use gridwright_image::ptxas::{Fault, Release};
use serde::Serialize;

use crate::cargo;
use crate::style::{self, BAD, TITLE};
use crate::variables::{self, Reader};

/// Says what this machine has for kernels: compilers, drivers, devices, variables, and what to do where something is missing. Fails
/// only if something that was asked for is broken: a machine with a CPU alone is healthy.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// State of one thing that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// The thing isn't there, and nobody asked for it.
    Missing,
    /// The thing isn't as it should be, but nothing fails by it.
    Warning,
    /// The thing was asked for, and doesn't work.
    Broken,
}

#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    /// What there is, or what is wrong.
    found: String,
    /// What to do about the thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

#[derive(Debug, Serialize)]
struct FoundDevice {
    /// The device's name, as `GRIDWRIGHT_DEVICE` takes it.
    id: String,
    name: String,
    architecture: String,
    processors: usize,
    memory_bytes: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Report {
    healthy: bool,
    checks: Vec<Check>,
    devices: Vec<FoundDevice>,
}

/// Prints the report.
///
/// # Errors
/// None: what is wrong is in the report, and in the exit status.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let report = examine();
    let text = if options.json { serde_json::to_string_pretty(&report)? + "\n" } else { describe(&report)? };
    style::print(&text)?;
    Ok(if report.healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn examine() -> Report {
    let mut checks = vec![rust()];
    let sysroot = device_compiler(&mut checks);
    let mut devices = Vec::new();
    for (name, id, driver, open) in [
        ("CUDA driver", "cuda", DriverInfo::cuda(), Device::cuda as fn(usize) -> Result<Device, Error>),
        ("HIP runtime", "hip", DriverInfo::hip(), Device::hip as fn(usize) -> Result<Device, Error>),
    ] {
        checks.push(driver_check(name, id, &driver));
        if let (Ok(driver), "cuda") = (&driver, id) {
            checks.extend(driver.version.parse().map_or_else(|_| Vec::new(), driver_compiler));
        }
        for index in 0..driver.map_or(0, |driver| driver.devices) {
            let id = format!("{id}:{index}");
            match open(index).and_then(|device| found_device(id.clone(), &device)) {
                Ok(device) => devices.push(device),
                Err(error) => checks.push(check("device", State::Warning, format!("{id}: {error}"), None)),
            }
        }
    }
    match Device::cpu().and_then(|device| found_device("cpu".into(), &device)) {
        Ok(device) => devices.push(device),
        Err(error) => checks.push(check("CPU", State::Broken, error.to_string(), None)),
    }
    checks.push(chosen_device());
    checks.push(nvidia_tools());
    checks.push(amd_tools(sysroot.as_deref()));
    checks.extend(environment());
    let healthy = checks.iter().all(|check| check.state != State::Broken);
    Report { healthy, checks, devices }
}

fn check(name: &'static str, state: State, found: impl Into<String>, remedy: Option<&str>) -> Check {
    Check { name, state, found: found.into(), remedy: remedy.map(str::to_owned) }
}

/// Whether a variable is set to something.
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn is_on(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The compiler of programs.
fn rust() -> Check {
    const NAME: &str = "Rust";
    let needed = env!("CARGO_PKG_RUST_VERSION");
    let rustc =
        env::var_os("RUSTC").filter(|rustc| !rustc.is_empty()).unwrap_or_else(|| OsString::from("rustc"));
    let said = Command::new(&rustc).arg("--version").output().ok().filter(|output| output.status.success());
    let Some(said) = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()) else {
        let found = format!("`{}` doesn't run", rustc.display());
        return check(NAME, State::Broken, found, Some("install Rust: https://rustup.rs"));
    };
    let number = said.split_whitespace().nth(1).unwrap_or_default();
    if minor(number) < minor(needed) {
        let remedy = format!("run `rustup update stable`: programs need {needed}");
        return check(NAME, State::Broken, said, Some(&remedy));
    }
    check(NAME, State::Ok, said, None)
}

/// The minor number of a version: 95 of `1.95.0`.
fn minor(version: &str) -> u32 {
    version.split('.').nth(1).and_then(|minor| minor.parse().ok()).unwrap_or(0)
}

/// The compiler of kernels and its library's sources. Gives the compiler's folder.
fn device_compiler(checks: &mut Vec<Check>) -> Option<PathBuf> {
    const NAME: &str = "GPU compiler";
    if is_on("GRIDWRIGHT_SKIP_DEVICE") {
        let remedy = "unset GRIDWRIGHT_SKIP_DEVICE to have kernels compiled for GPUs";
        checks.push(check(
            NAME,
            State::Missing,
            "not asked for: GRIDWRIGHT_SKIP_DEVICE is set",
            Some(remedy),
        ));
        return None;
    }
    // An archive of sources is unpacked where builds here look for it, or else for the moment.
    let scratch = tempfile::tempdir();
    let cache = match (cargo::target_folder(), &scratch) {
        (Some(target), _) => target.join("gridwright"),
        (None, Ok(scratch)) => scratch.path().to_owned(),
        (None, Err(error)) => {
            checks.push(check(NAME, State::Warning, format!("can't make a folder: {error}"), None));
            return None;
        }
    };
    match find_toolchain(&cache) {
        Ok(toolchain) => {
            let folder = toolchain.sysroot.display();
            let found = format!("{}, {}, in {folder}", toolchain.name, toolchain.version);
            checks.push(match toolchain.remark() {
                Some(remark) => check(NAME, State::Warning, found, Some(&remark)),
                None => check(NAME, State::Ok, found, None),
            });
            let given = env::var_os("GRIDWRIGHT_RUST_SRC").map(PathBuf::from);
            let sources = given.filter(|_| !toolchain.library.starts_with(&toolchain.sysroot));
            let sources = sources.unwrap_or_else(|| toolchain.library.clone());
            checks.push(check("library sources", State::Ok, sources.display().to_string(), None));
            Some(toolchain.sysroot)
        }
        Err(missing) => {
            let asked = ["GRIDWRIGHT_TOOLCHAIN", "GRIDWRIGHT_RUST_SRC"].into_iter().any(is_set);
            let is_broken = asked || is_on("GRIDWRIGHT_REQUIRE_DEVICE");
            let state = if is_broken { State::Broken } else { State::Missing };
            // The command that gets it stands behind the colon.
            let (found, remedy) = match missing.message.split_once(": ") {
                Some((found, remedy)) => (found, Some(remedy)),
                None => (&*missing.message, None),
            };
            checks.push(check(NAME, state, found, remedy));
            None
        }
    }
}

fn driver_check(name: &'static str, id: &str, driver: &Result<DriverInfo, Error>) -> Check {
    let asked = env::var("GRIDWRIGHT_DEVICE").is_ok_and(|device| device.split(':').next() == Some(id));
    let without = if asked { State::Broken } else { State::Missing };
    match driver {
        Ok(driver) => {
            let plural = if driver.devices == 1 { "" } else { "s" };
            let state = if driver.devices == 0 { without } else { State::Ok };
            check(name, state, format!("{}, {} device{plural}", driver.version, driver.devices), None)
        }
        Err(Error::DriverMissing { reason, remedy, .. }) => {
            check(name, without, reason.clone(), Some(remedy))
        }
        Err(error) => check(name, State::Broken, error.to_string(), None),
    }
}

/// What the driver's compiler of PTX is known to get wrong, a check for each form, with what is done about it.
fn driver_compiler(release: Release) -> Vec<Check> {
    const NAME: &str = "driver's compiler";
    let mut checks = Vec::new();
    for fault in release.faults() {
        let Fault { form, wrong, last, chips, instead, .. } = fault;
        let chips = match fault.is_of_all_chips() {
            true => String::new(),
            false => format!(" on sm_{} to sm_{}", chips.start(), chips.end()),
        };
        let found = format!("ptxas {release} is wrong{chips}: {form}: {wrong}");
        let newer = if *last == Release::NEWEST {
            "no release is known that is right".to_owned()
        } else {
            format!("a driver for a CUDA newer than {last} is right")
        };
        let (state, remedy) = match instead {
            Some(instead) => (State::Ok, format!("builds of gridwright write {instead}; {newer}")),
            None => (State::Warning, newer),
        };
        checks.push(check(NAME, state, found, Some(&remedy)));
    }
    checks
}

fn found_device(id: String, device: &Device) -> Result<FoundDevice, Error> {
    let info = device.info()?;
    Ok(FoundDevice {
        id,
        name: device.name().to_owned(),
        architecture: info.architecture,
        processors: info.processors,
        memory_bytes: info.memory_bytes,
    })
}

/// The device that programs take without a word in their source.
fn chosen_device() -> Check {
    const NAME: &str = "default device";
    match Device::from_env() {
        Ok(device) => check(NAME, State::Ok, device.name(), None),
        // Programs can be built with the feature; this one isn't.
        Err(Error::NoDevice { asked, .. }) if asked == "emulator" => {
            check(NAME, State::Ok, "emulator, of programs with the feature `emulator`", None)
        }
        Err(error) => check(NAME, State::Broken, error.to_string(), None),
    }
}

fn nvidia_tools() -> Check {
    const NAME: &str = "NVIDIA's assembler";
    let tools = NvidiaTools::find();
    match (tools.assembler(), tools.disassembler()) {
        (Some(assembler), Some(disassembler)) => {
            check(NAME, State::Ok, format!("{}, {}", assembler.display(), disassembler.display()), None)
        }
        (assembler, _) => {
            let found = if assembler.is_none() { "no ptxas" } else { "no nvdisasm or cuobjdump" };
            check(
                NAME,
                State::Missing,
                found,
                Some("only `inspect` uses it: put the CUDA toolkit's `bin` on PATH"),
            )
        }
    }
}

fn amd_tools(sysroot: Option<&Path>) -> Check {
    const NAME: &str = "AMD's disassembler";
    let tools = AmdTools::find(sysroot);
    match tools.disassemblers().first() {
        Some(program) => check(NAME, State::Ok, program.display().to_string(), None),
        None => {
            let remedy = "only `inspect` uses it: run `rustup component add llvm-tools --toolchain nightly`";
            check(NAME, State::Missing, "no llvm-objdump", Some(remedy))
        }
    }
}

/// A check for each variable that is set.
fn environment() -> Vec<Check> {
    const NAME: &str = "variable";
    let names = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let mut set: Vec<_> = names.filter(|(name, _)| name.starts_with(variables::PREFIX)).collect();
    set.sort();
    set.into_iter()
        .map(|(name, value)| {
            let text = format!("{name}={}", value.to_string_lossy());
            match variables::reader(&name) {
                None => {
                    let remedy = variables::like(&name).map(|known| format!("did you mean {known}?"));
                    check(NAME, State::Warning, format!("{text}: nobody reads it"), remedy.as_deref())
                }
                Some(_) if matches!(&*name, "GRIDWRIGHT_ARCHITECTURES" | "GRIDWRIGHT_MACHINE_CODE") => {
                    architectures(&text, &value.to_string_lossy())
                }
                Some(Reader::Program) => check(NAME, State::Ok, format!("{text}, read by programs"), None),
                Some(Reader::Build) => check(NAME, State::Ok, format!("{text}, read by builds"), None),
                Some(Reader::Tests) => {
                    check(NAME, State::Ok, format!("{text}, read by emulated drivers and tests"), None)
                }
            }
        })
        .collect()
}

fn architectures(text: &str, value: &str) -> Check {
    let names = value.split(|c: char| c == ',' || c.is_whitespace()).filter(|name| !name.is_empty());
    match names.map(Architecture::parse).find_map(Result::err) {
        Some(wrong) => check("variable", State::Broken, format!("{text}: {wrong}"), None),
        None => check("variable", State::Ok, format!("{text}, read by builds"), None),
    }
}

/// The report as text for people.
fn describe(report: &Report) -> Result<String, fmt::Error> {
    let mut text = String::new();
    for Check { name, state, found, remedy } in &report.checks {
        let (word, style) = match state {
            State::Ok => ("ok", style::GOOD),
            State::Missing => ("missing", style::WARNING),
            State::Warning => ("warning", style::WARNING),
            State::Broken => ("broken", style::BAD),
        };
        writeln!(text, "{style}{word:<8}{style:#} {name:<19} {found}")?;
        if let Some(remedy) = remedy {
            writeln!(text, "{:29}{remedy}", "")?;
        }
    }
    writeln!(text, "\n{TITLE}devices{TITLE:#}")?;
    for device in &report.devices {
        let memory = device.memory_bytes.map_or_else(String::new, |bytes| format!(", {:.1} GiB", gib(bytes)));
        writeln!(text, "  {:<9} {}: {}{memory}", device.id, device.name, device.architecture)?;
    }
    if !report.healthy {
        writeln!(text, "\n{BAD}Something that was asked for doesn't work.{BAD:#}")?;
    }
    Ok(text)
}

fn gib(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

#[cfg(test)]
mod tests {
    use super::{Release, State, driver_compiler};

    #[test]
    fn what_a_drivers_compiler_gets_wrong_is_named_with_what_is_done() {
        let checks = driver_compiler(Release::new(12, 8));
        assert!(checks.iter().all(|check| check.found.contains("ptxas 12.8 is wrong")), "{checks:?}");
        let avoided = checks.iter().filter(|check| check.state == State::Ok).count();
        assert_eq!((avoided, checks.len()), (7, 8), "{checks:?}");
        let negation = checks.iter().find(|check| check.found.contains("the negation is lost")).unwrap();
        assert!(negation.found.contains("on sm_90 to sm_103"), "{negation:?}");
        assert!(negation.remedy.as_ref().unwrap().contains("newer than 13.3"), "{negation:?}");
        assert!(driver_compiler(Release::new(13, 6)).is_empty());
    }
}
