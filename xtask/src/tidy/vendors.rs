//! Each vendor's module has the same functions, file by file: the rest of a crate doesn't know whose GPU it is
//! on. What only one vendor has would otherwise show when somebody builds for the other.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use proc_macro2::{Ident, TokenStream};
use syn::visit::{self, Visit};
use syn::{
    FnArg, ImplItemFn, ItemFn, ItemImpl, ItemMacro, ItemMod, ItemUse, Pat, Signature, Type, UseName,
    Visibility,
};

use crate::tidy::code::{is_word_of, words};
use crate::tidy::tree::Tree;
use crate::tidy::{Findings, Subject};

/// The two modules of each crate that has code of vendors.
pub(super) const FOLDERS: [[&str; 2]; 2] = [
    ["device/src/arch/nvptx/", "device/src/arch/amdgcn/"],
    ["kernel-math/src/arch/nvptx/", "kernel-math/src/arch/amdgcn/"],
];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let differences = FOLDERS.map(|folders| differences(subject.tree, folders));
    Ok(differences.into_iter().flatten_ok().collect::<syn::Result<_>>()?)
}

/// What one of the folders has and the other hasn't, or has in another form.
pub(super) fn differences(tree: &Tree, [left, right]: [&str; 2]) -> syn::Result<Findings> {
    let (ours, theirs) = (files(tree, left)?, files(tree, right)?);
    let mut findings = missing((left, &ours), (right, &theirs));
    findings.extend(missing((right, &theirs), (left, &ours)));
    for (name, ours) in &ours {
        let Some(theirs) = theirs.get(name) else { continue };
        let differs = |f: &str, form: &Form| theirs.functions.get(f).is_some_and(|other| other != form);
        let differing = ours.functions.iter().filter(|(f, form)| differs(f, form));
        findings.extend(differing.map(|(f, _)| {
            format!("`{f}` has another signature or visibility in {right}{name} than in {left}{name}")
        }));
    }
    Ok(findings)
}

/// What a caller has to know of a function.
pub(super) type Form = (Visibility, Signature);

/// The exported functions by the modules' names.
type Files = BTreeMap<String, Exported>;

/// The modules in a folder. What a module has below it is its own affair.
pub(super) fn files(tree: &Tree, folder: &str) -> syn::Result<Files> {
    let mut files = Files::new();
    for source in tree.rust_outside_tests() {
        let Some(file) = source.path.strip_prefix(folder) else { continue };
        let module = file.strip_suffix("/mod.rs").or(file.strip_suffix(".rs"));
        if let Some(name) = module.filter(|name| !name.contains('/')) {
            let mut exported = Exported::default();
            exported.visit_file(&syn::parse_file(&source.text)?);
            files.insert(format!("{name}.rs"), exported);
        }
    }
    Ok(files)
}

/// What `left` has and `right` hasn't.
fn missing((left, ours): (&str, &Files), (right, theirs): (&str, &Files)) -> Findings {
    let mut findings = Findings::new();
    for (name, ours) in ours {
        let Some(theirs) = theirs.get(name) else {
            findings.push(format!("{left}{name} has no counterpart {right}{name}"));
            continue;
        };
        let is_there = |f: &String| theirs.functions.contains_key(f) || theirs.named.contains(f);
        let missing = ours.functions.keys().filter(|function| !is_there(function));
        findings.extend(missing.map(|f| format!("`{f}` is in {left}{name} and not in {right}{name}")));
    }
    findings
}

/// The functions of a file that can be called from outside of it.
#[derive(Default)]
pub(super) struct Exported {
    pub(super) functions: BTreeMap<String, Form>,
    /// The names that macros are called with, one of which may be that of a function that the macro writes, and the names
    /// of what is exported from elsewhere.
    pub(super) named: BTreeSet<String>,
    /// The modules and the type that are being visited.
    path: Vec<String>,
}

impl Exported {
    fn add(&mut self, visibility: &Visibility, signature: &Signature) {
        if !matches!(visibility, Visibility::Inherited) {
            let form = (visibility.clone(), without_names(signature.clone()));
            self.functions.insert(self.full_name(&signature.ident), form);
        }
    }

    fn full_name(&self, name: &Ident) -> String {
        let path = self.path.iter().map(|part| format!("{part}::"));
        path.chain([name.to_string()]).collect()
    }
}

impl<'ast> Visit<'ast> for Exported {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.add(&function.vis, &function.sig);
    }

    fn visit_impl_item_fn(&mut self, method: &'ast ImplItemFn) {
        self.add(&method.vis, &method.sig);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        // With a name of its own it is a definition, not a call.
        if item.ident.is_none() {
            let names: Vec<_> = words(item.mac.tokens.clone()).map(|name| self.full_name(&name)).collect();
            self.named.extend(names);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !matches!(item.vis, Visibility::Inherited) {
            self.visit_use_tree(&item.tree);
        }
    }

    fn visit_use_name(&mut self, name: &'ast UseName) {
        self.named.insert(self.full_name(&name.ident));
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let name = match &*item.self_ty {
            Type::Path(named) => named.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        self.path.push(name.unwrap_or_default());
        visit::visit_item_impl(self, item);
        self.path.pop();
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        // What only tests call is a vendor's own business.
        if !module.attrs.iter().any(|attribute| is_word_of(attribute, "cfg", "test")) {
            self.path.push(module.ident.to_string());
            visit::visit_item_mod(self, module);
            self.path.pop();
        }
    }
}

/// A caller doesn't see what a parameter is called: one vendor may have no use for it. Nor whether a comma is behind the last.
fn without_names(mut signature: Signature) -> Signature {
    signature.inputs.pop_punct();
    for parameter in &mut signature.inputs {
        if let FnArg::Typed(typed) = parameter {
            *typed.pat = Pat::Verbatim(TokenStream::new());
        }
    }
    signature
}
