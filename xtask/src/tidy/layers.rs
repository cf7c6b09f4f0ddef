//! Which modules of `host` and of the emulator may name which: each names those below it, and backends know nothing of each other. A new
//! arrow is a decision: it is made here.

use std::collections::BTreeMap;

use itertools::Itertools;
use syn::visit::{self, Visit};
use syn::{Item, ItemMod, ItemUse, Macro, Path};

use crate::tidy::code::{is_ident, paths_behind, walk};
use crate::tidy::tree::Tree;
use crate::tidy::uses::{self, Named};
use crate::tidy::{Findings, Subject};

/// A crate whose modules are layers.
struct Layered {
    sources: &'static str,
    /// The layers from below, by the first module of a path. What isn't here is above them all.
    layers: &'static [&'static [&'static str]],
}

const CRATES: &[Layered] = &[
    Layered {
        sources: "host/src/",
        layers: &[
            // What both backends and programs are told, which names nothing.
            &["device_info", "device_kind", "environment", "error", "occupancy", "priority"],
            // What is submitted.
            &["submission"],
            &["backend"],
        ],
    },
    Layered {
        sources: "emulator/src/",
        layers: &[
            &["left_out", "memory", "parse", "report", "tensor_map", "texture"],
            // Machine state.
            &["machine"],
            &["instruction"],
            &["module"],
            &["checks"],
            &["execute"],
        ],
    },
];

/// Modules of `host` that know nothing of others, though they are of one layer.
const STRANGERS: &[(&str, &[&str])] = &[
    ("backend/cpu", &["backend/gpu"]),
    ("backend/gpu", &["backend/cpu"]),
    ("backend/gpu/emulator", &["backend/gpu/driver"]),
    ("backend/gpu/driver", &["backend/gpu/emulator", "backend/queued"]),
    ("backend/gpu/driver/cuda", &["backend/gpu/driver/hip"]),
    ("backend/gpu/driver/hip", &["backend/gpu/driver/cuda"]),
    ("backend/queued", &["backend/cpu", "backend/gpu"]),
];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    Ok(arrows(subject.tree)?)
}

/// The arrows that point up, or to a stranger.
pub(super) fn arrows(tree: &Tree) -> syn::Result<Findings> {
    CRATES.iter().map(|layered| arrows_of(layered, tree)).flatten_ok().collect()
}

fn arrows_of(layered: &Layered, tree: &Tree) -> syn::Result<Findings> {
    let root = tree.get(&format!("{}lib.rs", layered.sources)).map_or("", |root| &root.text);
    let exported = exports(&syn::parse_file(root)?.items);
    let mut findings = Findings::new();
    for source in tree.rust_outside_tests() {
        let Some(file) = source.path.strip_prefix(layered.sources) else { continue };
        let names = file.trim_end_matches(".rs").trim_end_matches("/mod").split('/');
        let module: Vec<String> = names.filter(|name| *name != "lib").map(str::to_owned).collect();
        let mut named = Paths { module: module.clone(), paths: Vec::new() };
        named.visit_file(&syn::parse_file(&source.text)?);
        for mut path in named.paths {
            if let Some(home) = path.first().and_then(|first| exported.get(first)) {
                path.insert(0, home.clone());
            }
            if let Some(why) = refused(layered, &module, &path) {
                findings.push(format!("{} names `{}`: {why}", source.path, path.join("::")));
            }
        }
    }
    findings.dedup();
    Ok(findings)
}

/// The modules that the crate's root exports names of.
fn exports(items: &[Item]) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for item in items {
        if let Item::Use(item) = item {
            for Named { path, .. } in uses::named(&item.tree) {
                if let [module, .., name] = path.as_slice() {
                    exported.insert(name.clone(), module.clone());
                }
            }
        }
    }
    exported
}

/// Why a module may not name a path.
fn refused(layered: &Layered, module: &[String], path: &[String]) -> Option<&'static str> {
    let layer = |path: &[String]| {
        let first = path.first().map_or("", String::as_str);
        layered.layers.iter().position(|layer| layer.contains(&first)).unwrap_or(layered.layers.len())
    };
    if layer(path) > layer(module) {
        return Some("it is above");
    }
    let is_in = |path: &[String], folder: &str| {
        let folders = folder.split('/');
        folders.clone().eq(path.iter().take(folders.count()))
    };
    let is_stranger = |(of, strangers): &&(&str, &[&str])| {
        is_in(module, of) && strangers.iter().any(|stranger| is_in(path, stranger))
    };
    STRANGERS.iter().find(is_stranger).map(|_| "the two know nothing of each other")
}

/// The paths of the crate that a file names, from its root.
struct Paths {
    module: Vec<String>,
    paths: Vec<Vec<String>>,
}

impl Paths {
    /// Notes a path that begins with `crate`, `super` or `self`.
    fn note(&mut self, path: &[String]) {
        let (mut absolute, mut rest) = match path.split_first() {
            Some((first, rest)) if first == "crate" => (Vec::new(), rest),
            Some((first, rest)) if first == "self" => (self.module.clone(), rest),
            Some((first, _)) if first == "super" => (self.module.clone(), path),
            _ => return,
        };
        while let Some((first, after)) = rest.split_first()
            && first == "super"
        {
            absolute.pop();
            rest = after;
        }
        absolute.extend_from_slice(rest);
        // A visibility's `crate` names nothing.
        if !absolute.is_empty() {
            self.paths.push(absolute);
        }
    }
}

impl Visit<'_> for Paths {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        uses::named(&item.tree).iter().for_each(|named| self.note(&named.path));
    }

    fn visit_path(&mut self, path: &Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(&names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &Macro) {
        walk(&item.tokens.clone().into_iter().collect::<Vec<_>>(), true, &mut |tokens| {
            let paths = if is_ident(&tokens[0], "crate") { paths_behind(&tokens[1..]) } else { Vec::new() };
            self.paths.extend(paths);
        });
    }
}
