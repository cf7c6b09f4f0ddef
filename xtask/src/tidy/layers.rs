//! Which modules of `host` and of the emulator may name which: each names those below it, and backends know nothing of each other. A new
//! arrow is a decision: it is made here.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Item, ItemMod, ItemUse, Macro, Path, UseTree};

use crate::tidy::tree::Tree;
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
    let mut findings = Findings::new();
    for layered in CRATES {
        findings.extend(arrows_of(layered, tree)?);
    }
    Ok(findings)
}

fn arrows_of(layered: &Layered, tree: &Tree) -> syn::Result<Findings> {
    let root = tree.get(&format!("{}lib.rs", layered.sources)).map_or("", |root| &root.text);
    let exported = exports(&syn::parse_file(root)?.items);
    let mut findings = Findings::new();
    for source in tree.rust_outside_tests() {
        let Some(file) = source.path.strip_prefix(layered.sources) else { continue };
        let module: Vec<String> = file
            .trim_end_matches(".rs")
            .trim_end_matches("/mod")
            .split('/')
            .filter(|name| *name != "lib")
            .map(str::to_owned)
            .collect();
        let mut named = Named { module: module.clone(), paths: Vec::new() };
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
            let mut paths = Vec::new();
            flatten(&item.tree, &mut Vec::new(), &mut paths);
            for path in paths {
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
        folder
            .split('/')
            .map(Some)
            .eq(path.iter().map(|name| Some(name.as_str())).take(folder.split('/').count()))
    };
    let is_stranger = |(of, strangers): &&(&str, &[&str])| {
        is_in(module, of) && strangers.iter().any(|stranger| is_in(path, stranger))
    };
    STRANGERS.iter().find(is_stranger).map(|_| "the two know nothing of each other")
}

/// The paths of the crate that a file names, from its root.
struct Named {
    module: Vec<String>,
    paths: Vec<Vec<String>>,
}

impl Named {
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

    /// Notes what a macro's tokens name by `crate::`.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.note_tokens(group.stream()),
                TokenTree::Ident(ident) if ident == "crate" => {
                    let mut path = vec!["crate".to_owned()];
                    while tokens
                        .next_if(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ':'))
                        .is_some()
                    {
                        if let Some(TokenTree::Ident(name)) =
                            tokens.next_if(|token| matches!(token, TokenTree::Ident(_)))
                        {
                            path.push(name.to_string());
                        }
                    }
                    self.note(&path);
                }
                _ => {}
            }
        }
    }
}

impl Visit<'_> for Named {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        let mut paths = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut paths);
        paths.iter().for_each(|path| self.note(path));
    }

    fn visit_path(&mut self, path: &Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(&names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &Macro) {
        self.note_tokens(item.tokens.clone());
    }
}

/// The paths of a `use`.
fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let end = |name: Option<String>, paths: &mut Vec<Vec<String>>| {
        paths.push(before.iter().cloned().chain(name).collect());
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Name(name) => end(Some(name.ident.to_string()).filter(|name| name != "self"), paths),
        UseTree::Rename(name) => end(Some(name.ident.to_string()).filter(|name| name != "self"), paths),
        UseTree::Glob(_) => end(None, paths),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, paths)),
    }
}
