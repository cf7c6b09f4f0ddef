//! What was built: the target that holds the kernel, and its images.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use anyhow::{Context, bail, ensure};
use cargo_metadata::Message;
use gridwright_build::Family;
use gridwright_build::inspect::{BuiltImage, BuiltKernel, BuiltTarget, Target, built_targets};

use super::Options;
use crate::cargo::{self, Found};

pub(super) const NO_SCRIPT: &str = "it has no build script that calls `gridwright_build::compile_kernels()`";

pub(super) struct Built {
    /// The target that holds the kernel.
    pub(super) target: Target,
    /// The kernel's path, or what was asked for, where no image says which it is.
    pub(super) kernel: String,
    /// The images that have the kernel, and what its entry point is called in each.
    images: Vec<(BuiltImage, String)>,
    /// Why there are no images, if there are none.
    missing: String,
}

impl Built {
    /// Builds the package's images, as far as they are wanted, and finds the kernel.
    ///
    /// # Errors
    /// Where that fails, or there is no such kernel, or several.
    pub(super) fn find(found: &Found, options: &Options) -> anyhow::Result<Self> {
        let targets = targets(found, options)?;
        if let [target] = &targets[..]
            && options.cpu
        {
            let kernel = options.kernel().to_owned();
            return Ok(Self { target: target.clone(), kernel, images: Vec::new(), missing: String::new() });
        }
        let built = build(found, options, &targets)?;
        with_kernel(options.kernel(), &targets, built)
    }

    /// The images of a family, with the name of the kernel's entry point. Having none is an error only if they were asked for.
    ///
    /// # Errors
    /// Where there are none: why.
    pub(super) fn images(&self, family: Family) -> anyhow::Result<Vec<&(BuiltImage, String)>> {
        let images: Vec<_> =
            self.images.iter().filter(|(image, _)| image.architecture.family() == family).collect();
        if !images.is_empty() {
            return Ok(images);
        }
        ensure!(
            self.images.is_empty(),
            "no architecture of that vendor is among `architectures` in [package.metadata.gridwright]"
        );
        bail!("there is no code for GPUs: {}", self.missing)
    }
}

pub(super) fn of_package(target: &cargo_metadata::Target) -> Option<Target> {
    Target::of_kind(&target.kind.first()?.to_string(), &target.name)
}

/// The package's targets that may hold kernels, or the one that was chosen.
///
/// # Errors
/// Where there is none as was chosen.
pub(super) fn targets(found: &Found, options: &Options) -> anyhow::Result<Vec<Target>> {
    let mut targets: Vec<Target> = found.package.targets.iter().filter_map(of_package).collect();
    if let Some(chosen) = options.target.target() {
        ensure!(targets.contains(&chosen), "`{}` has no target {chosen}", found.package.name);
        targets.retain(|target| *target == chosen);
    }
    Ok(targets)
}

/// What the build script makes of the targets. Checking is enough to have it run.
///
/// # Errors
/// Where the package doesn't build, or what was built can't be read.
pub(super) fn build(
    found: &Found,
    options: &Options,
    targets: &[Target],
) -> anyhow::Result<Vec<BuiltTarget>> {
    let chosen = options.target.target();
    let package = &found.package;
    let mut words = vec!["check"];
    words.extend(options.of_cargo(&package.name));
    words.extend(chosen.iter().flat_map(|target| target.arguments()));
    let words: Vec<&OsStr> = words.into_iter().map(OsStr::new).collect();
    let messages = cargo::build(&words, &[], "compiling kernels")?;
    let out_dir = messages.iter().find_map(|message| match message {
        Message::BuildScriptExecuted(script) if script.package_id == package.id => Some(&script.out_dir),
        _ => None,
    });
    let Some(out_dir) = out_dir else { return Ok(Vec::new()) };
    let mut built = built_targets(out_dir.as_std_path())
        .with_context(|| format!("can't read what was built in {out_dir}"))?;
    built.retain(|built| targets.iter().any(|target| built.is(target)));
    Ok(built)
}

/// The one target that holds the kernel.
fn with_kernel(name: &str, targets: &[Target], built: Vec<BuiltTarget>) -> anyhow::Result<Built> {
    let mut holders = Vec::new();
    let mut known = Vec::new();
    let mut missing = None;
    for built in built {
        missing = missing.or_else(|| built.missing.clone());
        // A binary and an example of one name share a table.
        let of_it = targets.iter().filter(|target| built.is(target));
        let kernels = || built.images.iter().flat_map(|image| &image.kernels);
        match BuiltKernel::find(name, kernels()) {
            Ok(kernel) => {
                let entry = |image: &BuiltImage| {
                    let kernel = image.kernels.iter().find(|other| other.path == kernel.path)?;
                    Some((image.clone(), kernel.entry.clone()))
                };
                let images: Vec<_> = built.images.iter().filter_map(entry).collect();
                holders.extend(of_it.map(|target| (target.clone(), kernel.path.clone(), images.clone())));
            }
            Err(paths) if !paths.is_empty() => {
                bail!("several kernels are called `{name}`; say which: {}", paths.join(", "))
            }
            Err(_) => {
                let paths: BTreeSet<&str> = kernels().map(|kernel| kernel.path.as_str()).collect();
                let paths: Vec<&str> = paths.into_iter().collect();
                let of_it = of_it.filter(|_| !paths.is_empty());
                known.extend(of_it.map(|target| format!("{target}: {}", paths.join(", "))));
            }
        }
    }
    let missing = missing.unwrap_or_else(|| NO_SCRIPT.to_owned());
    match (holders.len(), targets) {
        (1, _) => {}
        (0, [target]) if known.is_empty() => {
            let kernel = name.to_owned();
            return Ok(Built { target: target.clone(), kernel, images: Vec::new(), missing });
        }
        (0, _) if known.is_empty() => bail!(
            "there is no code for GPUs that would say where `{name}` is: {missing}. For the CPU's, name its target: {}",
            list(targets)
        ),
        (0, _) => bail!("there is no kernel `{name}`. There are, in\n  {}", known.join("\n  ")),
        _ => {
            let holders: Vec<_> = holders.into_iter().map(|(target, ..)| target).collect();
            bail!("several targets have a kernel `{name}`; say which: {}", list(&holders))
        }
    }
    let (target, kernel, images) = holders.swap_remove(0);
    Ok(Built { target, kernel, images, missing })
}

fn list(targets: &[Target]) -> String {
    targets.iter().map(Target::to_string).collect::<Vec<_>>().join(", ")
}
