//! What the compiler made of a target → images that are mended, optimised and checked, and their table.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gridwright_image::code_object::CodeObject;

use super::OTHERWISE;
use crate::architecture::{Architecture, Family};
use crate::avoid::avoid;
use crate::compile::{self, Compiled, Death, Failure};
use crate::discover::Candidate;
use crate::files::write_if_changed;
use crate::lower::lower;
use crate::mend::mend;
use crate::names::{ImageNames, Names};
use crate::notes::{Cost, Notes};
use crate::optimise::{optimise, without_idle_barriers};
use crate::plan::{Build, Context, Contraction};
use crate::table::{Kind, Table, TableImage};
use crate::unroll::{kernels, unroll};
use crate::{check, image};

/// The end of errors in what has its tests.
const OF_TESTS: &str = "\n\nthe crate's tests have kernels, so what stands under `#[cfg(test)]` is compiled for GPUs, without its `#[test]` \
                        functions: other functions and `use`s of the tests that the host alone needs get `#[host_only]`, and a module of \
                        tests without kernels `#[cfg(all(test, not(gridwright_device)))]`";

/// What became of one architecture of a target.
type Built = (Build, Result<Compiled, Failure>);

/// The table of one target. Failures of the machine go to `problems`.
pub(super) fn table(
    context: &Context<'_>,
    candidate: &Candidate,
    built: Vec<Built>,
    problems: &mut BTreeSet<String>,
    notes: &mut Notes,
) -> Table {
    let mut images = Vec::new();
    // One text may be true of several architectures: it is shown once.
    let mut refused: Vec<(String, Vec<String>)> = Vec::new();
    let of_images = |architecture| Contraction::of_images(context, candidate, architecture).len();
    let architectures = context.settings.architectures.of(&candidate.name);
    let wanted = architectures.iter().map(of_images).sum();
    let mut unavailable = (built.len() < wanted).then(|| "a device build did not end".to_owned());
    let names = Names::of(built.iter().filter_map(|(_, result)| Some(result.as_ref().ok()?.ir.as_str())));
    for (build, result) in built {
        let checked = result.and_then(|compiled| finish(&build, compiled, &names, notes));
        match checked {
            // The word for it may have been found, and no kernel that says it.
            Ok(image) if image.contents.entries.is_empty() && build.contraction == Contraction::Off => {}
            Ok(image) => images.push(image),
            Err(Failure::Machine(text)) => unavailable = Some(text),
            Err(Failure::Code(text)) => {
                let name = build.architecture.name().to_owned();
                match refused.iter_mut().find(|(t, _)| *t == text) {
                    Some((_, names)) if names.contains(&name) => {}
                    Some((_, names)) => names.push(name),
                    None => refused.push((text, vec![name])),
                }
            }
        }
    }
    let unavailable = unavailable.map(|text| format!("{text}: mend that, {OTHERWISE}"));
    problems.extend(unavailable.clone());
    if !refused.is_empty() {
        return Table::Refused(refusal(candidate, &refused));
    }
    if let Some(text) = unavailable {
        return Table::Missing(text);
    }
    let position = |a: &Architecture| architectures.iter().position(|b| a == b);
    images.sort_by_key(|image| position(&image.architecture));
    Table::Images(images)
}

fn refusal(candidate: &Candidate, refused: &[(String, Vec<String>)]) -> String {
    let parts: Vec<_> = refused
        .iter()
        .map(|(text, names)| {
            format!(
                "the GPU code of the {} does not compile for {}\n\n{text}{}",
                candidate.title(),
                names.join(", "),
                if candidate.has_test { OF_TESTS } else { "" }
            )
        })
        .collect();
    parts.join("\n\n")
}

