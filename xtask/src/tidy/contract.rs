//! What `arch` has to offer is a list in its README: `cpu` and `gpu` both export it, the rest of `device` names nothing else of
//! `arch`, and no file outside asks for its target. What `gpu` asks of the hardware is a second list there.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use proc_macro2::TokenTree;
use syn::{Item, ItemMacro, Visibility};

use crate::table::cells;
use crate::tidy::code::{is_ident, is_punct, line, paths_behind, tokens, walk, words};
use crate::tidy::tree::{Source, Tree};
use crate::tidy::vendors::{self, Exported};
use crate::tidy::{Findings, Subject, uses};

const CRATE: &str = "device/src/";
const ARCH: &str = "device/src/arch/";
const LIST: &str = "device/src/arch/README.md";

/// Beginnings of the headings that the two lists stand under.
const OF_BOTH: &str = "What `cpu` and `gpu` both have";
const OF_HARDWARE: &str = "What `gpu` asks of the hardware";

/// The crate's root: its attributes choose features by target, and it links `alloc`.
const ROOT: &str = "device/src/lib.rs";

/// Words of a `cfg` that ask for the target.
const TARGETS: [&str; 2] = ["target_arch", "gridwright_device"];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    breaches(subject.tree)
}

/// Where the code and the lists differ.
pub(super) fn breaches(tree: &Tree) -> anyhow::Result<Findings> {
    let contract = Contract::read(tree.get(LIST).map_or("", |list| &list.text));
    let mut findings = differences(tree, &contract.of_both)?;
    findings.extend(hardware_differences(tree, &contract.of_hardware)?);
    let outside = |source: &&Source| source.path.starts_with(CRATE) && !source.path.starts_with(ARCH);
    for source in tree.rust_outside_tests().filter(outside) {
        let tokens = tokens(source)?;
        findings.extend(unlisted(source, &tokens, &contract.of_both));
        findings.extend(targets_asked_for(source, &tokens));
    }
    Ok(findings)
}

/// The lists.
#[derive(Default)]
struct Contract {
    /// Names below `crate::arch`.
    of_both: BTreeSet<String>,
    /// Names of functions by their file in `nvptx` and `amdgcn`.
    of_hardware: BTreeMap<String, BTreeSet<String>>,
}

impl Contract {
    /// Reads the tables. A row of the first begins with names, a row of the second with a file and names.
    fn read(text: &str) -> Self {
        let mut contract = Self::default();
        let mut heading = "";
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("## ") {
                heading = title;
            }
            let cells = if line.starts_with('|') { cells(line) } else { Vec::new() };
            let mut cells = cells.into_iter().map(quoted);
            let first = cells.next().unwrap_or_default();
            if heading.starts_with(OF_BOTH) {
                contract.of_both.extend(first);
            } else if heading.starts_with(OF_HARDWARE)
                && let Some(file) = first.into_iter().next()
            {
                contract.of_hardware.entry(file).or_default().extend(cells.next().unwrap_or_default());
            }
        }
        contract
    }
}

/// The texts between backquotes.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What of the first list `cpu` or `gpu` lacks, and what both have that isn't in it.
fn differences(tree: &Tree, list: &BTreeSet<String>) -> anyhow::Result<Findings> {
    let of_all = exported_for_all(tree)?;
    let [cpu, gpu] = ["cpu", "gpu"].map(|target| exports(tree, target));
    let (cpu, gpu) = (cpu?, gpu?);
    let mut findings = Findings::new();
    for name in list.difference(&of_all) {
        for (target, exported) in [("cpu", &cpu), ("gpu", &gpu)] {
            if !exported.items.contains(name) && !exported.in_macros.contains(name) {
                findings.push(format!("`{name}` is in the list of {LIST} and not in {ARCH}{target}"));
            }
        }
    }
    let of_both = cpu.items.intersection(&gpu.items).chain(&of_all);
    for name in of_both.filter(|name| !list.contains(*name)) {
        findings.push(format!("`{name}` is exported for all targets and not in the list of {LIST}"));
    }
    Ok(findings)
}

/// What of the second list a vendor lacks, and which functions of vendors aren't in it.
fn hardware_differences(tree: &Tree, list: &BTreeMap<String, BTreeSet<String>>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    for folder in vendors::FOLDERS[0] {
        let files = vendors::files(tree, folder)?;
        for (file, function) in list.iter().flat_map(|(file, listed)| listed.iter().map(move |f| (file, f))) {
            let has =
                |file: &Exported| file.functions.contains_key(function) || file.named.contains(function);
            if !files.get(file).is_some_and(has) {
                findings.push(format!("`{function}` is in the list of {LIST} and not in {folder}{file}"));
            }
        }
        for (file, exported) in &files {
            for function in exported.functions.keys() {
                if !list.get(file).is_some_and(|listed| listed.contains(function)) {
                    findings.push(format!("`{function}` of {folder}{file} isn't in the list of {LIST}"));
                }
            }
        }
    }
    Ok(findings)
}

/// What a target exports at `crate::arch`.
#[derive(Default)]
struct Exports {
    items: BTreeSet<String>,
    /// Names that macros are called with, one of which may be that of an item that the macro writes.
    in_macros: BTreeSet<String>,
}

impl Exports {
    /// Adds what a module exports, below its name.
    fn add_module(&mut self, name: &str, items: &[Item]) {
        for item in items {
            if let Item::Macro(ItemMacro { ident: None, mac, .. }) = item {
                self.in_macros.extend(words(mac.tokens.clone()).map(|word| format!("{name}::{word}")));
            } else {
                let names = names(item).into_iter().filter_map(|mut path| path.pop());
                self.items.extend(names.map(|item| format!("{name}::{item}")));
            }
        }
    }
}

