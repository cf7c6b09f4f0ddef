//! The stages in their order. Everything that a build script may do to its surroundings is in what
//! [`run`] returns, except for files under `OUT_DIR` and the shared folder.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gridwright_image::code_object::CodeObject;

use crate::architecture::{Architecture, Family};
use crate::assemble::Assembler;
use crate::avoid::avoid;
use crate::compile::{self, Compiled, Failure, Outcome};
use crate::diagnostic::Diagnostic;
use crate::discover::{self, Candidate, Discovery, Libraries, Package};
use crate::environment::Environment;
use crate::files::{self, write_if_changed};
use crate::lower::lower;
use crate::mend::mend;
use crate::names::{ImageNames, Names};
use crate::notes::{self, Cost, Notes};
use crate::optimise::{optimise, without_idle_barriers};
use crate::plan::{self, Build, Context, Contraction, DevicePackage};
use crate::progress;
use crate::settings::{self, CpuCode, Settings};
use crate::table::{Kind, Table, TableImage};
use crate::toolchain;
use crate::unroll::{kernels, unroll};
use crate::{check, image, workers};

/// What the build script tells cargo.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) watch: BTreeSet<PathBuf>,
}

/// The end of every text about images that are not there.
const OTHERWISE: &str = "or set GRIDWRIGHT_DEVICE=cpu";

/// The end of errors in what has its tests.
const OF_TESTS: &str = "\n\nthe crate's tests have kernels, so what stands under `#[cfg(test)]` is compiled for GPUs, without its `#[test]` \
                        functions: other functions and `use`s of the tests that the host alone needs get `#[host_only]`, and a module of \
                        tests without kernels `#[cfg(all(test, not(gridwright_device)))]`";

/// Builds what is to be built and writes a table for every target.
pub(crate) fn run(environment: &Environment) -> Report {
    let mut report = Report::default();
    if let Err(diagnostic) = try_run(environment, &mut report) {
        report.diagnostics.push(diagnostic);
    }
    report
}

fn try_run(environment: &Environment, report: &mut Report) -> Result<(), Diagnostic> {
    let mut package = discover::load(environment)?;
    let out_dir = environment.path("OUT_DIR").ok_or_else(|| Diagnostic::error("OUT_DIR is not set"))?;
    let out = out_dir.join("gridwright");
    watch_manifests(&package, &mut report.watch);

    let discovery = discover::targets(&package);
    report.watch.extend(discovery.files.iter().cloned());
    package.named_variables.clone_from(&discovery.variables);
    package.library_has_kernels = discovery.candidates.iter().any(|c| c.is_library() && c.has_kernels);
    if let Some(library) = discovery.candidates.iter().find(|c| c.is_library()) {
        package.library_modules.clone_from(&library.modules);
        package.library_says_contraction = library.says_contraction;
        package.library_names.clone_from(&library.names);
    }

    let (settings, mut diagnostics) = settings::read(&package, environment);
    diagnostics.extend(unknown_modules(&settings.modules, &discovery.candidates));
    let is_wrong = diagnostics.iter().any(|d| d.severity == crate::Severity::Error);
    report.diagnostics.extend(diagnostics);
    if is_wrong {
        return Ok(());
    }

    let (tables, libraries) = tables(environment, &package, &settings, &discovery, &out_dir, &out, report);
    for candidate in &discovery.candidates {
        if candidate.is_unit_test && !settings.test_kernels {
            continue;
        }
        let table = tables.get(&candidate.stem()).cloned().unwrap_or_else(|| no_kernels(candidate));
        let panics = panics(&package, &discovery, &libraries, candidate);
        write_table(&out, candidate, &table, *settings.cpu.of(&candidate.name), &panics)?;
    }
    without_old_tests(&out, &discovery, &settings);
    Ok(())
}

