//! The images of all targets, side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::finish::table;
use crate::architecture::Architecture;
use crate::compile::{self, Failure, Outcome};
use crate::discover::Candidate;
use crate::notes::Notes;
use crate::plan::{self, Build, Context, Contraction, DevicePackage};
use crate::table::Table;
use crate::{files, workers};

/// A target's device package, and whether its files could be written.
struct Written<'c> {
    candidate: &'c Candidate,
    package: DevicePackage,
    result: Result<(), Failure>,
}

/// A target whose groups of architectures are being built.
struct Open {
    groups: usize,
    /// The groups that have been built, by their numbers.
    built: Vec<(usize, Vec<(Build, Outcome)>)>,
}

/// A target with its images.
pub(super) struct Finished {
    pub(super) table: Table,
    pub(super) watch: BTreeSet<PathBuf>,
    /// Failures of the machine.
    pub(super) problems: BTreeSet<String>,
    pub(super) notes: Notes,
}

/// Architectures of a target that are built one after another.
struct Group<'t> {
    target: &'t Written<'t>,
    number: usize,
    architectures: Vec<&'t Architecture>,
    open: &'t Mutex<Open>,
}

/// Builds every target for every architecture. While the compiler is at one, the stages behind it are at another.
pub(super) fn build_all(context: &Context<'_>, candidates: &[&Candidate]) -> Vec<Finished> {
    // Host builds of two profiles may run at once, and share these.
    let _alone = files::locked(&plan::directories::packages(context));
    let write = |candidate| {
        let package = plan::device_package(context, candidate);
        let result = compile::write(&package);
        let groups = by_folder(context, candidate);
        let open = Mutex::new(Open { groups: groups.len(), built: Vec::new() });
        (Written { candidate, package, result }, groups, open)
    };
    let targets: Vec<_> = candidates.iter().copied().map(write).collect();
    let mut tasks = Vec::new();
    for (target, groups, open) in &targets {
        let groups = groups.iter().cloned().enumerate();
        tasks.extend(groups.map(|(number, architectures)| Group { target, number, architectures, open }));
    }
    let build = |group: &Group<'_>| {
        let outcomes = build_group(context, group);
        let mut open = group.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.built.push((group.number, outcomes));
        let built = (open.built.len() == open.groups).then(|| mem::take(&mut open.built));
        drop(open);
        let candidate = group.target.candidate;
        built.map(|built| (candidate.stem(), finished(context, candidate, built)))
    };
    let ended = workers::side_by_side(&tasks, workers::allowed(context.environment), build);
    drop(tasks);
    let mut ended: BTreeMap<String, Finished> = ended.into_iter().flatten().collect();
    let all = targets.into_iter().map(|(Written { candidate, .. }, _, open)| {
        // A worker that panicked has left some.
        let built = open.into_inner().unwrap_or_else(PoisonError::into_inner).built;
        ended.remove(&candidate.stem()).unwrap_or_else(|| finished(context, candidate, built))
    });
    all.collect()
}

/// The table of a target, of which the groups are built.
fn finished(
    context: &Context<'_>,
    candidate: &Candidate,
    mut groups: Vec<(usize, Vec<(Build, Outcome)>)>,
) -> Finished {
    groups.sort_by_key(|(number, _)| *number);
    let (mut watch, mut built) = (BTreeSet::new(), Vec::new());
    for (build, outcome) in groups.into_iter().flat_map(|(_, outcomes)| outcomes) {
        watch.extend(outcome.watch);
        built.push((build, outcome.result));
    }
    let (mut problems, mut notes) = (BTreeSet::new(), Notes::default());
    let table = table(context, candidate, built, &mut problems, &mut notes);
    Finished { table, watch, problems, notes }
}

/// The architectures of a target, those that share a folder together.
fn by_folder<'c>(context: &Context<'c>, candidate: &Candidate) -> Vec<Vec<&'c Architecture>> {
    let mut groups: Vec<(PathBuf, Vec<&Architecture>)> = Vec::new();
    for architecture in context.settings.architectures.of(&candidate.name) {
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
    Group { target, architectures, .. }: &Group<'_>,
) -> Vec<(Build, Outcome)> {
    let mut outcomes = Vec::new();
    let images = architectures.iter().flat_map(|&architecture| {
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
        outcomes.push((build, outcome));
        // The next would fail in the same way, after as long a wait.
        if has_failed {
            break;
        }
    }
    outcomes
}