/// What `arch/mod.rs` exports itself, for all targets.
fn exported_for_all(tree: &Tree) -> anyhow::Result<BTreeSet<String>> {
    let items = items(tree, &format!("{ARCH}mod.rs"))?;
    let of_all = items.iter().filter(|item| matches!(item, Item::Use(item) if item.attrs.is_empty()));
    Ok(of_all.flat_map(names).filter_map(|path| path.last().cloned()).collect())
}

/// What `cpu` or `gpu` exports. Modules are listed by what they export.
fn exports(tree: &Tree, target: &str) -> anyhow::Result<Exports> {
    let folder = format!("{ARCH}{target}/");
    let mut exports = Exports::default();
    for item in items(tree, &format!("{folder}mod.rs"))? {
        if let Item::Mod(module) = &item
            && is_exported(&module.vis)
        {
            let name = module.ident.to_string();
            exports.add_module(&name, &items(tree, &format!("{folder}{name}.rs"))?);
            continue;
        }
        for path in names(&item) {
            let Some(name) = path.last() else { continue };
            match module(tree, &folder, &path)? {
                Some(items) => exports.add_module(name, &items),
                None => _ = exports.items.insert(name.clone()),
            }
        }
    }
    Ok(exports)
}

/// The items of the module that a `use` exports, if it exports one: a file of the hardware, or a module in a file beside.
fn module(tree: &Tree, folder: &str, path: &[String]) -> anyhow::Result<Option<Vec<Item>>> {
    match path {
        [first, hardware, name] if first == "super" && hardware == "hardware" => {
            let file = format!("{}{name}.rs", vendors::FOLDERS[0][0]);
            tree.get(&file).map(|_| items(tree, &file)).transpose()
        }
        [file, name] => {
            let mut items = items(tree, &format!("{folder}{file}.rs"))?.into_iter();
            Ok(items.find_map(|item| match item {
                Item::Mod(module) if module.ident == name => Some(module.content?.1),
                _ => None,
            }))
        }
        _ => Ok(None),
    }
}

/// The items of a file, of which there are none without it.
fn items(tree: &Tree, path: &str) -> anyhow::Result<Vec<Item>> {
    Ok(syn::parse_file(tree.get(path).map_or("", |source| &source.text))?.items)
}

/// The names that an item exports, each with the path that it comes by.
fn names(item: &Item) -> Vec<Vec<String>> {
    let (visibility, name) = match item {
        Item::Use(item) if is_exported(&item.vis) => {
            let paths = uses::named(&item.tree).into_iter().filter_map(|mut named| {
                named.path.pop();
                Some([named.path, vec![named.name?]].concat())
            });
            return paths.collect();
        }
        Item::Const(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Fn(item) => (&item.vis, &item.sig.ident),
        Item::Static(item) => (&item.vis, &item.ident),
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        _ => return Vec::new(),
    };
    if is_exported(visibility) { vec![vec![name.to_string()]] } else { Vec::new() }
}

/// Whether something is seen in the whole crate.
fn is_exported(visibility: &Visibility) -> bool {
    match visibility {
        Visibility::Public(_) => true,
        Visibility::Restricted(restricted) => restricted.path.is_ident("crate"),
        Visibility::Inherited => false,
    }
}

/// What a file names of `arch` that isn't in the list. It goes by tokens, so that macros are seen, too.
fn unlisted(source: &Source, tokens: &[TokenTree], list: &BTreeSet<String>) -> Findings {
    let mut findings = Findings::new();
    let has_below = |name: &str| list.iter().any(|listed| listed.starts_with(&format!("{name}::")));
    let mut before = String::new();
    walk(tokens, true, &mut |tokens| {
        let first = &tokens[0];
        let is_anothers = before.ends_with(" core::") || before.ends_with(" std::");
        match first {
            TokenTree::Ident(word) => before += &format!(" {word}"),
            TokenTree::Punct(mark) => before.push(mark.as_char()),
            _ => before.clear(),
        }
        let is_ours = is_ident(first, "arch") && !is_anothers;
        for path in if is_ours { paths_behind(&tokens[1..]) } else { Vec::new() } {
            // What a function's path has behind it is a type parameter or a function of a type.
            let is_known = match &path[..] {
                [name] => list.contains(name) || has_below(name),
                [name, inner, ..] => list.contains(name) || list.contains(&format!("{name}::{inner}")),
                [] => true,
            };
            if !is_known {
                let (file, line, path) = (&source.path, line(first), path.iter().take(2).join("::"));
                findings
                    .push(format!("{file}:{line} names `arch::{path}`, which isn't in the list of {LIST}"));
            }
        }
    });
    findings
}

/// Where a file asks for its target. The root's own attributes may, and those of what it links.
fn targets_asked_for(source: &Source, tokens: &[TokenTree]) -> Findings {
    let rest = if source.path == ROOT { without_attributes_of_the_crate(tokens) } else { tokens.to_vec() };
    let mut findings = Findings::new();
    walk(&rest, true, &mut |tokens| {
        if let Some(word) = TARGETS.iter().find(|word| is_ident(&tokens[0], word)) {
            let (file, line) = (&source.path, line(&tokens[0]));
            findings.push(format!("{file}:{line} asks for `{word}`, which only {ARCH} does"));
        }
    });
    findings
}

/// A root without `#![…]`, and without what stands above `extern crate`.
fn without_attributes_of_the_crate(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let mut left = Vec::new();
    let mut rest = tokens;
    while let [first, after @ ..] = rest {
        rest = match after {
            [mark, _, after @ ..] if is_punct(first, '#') && is_punct(mark, '!') => after,
            [_, link, ..] if is_punct(first, '#') && is_ident(link, "extern") => &after[1..],
            _ => {
                left.push(first.clone());
                after
            }
        };
    }
    left
}
