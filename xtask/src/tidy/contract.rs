//! What `arch` has to offer is a list in its README: `cpu` and `gpu` both export it, the rest of `device` names nothing else of
//! `arch`, and no file outside asks for its target. What `gpu` asks of the hardware is a second list there.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Item, ItemMacro, ItemUse, UseTree, Visibility};

use crate::tidy::tree::{Source, Tree};
use crate::tidy::{Findings, Subject, vendors};

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
        let tokens: TokenStream =
            source.text.parse().map_err(|error| anyhow::anyhow!("{}: {error}", source.path))?;
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
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
            let mut cells = line.strip_prefix('|').into_iter().flat_map(|row| row.split('|'));
            let first: Vec<String> = cells.next().map(quoted).unwrap_or_default();
            if heading.starts_with(OF_BOTH) {
                contract.of_both.extend(first);
            } else if heading.starts_with(OF_HARDWARE)
                && let Some(file) = first.into_iter().next()
            {
                contract
                    .of_hardware
                    .entry(file)
                    .or_default()
                    .extend(cells.next().map(quoted).unwrap_or_default());
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
    let unlisted = of_both.filter(|name| !list.contains(*name));
    findings.extend(
        unlisted.map(|name| format!("`{name}` is exported for all targets and not in the list of {LIST}")),
    );
    Ok(findings)
}

/// What of the second list a vendor lacks, and which functions of vendors aren't in it.
fn hardware_differences(tree: &Tree, list: &BTreeMap<String, BTreeSet<String>>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    for folder in vendors::FOLDERS[0] {
        let files = vendors::files(tree, folder)?;
        for (file, listed) in list {
            let has = |function: &String| {
                let exported = files.get(file);
                exported.is_some_and(|file| {
                    file.functions.contains_key(function) || file.named.contains(function)
                })
            };
            let missing = listed.iter().filter(|function| !has(function));
            findings.extend(
                missing.map(|function| {
                    format!("`{function}` is in the list of {LIST} and not in {folder}{file}")
                }),
            );
        }
        for (file, exported) in &files {
            let is_listed =
                |function: &&String| list.get(file).is_some_and(|listed| listed.contains(*function));
            let unlisted = exported.functions.keys().filter(|function| !is_listed(function));
            findings.extend(
                unlisted
                    .map(|function| format!("`{function}` of {folder}{file} isn't in the list of {LIST}")),
            );
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
                let names = mac.tokens.clone().into_iter().filter_map(|token| match token {
                    TokenTree::Ident(ident) => Some(format!("{name}::{ident}")),
                    _ => None,
                });
                self.in_macros.extend(names);
            } else {
                self.items
                    .extend(names(item).iter().filter_map(|path| Some(format!("{name}::{}", path.last()?))));
            }
        }
    }
}

/// What `arch/mod.rs` exports itself, for all targets.
fn exported_for_all(tree: &Tree) -> anyhow::Result<BTreeSet<String>> {
    let items = items(tree, &format!("{ARCH}mod.rs"))?;
    let of_all = items.iter().filter(|item| match item {
        Item::Use(ItemUse { attrs, .. }) => attrs.is_empty(),
        _ => false,
    });
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
            let inner = items(tree, &format!("{folder}{file}.rs"))?.into_iter().find_map(|item| match item {
                Item::Mod(module) if module.ident == name => Some(module.content?.1),
                _ => None,
            });
            Ok(inner)
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
            let mut paths = Vec::new();
            leaves(&item.tree, &[], &mut paths);
            return paths;
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

/// The paths of a `use`, each with the name that it gives at its end.
fn leaves(tree: &UseTree, before: &[String], paths: &mut Vec<Vec<String>>) {
    let path = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(inner) => leaves(&inner.tree, &path(&inner.ident), paths),
        UseTree::Name(name) => paths.push(path(&name.ident)),
        UseTree::Rename(name) => paths.push(path(&name.rename)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, before, paths)),
        UseTree::Glob(_) => {}
    }
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
    let is_listed = |name: &str| {
        let below = format!("{name}::");
        list.contains(name) || list.iter().any(|listed| listed.starts_with(&below))
    };
    each_run(tokens, &mut |tokens| {
        for (at, token) in tokens.iter().enumerate() {
            let is_ours = matches!(token, TokenTree::Ident(word) if word == "arch")
                && !path_before(tokens, at)
                    .is_some_and(|crate_name| crate_name == "core" || crate_name == "std");
            let named = if is_ours { paths(&tokens[at + 1..]) } else { Vec::new() };
            for path in named {
                // What a function's path has behind it is a type parameter or a function of a type.
                let known = path.iter().take(2).map(String::as_str).collect::<Vec<_>>();
                let is_known = match known.as_slice() {
                    [name, inner] => list.contains(*name) || list.contains(&format!("{name}::{inner}")),
                    [name] => is_listed(name),
                    _ => true,
                };
                if !is_known {
                    findings.push(format!(
                        "{}:{} names `arch::{}`, which isn't in the list of {LIST}",
                        source.path,
                        token.span().start().line,
                        known.join("::")
                    ));
                }
            }
        }
    });
    findings
}