/// Writes a target's table, and those of single names into a folder beside it.
fn write_table(
    out: &Path,
    candidate: &Candidate,
    table: &Table,
    cpu: CpuCode,
    panics: &BTreeMap<String, &[discover::Panic]>,
) -> Result<(), Diagnostic> {
    let folder = out.join(candidate.stem());
    let write = |path: PathBuf, text: String| {
        write_if_changed(&path, text.as_bytes())
            .map_err(|e| Diagnostic::error(format!("could not write {}: {e}", path.display())))
    };
    write(out.join(format!("{}.rs", candidate.stem())), table.expression(cpu, panics))?;
    let files = table.files();
    for file in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let path = file.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !files.contains(name) {
            // A kernel that isn't in the images any more would be taken for one of them.
            std::fs::remove_file(&path)
                .map_err(|e| Diagnostic::error(format!("could not remove {}: {e}", path.display())))?;
        }
    }
    for file in &files {
        write(folder.join(file), table.expression_of(file, cpu, panics))?;
    }
    Ok(())
}

/// Takes away the tables of unit tests that have no kernels any more: macros prefer them.
fn without_old_tests(out: &Path, discovery: &Discovery, settings: &Settings) {
    let tables = discovery.candidates.iter().filter(|c| c.is_unit_test && settings.test_kernels);
    let kept: BTreeSet<String> = tables.map(|c| format!("{}.rs", c.stem())).collect();
    for file in std::fs::read_dir(out).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".test.rs") && !kept.contains(&name) {
            // If it stays, its images are older than the sources, and the program's check of both tells.
            let _ = std::fs::remove_file(file.path());
            let _ = std::fs::remove_dir_all(file.path().with_extension(""));
        }
    }
}

/// What panics in a target's kernels take from its sources and from those of libraries, by files as the device build names them.
fn panics<'d>(
    package: &Package,
    discovery: &'d Discovery,
    libraries: &'d Libraries,
    candidate: &'d Candidate,
) -> BTreeMap<String, &'d [discover::Panic]> {
    let is_library = |other: &&Candidate| other.is_library() && candidate.names_library;
    let library = discovery.candidates.iter().filter(is_library);
    let files =
        library.chain([candidate]).filter(|target| target.has_kernels).flat_map(|target| &target.panics);
    let named = |(file, panics): (&'d PathBuf, &'d Vec<discover::Panic>)| {
        let file = file.strip_prefix(&package.workspace_root).unwrap_or(file);
        (file.to_string_lossy().into_owned(), panics.as_slice())
    };
    let of_libraries = libraries.iter().filter(|_| candidate.has_kernels).flat_map(|library| &library.panics);
    files.chain(of_libraries).map(named).collect()
}

/// Names that are no module's would otherwise show as kernels that no image has, far from their cause.
fn unknown_modules(names: &[String], candidates: &[Candidate]) -> Vec<Diagnostic> {
    let is_unknown = |name: &&String| !candidates.iter().any(|c| c.modules.contains_key(*name));
    let unknown = names.iter().filter(is_unknown).map(|name| {
        Diagnostic::error(format!(
            "[package.metadata.gridwright] modules: no target of the package has a module `{name}` in a file of its own; write a \
             path such as `kernels` or `filters::gpu`"
        ))
    });
    unknown.collect()
}

/// The manifests and the lock file decide what the device code is linked with, and which targets there are.
fn watch_manifests(package: &Package, watch: &mut BTreeSet<PathBuf>) {
    let root = &package.workspace_root;
    let files = [
        package.manifest_path.clone(),
        package.folder().join("build.rs"),
        root.join("Cargo.toml"),
        root.join("Cargo.lock"),
    ];
    // Cargo finds targets in these, new ones too. Of tests that is left out: what tests write lies among them.
    let folders = ["src/bin", "examples", "benches"].map(|folder| package.folder().join(folder));
    watch.extend(files.into_iter().chain(folders).filter(|f| f.exists()));
}