/// Names an image's kernels, unrolls and mends it, states its launch bounds, reads it back, checks it and puts it where macros include it.
fn finish(
    build: &Build,
    mut compiled: Compiled,
    names: &Names,
    notes: &mut Notes,
) -> Result<TableImage, Failure> {
    let family = build.architecture.family();
    let malformed = |e: image::Malformed| Failure::Machine(e.to_string());
    let names = names.image(&compiled.ir).map_err(|text| Failure::Code(format!("error: {text}")))?;
    compiled.ir = names.in_ir(&compiled.ir);
    let raw = lowered(build, &compiled, &names, notes)?;
    let bytes = image::with_launch_bounds(family, &raw).map_err(malformed)?;
    let mut contents = image::read(&build.architecture, &bytes).map_err(malformed)?;
    for entry in &mut contents.entries {
        if let Some(path) = names.path(&entry.name) {
            path.clone_into(&mut entry.path);
        }
    }
    if family == Family::Amd {
        note_local(&bytes, &build.architecture, notes);
    }
    let mut problems = check::check(&contents, &compiled.ir);
    if !problems.is_empty() {
        if let Some(ir) = compiled.ir_with_lines(build) {
            let lined = check::check(&contents, &names.in_ir(&ir));
            problems = if lined.is_empty() { problems } else { lined };
        }
        return Err(Failure::Code(
            problems.iter().map(|p| format!("error: {p}")).collect::<Vec<_>>().join("\n"),
        ));
    }
    let image = match (family, std::str::from_utf8(&bytes)) {
        (Family::Nvidia, Ok(ptx)) => {
            let ptx = avoid(&optimise(ptx));
            image::take_apart(&mut contents, &ptx).map_err(malformed)?;
            Cow::Owned(ptx.into_bytes())
        }
        _ => bytes,
    };
    write_if_changed(&build.image, &image).map_err(|e| compile::cannot("write", &build.image, &e))?;
    let (architecture, path) = (build.architecture.clone(), build.image.clone());
    Ok(TableImage {
        compiled_for: architecture.clone(),
        architecture,
        kind: Kind::of(family),
        path,
        contents,
    })
}

/// The image of the program's IR behind the stages that change it; as the compiler makes it where none does. Where the compiler gets a
/// form wrong that the program has, or ends on it, and another can't be compiled, there is none: wrong code isn't run.
fn lowered<'c>(
    build: &Build,
    compiled: &'c Compiled,
    names: &ImageNames,
    notes: &mut Notes,
) -> Result<Cow<'c, [u8]>, Failure> {
    let family = build.architecture.family();
    let unrolled = unroll(&build.lowering, &compiled.ir);
    if family == Family::Nvidia {
        note_arrays(&unrolled, &build.architecture, notes);
    }
    let mended = mend(family, &unrolled);
    let lighter = if family == Family::Amd { without_idle_barriers(&mended.ir) } else { None };
    let described = |death: &Death| Failure::Code(death.describe(&check::kernels(&compiled.ir)));
    let named = |image: Cow<'c, [u8]>| match std::str::from_utf8(&image) {
        Ok(ptx) if family == Family::Nvidia => Cow::Owned(names.in_ptx(ptx).into_bytes()),
        _ => image,
    };
    if mended.found.is_empty() {
        match &compiled.image {
            // Without the toolchain's LLVM loops and barriers stay, and the image is as right.
            Some(Ok(image)) if matches!(unrolled, Cow::Borrowed(_)) => return Ok(named(image.into())),
            Some(Err(death)) => return Err(described(death)),
            Some(Ok(_)) | None => {}
        }
    }
    let ir = lighter.as_deref().unwrap_or(&mended.ir);
    let places = || {
        let place = |(form, function): &(&str, &str)| {
            format!("\n  {form} in `{:#}`", rustc_demangle::demangle(function))
        };
        mended.found.iter().map(place).collect::<String>()
    };
    lower(&build.lowering, ir).map(Cow::Owned).or_else(|failure| match failure {
        // LLVM may have ended on another program. The compiler has one for each, and says where it ends.
        failure if mended.found.is_empty() => match compiled.by_compiler(build) {
            Some(image) => image.map(|image| named(image.into())).map_err(|death| described(&death)),
            None => Err(failure),
        },
        Failure::Machine(text) => Err(Failure::Machine(format!(
            "{text}; the device compiler gets wrong:{}",
            places().replace("\n ", "")
        ))),
        Failure::Code(text) => Err(Failure::Code(format!("{text}\nmended is:{}", places()))),
    })
}

/// Notes the arrays of a program that PTX keeps in local memory.
fn note_arrays(ir: &str, architecture: &Architecture, notes: &mut Notes) {
    for (name, kernel) in kernels::read(ir) {
        if kernel.indexed_bytes > 0 {
            notes.add(name, Cost::IndexedArray, kernel.indexed_bytes, architecture.name());
        }
    }
}

/// Notes what a code object keeps in local memory.
fn note_local(bytes: &[u8], architecture: &Architecture, notes: &mut Notes) {
    let Ok(object) = CodeObject::read(bytes) else { return };
    for kernel in object.kernels {
        let spills = u64::from(kernel.vgpr_spill_count) * 4;
        if spills > 0 {
            notes.add(&kernel.name, Cost::Spill, spills, architecture.name());
        }
    }
}