/// The name before `::` before a token.
fn path_before(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at.checked_sub(3)?..at)? {
        [TokenTree::Ident(name), TokenTree::Punct(a), TokenTree::Punct(b)]
            if a.as_char() == ':' && b.as_char() == ':' =>
        {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// The paths that follow on a name: one, or all of a group. `self` is the name alone, and no path.
fn paths(tokens: &[TokenTree]) -> Vec<Vec<String>> {
    let [TokenTree::Punct(a), TokenTree::Punct(b), next, rest @ ..] = tokens else { return Vec::new() };
    if a.as_char() != ':' || b.as_char() != ':' {
        return Vec::new();
    }
    match next {
        TokenTree::Ident(name) if name == "self" => Vec::new(),
        TokenTree::Ident(name) => {
            let inner = paths(rest);
            let below = inner.into_iter().map(|path| [vec![name.to_string()], path].concat());
            let below: Vec<Vec<String>> = below.collect();
            if below.is_empty() { vec![vec![name.to_string()]] } else { below }
        }
        TokenTree::Punct(glob) if glob.as_char() == '*' => vec![vec!["*".to_owned()]],
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            let entries =
                tokens.split(|token| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ','));
            entries.flat_map(of_entry).collect()
        }
        _ => Vec::new(),
    }
}

/// The paths of an entry of a group.
fn of_entry(tokens: &[TokenTree]) -> Vec<Vec<String>> {
    match tokens {
        [TokenTree::Ident(name), ..] if name == "self" => Vec::new(),
        [TokenTree::Ident(name), rest @ ..] => {
            let below: Vec<_> =
                paths(rest).into_iter().map(|path| [vec![name.to_string()], path].concat()).collect();
            if below.is_empty() { vec![vec![name.to_string()]] } else { below }
        }
        [TokenTree::Punct(glob), ..] if glob.as_char() == '*' => vec![vec!["*".to_owned()]],
        _ => Vec::new(),
    }
}

/// Where a file asks for its target. The root's own attributes may, and those of what it links.
fn targets_asked_for(source: &Source, tokens: &[TokenTree]) -> Findings {
    let rest = if source.path == ROOT { without_attributes_of_the_crate(tokens) } else { tokens.to_vec() };
    let mut findings = Findings::new();
    each_run(&rest, &mut |tokens| {
        for token in tokens {
            if let TokenTree::Ident(word) = token
                && TARGETS.iter().any(|target| word == target)
            {
                findings.push(format!(
                    "{}:{} asks for `{word}`, which only {ARCH} does",
                    source.path,
                    word.span().start().line
                ));
            }
        }
    });
    findings
}

/// A root without `#![…]`, and without what stands above `extern crate`.
fn without_attributes_of_the_crate(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let is_mark =
        |token: Option<&TokenTree>, mark| matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == mark);
    let mut left = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_of_crate = is_mark(tokens.get(at), '#') && is_mark(tokens.get(at + 1), '!');
        let is_of_link = is_mark(tokens.get(at), '#')
            && matches!(tokens.get(at + 2), Some(TokenTree::Ident(word)) if word == "extern");
        if is_of_crate || is_of_link {
            at += if is_of_crate { 3 } else { 2 };
        } else {
            left.push(tokens[at].clone());
            at += 1;
        }
    }
    left
}

/// Calls the closure with the tokens, and with those of each group in them.
fn each_run(tokens: &[TokenTree], run: &mut impl FnMut(&[TokenTree])) {
    run(tokens);
    for token in tokens {
        if let TokenTree::Group(group) = token {
            each_run(&group.stream().into_iter().collect::<Vec<_>>(), run);
        }
    }
}