/// The tables of the targets that hold kernels.
fn tables(
    environment: &Environment,
    package: &Package,
    settings: &Settings,
    discovery: &Discovery,
    out_dir: &Path,
    out: &Path,
    report: &mut Report,
) -> (BTreeMap<String, Table>, Libraries) {
    let is_built = |c: &&Candidate| c.has_kernels && (!c.is_unit_test || settings.test_kernels);
    let with_kernels: Vec<&Candidate> = discovery.candidates.iter().filter(is_built).collect();
    let all = |table: &Table| {
        let tables = with_kernels.iter().map(|c| (c.stem(), table.clone())).collect();
        (tables, Libraries::default())
    };
    if with_kernels.is_empty() {
        return (BTreeMap::new(), Libraries::default());
    }
    if settings.notes {
        let of_units = || notes::of_units(environment, &package.workspace_root, &discovery.files);
        report.diagnostics.extend(notes::of_profile(environment).or_else(of_units));
    }
    if let Some(reason) = &settings.skip {
        return all(&Table::Missing(format!("the program has no GPU code, as {reason}, {OTHERWISE}")));
    }
    let shared = plan::directories::shared(out_dir, environment.path("TARGET").as_deref());
    let toolchain = match toolchain::find(environment, &shared) {
        Ok(toolchain) => toolchain,
        Err(missing) => {
            report.watch.extend(missing.watch);
            let text = format!("{}, {OTHERWISE}", missing.message);
            report.diagnostics.push(unavailable(package, settings, &text));
            return all(&Table::Missing(text));
        }
    };
    report.watch.extend(toolchain.watch.iter().cloned());
    if let Err(text) = toolchain.probe(&plan::probes(&settings.all_architectures(), environment)) {
        report.diagnostics.push(unavailable(package, settings, &text));
        return all(&Table::Missing(format!("{text}, {OTHERWISE}")));
    }
    report.diagnostics.extend(toolchain.remark().map(Diagnostic::warning));

    let none = Libraries::default();
    let context = Context {
        package,
        settings,
        toolchain: &toolchain,
        environment,
        out,
        shared: &shared,
        libraries: &none,
    };
    let libraries = libraries(&context, &with_kernels);
    report.watch.extend(libraries.iter().filter(|l| l.is_local()).map(|l| l.package.manifest_path.clone()));
    let context = Context { libraries: &libraries, ..context };
    progress::announce_core(&shared, &settings.all_architectures());
    let to_build: Vec<&Candidate> =
        with_kernels.iter().copied().filter(|c| !discovery.collisions.contains_key(&c.stem())).collect();
    let mut results = build_all(&context, &to_build, &mut report.watch);
    let mut tables: BTreeMap<String, Table> = discovery
        .collisions
        .iter()
        .map(|(stem, text)| (stem.clone(), Table::Refused(text.clone())))
        .collect();
    let mut problems = BTreeSet::new();
    let mut unassembled = BTreeSet::new();
    let mut notes = Notes::default();
    let assembler = assembler(&context, report, &mut unassembled);
    for candidate in to_build {
        let built = results.remove(&candidate.stem()).unwrap_or_default();
        let mut table = table(&context, candidate, built, &mut problems, &mut notes);
        if let (Some(assembler), Table::Images(images)) = (&assembler, &mut table) {
            images.extend(machine_code(settings, assembler, images, &mut unassembled, &mut notes));
        }
        tables.insert(candidate.stem(), table);
    }
    // What failed may succeed with nothing changed that cargo could see: a path that is never there
    // has the build script run again.
    if !problems.is_empty() || !unassembled.is_empty() {
        report.watch.insert(out.join("again"));
    }
    report.diagnostics.extend(unassembled.iter().map(|text| {
        let text = format!(
            "`{}` is built without machine code that was asked for: {text}; drivers compile its PTX",
            package.name
        );
        if settings.require_device { Diagnostic::error(text) } else { Diagnostic::warning(text) }
    }));
    report.diagnostics.extend(problems.iter().map(|text| unavailable(package, settings, text)));
    if settings.notes {
        report.diagnostics.extend(notes.diagnostics());
    }
    (tables, libraries)
}

