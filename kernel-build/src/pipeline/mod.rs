//! The stages in their order. Everything that a build script may do to its surroundings is in what
//! [`run`] returns, except for files under `OUT_DIR` and the shared folder.

mod finish;
mod targets;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::assemble::Assembler;
use crate::diagnostic::Diagnostic;
use crate::discover::{self, Candidate, Discovery, Libraries, Package};
use crate::environment::Environment;
use crate::files::{self, write_if_changed};
use crate::notes::{self, Cost, Notes};
use crate::plan::{self, Context};
use crate::settings::{self, CpuCode, Settings};
use crate::table::{Kind, Table, TableImage};
use crate::{compile, progress, toolchain};
use targets::{Finished, build_all};

/// What the build script tells cargo.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) watch: BTreeSet<PathBuf>,
}

/// The end of every text about images that are not there.
const OTHERWISE: &str = "or set GRIDWRIGHT_DEVICE=cpu";

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
    let finished = build_all(&context, &to_build);
    let mut tables: BTreeMap<String, Table> = discovery
        .collisions
        .iter()
        .map(|(stem, text)| (stem.clone(), Table::Refused(text.clone())))
        .collect();
    let mut problems = BTreeSet::new();
    let mut unassembled = BTreeSet::new();
    let mut notes = Notes::default();
    let assembler = assembler(&context, report, &mut unassembled);
    for (candidate, of_target) in to_build.into_iter().zip(finished) {
        let Finished { mut table, watch, problems: of_it, notes: told } = of_target;
        report.watch.extend(watch);
        problems.extend(of_it);
        notes.merge(told);
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
