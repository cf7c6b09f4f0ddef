//! A library's root is its table of contents: docs, modules, re-exports and macros.

use syn::{Attribute, Item};

use crate::tidy::{Findings, Subject};

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::new();
    for root in subject.tree.rust_outside_tests().filter(|file| file.file_name() == "lib.rs") {
        findings.extend(misplaced(&root.text)?.into_iter().map(|what| format!("{} holds {what}", root.path)));
    }
    Ok(findings)
}

pub(super) fn misplaced(text: &str) -> syn::Result<Vec<String>> {
    let file = syn::parse_file(text)?;
    Ok(file.items.iter().flat_map(|item| in_item(item, false)).collect())
}

fn in_item(item: &Item, private: bool) -> Vec<String> {
    match item {
        Item::Use(_) | Item::ExternCrate(_) | Item::Macro(_) => Vec::new(),
        Item::Mod(module) => {
            let private = module.ident == "__private";
            let items = module.content.iter().flat_map(|(_, items)| items);
            items.flat_map(|item| in_item(item, private)).collect()
        }
        // The compiler wants a macro's entry in the root; `__private` has what only macros call.
        Item::Fn(function) if private || is_macro_entry(&function.attrs) => Vec::new(),
        Item::Fn(function) => vec![format!("the function {}", function.sig.ident)],
        _ => vec!["an item that isn't a `mod`, a `use` or a macro".into()],
    }
}

fn is_macro_entry(attributes: &[Attribute]) -> bool {
    let entries = ["proc_macro", "proc_macro_attribute", "proc_macro_derive"];
    attributes.iter().any(|attribute| entries.iter().any(|entry| attribute.path().is_ident(entry)))
}