/// The dependencies with device code of their own. Cargo is asked only where device code names a dependency at all.
fn libraries(context: &Context<'_>, candidates: &[&Candidate]) -> Libraries {
    // Host builds of two profiles may run at once, and share the question's folder.
    let _alone = files::locked(&plan::directories::packages(context));
    let answer = plan::question(context, candidates).and_then(|(package, run)| compile::ask(&package, &run));
    let is_wanted = |dependency: &discover::Dependency| plan::may_use(context, candidates, dependency);
    answer.and_then(|answer| discover::libraries::read(&answer, is_wanted)).unwrap_or_default()
}

/// The assembler of machine code, if some is asked for. What its release gets wrong in any PTX is a warning.
fn assembler(
    context: &Context<'_>,
    report: &mut Report,
    problems: &mut BTreeSet<String>,
) -> Option<Assembler> {
    let chips = &context.settings.machine_code;
    if chips.is_empty() {
        return None;
    }
    let assembler = Assembler::find(context.environment).map_err(|text| problems.insert(text)).ok()?;
    report.watch.insert(assembler.program.clone());
    if let Some(fault) = chips.iter().find_map(|chip| assembler.fault(chip)) {
        report.diagnostics.push(Diagnostic::warning(format!(
            "machine code is made by ptxas {}, which is known to be wrong: {}: {}; name one of another release in GRIDWRIGHT_PTXAS",
            assembler.release(),
            fault.form,
            fault.wrong
        )));
    }
    Some(assembler)
}

/// Machine code for the chips that the settings name, of the newest PTX that each runs.
fn machine_code(
    settings: &Settings,
    assembler: &Assembler,
    images: &[TableImage],
    problems: &mut BTreeSet<String>,
    notes: &mut Notes,
) -> Vec<TableImage> {
    let mut made = Vec::new();
    for chip in &settings.machine_code {
        let number = |image: &TableImage| image.architecture.number().filter(|_| image.kind == Kind::Ptx);
        let newest = images.iter().filter_map(number).filter(|&older| Some(older) <= chip.number()).max();
        for image in images.iter().filter(|image| newest.is_some() && number(image) == newest) {
            let path = image.path.with_extension(format!("{}.cubin", chip.name()));
            match assembler.assemble(&image.path, chip, &path) {
                Ok(spills) => {
                    for (kernel, bytes) in spills {
                        notes.add(&kernel, Cost::Spill, bytes, chip.name());
                    }
                    made.push(TableImage {
                        architecture: chip.clone(),
                        compiled_for: image.compiled_for.clone(),
                        kind: Kind::Cubin,
                        path,
                        contents: image.contents.clone(),
                    });
                }
                Err(text) => {
                    problems.insert(text);
                }
            }
        }
    }
    made
}

/// The text about missing GPU code, as bad as the user wants it.
fn unavailable(package: &Package, settings: &Settings, text: &str) -> Diagnostic {
    let text = format!("`{}` is built without GPU code: {text}", package.name);
    if settings.require_device { Diagnostic::error(text) } else { Diagnostic::warning(text) }
}

fn no_kernels(candidate: &Candidate) -> Table {
    Table::Missing(format!(
        "no `gpu_kernel` was found in the source files of the {}: a kernel must stand in a file of the target itself, not in a macro \
         of another crate, {OTHERWISE}",
        candidate.title()
    ))
}

/// What became of one architecture of a target.
type Built = (Build, Result<Compiled, Failure>);

/// A target's device package, and whether its files could be written.
struct Written<'c> {
    candidate: &'c Candidate,
    package: DevicePackage,
    result: Result<(), Failure>,
}

