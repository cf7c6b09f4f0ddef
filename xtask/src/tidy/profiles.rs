//! What the compiler itself runs, macros and build scripts with all that they are made of, says in its profile which debug information it
//! has. Where nothing is said each of cargo's commands chooses for itself, and the next one builds it again, with all that uses it.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Package, TargetKind};

use crate::tidy::{Findings, Subject};

/// How the section of the shared build's profile begins for a package.
const PROFILE: &str = "[profile.checked.";

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let manifest = fs_err::read_to_string(subject.workspace.root.join("Cargo.toml"))?;
    let ran = ran_by_the_compiler(&subject.workspace.metadata.packages);
    let sections = ran.iter().map(|name| format!("package.{name}"));
    let sections = sections.chain(["package.\"*\"".to_owned(), "build-override".to_owned()]);
    let mut findings: Findings = sections.filter_map(|section| finding(&manifest, &section)).collect();
    let manifests = subject.tree.files.iter().filter(|file| file.path.ends_with("Cargo.toml"));
    findings.extend(manifests.flat_map(|file| built_as_benches(&file.path, &file.text)));
    Ok(findings)
}

/// The workspace's macros, what its build scripts use, and what these depend on.
fn ran_by_the_compiler(packages: &[Package]) -> BTreeSet<&str> {
    let member = |name: &str| packages.iter().find(|package| package.name == name);
    let is_macro =
        |package: &&Package| package.targets.iter().any(|t| t.kind.contains(&TargetKind::ProcMacro));
    let dependencies = |package: &'_ Package, kind: DependencyKind| {
        let names = package.dependencies.iter().filter(move |d| d.kind == kind).map(|d| d.name.clone());
        names.collect::<Vec<_>>()
    };
    let of_scripts = packages.iter().flat_map(|package| dependencies(package, DependencyKind::Build));
    let mut waiting: Vec<&Package> = of_scripts.filter_map(|name| member(&name)).collect();
    waiting.extend(packages.iter().filter(is_macro));
    let mut found = BTreeSet::new();
    while let Some(package) = waiting.pop() {
        if found.insert(package.name.as_str()) {
            let names = dependencies(package, DependencyKind::Normal);
            waiting.extend(names.iter().filter_map(|name| member(name)));
        }
    }
    found
}

pub(super) fn finding(manifest: &str, section: &str) -> Option<String> {
    let head = format!("{PROFILE}{section}]");
    let lines = manifest.lines().skip_while(|line| *line != head).skip(1);
    let says = lines.take_while(|line| !line.starts_with('[')).any(|line| line == "debug = false");
    (!says).then(|| {
        format!("Cargo.toml is to say `debug = false` in {head}: it would be built once for each command")
    })
}

/// `cargo build --all-targets` builds programs as benches, unless they are told not to.
pub(super) fn built_as_benches(path: &str, manifest: &str) -> Vec<String> {
    let lines = manifest.lines().enumerate();
    let is_wrong =
        |(_, line): &(usize, &str)| line.contains("test = false") && !line.contains("bench = false");
    let in_tables = lines.filter(|(_, line)| line.trim_start().starts_with('{')).filter(is_wrong);
    in_tables.map(|(at, _)| format!("{path}:{} has `test = false` without `bench = false`", at + 1)).collect()
}