/// Builds every target for every architecture.
fn build_all(
    context: &Context<'_>,
    candidates: &[&Candidate],
    watch: &mut BTreeSet<PathBuf>,
) -> BTreeMap<String, Vec<Built>> {
    // Host builds of two profiles may run at once, and share these.
    let _alone = files::locked(&plan::directories::packages(context));
    let write = |candidate| {
        let package = plan::device_package(context, candidate);
        let result = compile::write(&package);
        Written { candidate, package, result }
    };
    let targets: Vec<Written<'_>> = candidates.iter().copied().map(write).collect();
    let groups = |target| by_folder(context, target).into_iter().map(move |group| (target, group));
    let tasks: Vec<_> = targets.iter().flat_map(groups).collect();
    let workers = workers::allowed(context.environment);
    let outcomes =
        workers::side_by_side(&tasks, workers, |(target, group)| build_group(context, target, group));
    let mut results: BTreeMap<String, Vec<Built>> = BTreeMap::new();
    for (stem, build, outcome) in outcomes.into_iter().flatten() {
        watch.extend(outcome.watch);
        results.entry(stem).or_default().push((build, outcome.result));
    }
    results
}

/// The architectures of a target, those that share a folder together.
fn by_folder<'c>(context: &Context<'c>, target: &Written<'_>) -> Vec<Vec<&'c Architecture>> {
    let mut groups: Vec<(PathBuf, Vec<&Architecture>)> = Vec::new();
    for architecture in context.settings.architectures.of(&target.candidate.name) {
        let folder = plan::directories::of_core(context.shared, architecture);
        match groups.iter_mut().find(|(f, _)| *f == folder) {
            Some((_, group)) => group.push(architecture),
            None => groups.push((folder, vec![architecture])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Builds a target for architectures that share a folder: cargo locks it, so that is one after another.
fn build_group(
    context: &Context<'_>,
    target: &Written<'_>,
    group: &[&Architecture],
) -> Vec<(String, Build, Outcome)> {
    let mut outcomes = Vec::new();
    let images = group.iter().flat_map(|&architecture| {
        let images = Contraction::of_images(context, target.candidate, architecture).iter();
        images.map(move |&contraction| (architecture, contraction))
    });
    for (architecture, contraction) in images {
        let build = plan::build(context, target.candidate, &target.package, architecture, contraction);
        let outcome = match &target.result {
            Ok(()) => compile::run(&build, &target.package, &context.toolchain.library),
            Err(failure) => Outcome { result: Err(failure.clone()), watch: BTreeSet::new() },
        };
        let has_failed = outcome.result.is_err();
        outcomes.push((target.candidate.stem(), build, outcome));
        // The next would fail in the same way, after as long a wait.
        if has_failed {
            break;
        }
    }
    outcomes
}

/// The table of one target. Failures of the machine go to `problems`.
fn table(
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
    if !refused.is_empty() {
        return Table::Refused(refusal(candidate, &refused));
    }
    if let Some(text) = unavailable {
        let text = format!("{text}: mend that, {OTHERWISE}");
        problems.insert(text.clone());
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

/// The image of the program's IR behind the stages that change it; as the compiler wrote it where none does. Where the compiler gets a
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
    if mended.found.is_empty() {
        match &compiled.image {
            // Without the toolchain's LLVM loops and barriers stay, and the image is as right.
            Ok(image) if matches!(unrolled, Cow::Borrowed(_)) => {
                return Ok(match std::str::from_utf8(image) {
                    Ok(ptx) if family == Family::Nvidia => Cow::Owned(names.in_ptx(ptx).into_bytes()),
                    _ => Cow::Borrowed(image),
                });
            }
            Ok(_) => {}
            Err(death) => return Err(Failure::Code(death.describe(&check::kernels(&compiled.ir)))),
        }
    }
    let ir = lighter.as_deref().unwrap_or(&mended.ir);
    let places = || {
        let place = |(form, function): &(&str, &str)| {
            format!("\n  {form} in `{:#}`", rustc_demangle::demangle(function))
        };
        mended.found.iter().map(place).collect::<String>()
    };
    lower(&build.lowering, ir).map(Cow::Owned).map_err(|failure| match failure {
        _ if mended.found.is_empty() => failure,
        Failure::Machine(text) => Failure::Machine(format!(
            "{text}; the device compiler gets wrong:{}",
            places().replace("\n ", "")
        )),
        Failure::Code(text) => Failure::Code(format!("{text}\nmended is:{}", places())),
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
