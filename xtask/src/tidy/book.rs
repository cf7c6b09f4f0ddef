//! The book's listings are parts of tested files, its links lead somewhere, and its reference leaves nothing out.

use anyhow::Context;

use crate::book::source::{self, Files};
use crate::tidy::{Findings, Subject};

/// Where the errors are that programs get.
const SOURCES_OF_ERRORS: [&str; 2] = ["host/src/error.rs", "comm/src/error.rs"];
const ERRORS: &str = "book/src/reference/errors.md";
const VARIABLES: &str = "book/src/reference/environment.md";

/// Folders whose variables are people's: what is left is of tests and of our own commands.
const SETTINGS: &[&str] = &["host/src/", "kernel-build/src/", "comm/src/", "emulator/"];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let mut findings = source::check(subject);
    let errors = subject.text(ERRORS).context("the book has a page of errors")?;
    for source in SOURCES_OF_ERRORS {
        let error = subject.text(source).context("there are errors")?;
        let missing = variants(error)?.into_iter().filter(|name| !errors.contains(&format!("`{name}`")));
        findings.extend(missing.map(|name| format!("{ERRORS} leaves out `{name}` of {source}")));
    }
    let page = subject.text(VARIABLES).context("the book has a page of variables")?;
    let is_setting = |path: &str| SETTINGS.iter().any(|folder| path.starts_with(folder));
    for file in subject.tree.rust_outside_tests().filter(|file| is_setting(&file.path)) {
        let missing = variables(&file.text).filter(|name| !page.contains(&format!("`{name}`")));
        findings.extend(missing.map(|name| format!("{VARIABLES} leaves out `{name}` of {}", file.path)));
    }
    Ok(findings)
}

/// Writes the listings into the pages, and gives the pages that weren't as they should be.
pub(super) fn write_listings(subject: &Subject<'_>) -> anyhow::Result<Vec<String>> {
    let mut changed = Vec::new();
    for (path, text) in subject.below(source::PAGES).filter(|(path, _)| path.ends_with(".md")) {
        let written = source::written(subject, path, text);
        if written != text {
            let file = subject.workspace.root.join(path);
            fs_err::write(file, written)?;
            changed.push(path.to_owned());
        }
    }
    Ok(changed)
}

/// The names of the variants of the first enum.
pub(super) fn variants(source: &str) -> syn::Result<Vec<String>> {
    let items = syn::parse_file(source)?.items;
    let variants = items.into_iter().find_map(|item| match item {
        syn::Item::Enum(item) => Some(item.variants),
        _ => None,
    });
    Ok(variants.into_iter().flatten().map(|variant| variant.ident.to_string()).collect())
}

/// What is spelled out of our environment variables.
pub(super) fn variables(source: &str) -> impl Iterator<Item = String> {
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let ends = source.split(concat!('"', "GRIDWRIGHT_")).skip(1).filter_map(|rest| rest.split_once('"'));
    ends.filter(move |(end, _)| is_name(end)).map(|(end, _)| format!("GRIDWRIGHT_{end}"))
}

impl Files for Subject<'_> {
    fn text(&self, path: &str) -> Option<&str> {
        self.tree.get(path).map(|file| file.text.as_str())
    }

    fn exists(&self, path: &str) -> bool {
        !path.is_empty() && self.workspace.root.join(path).exists()
    }

    fn below<'f>(&'f self, folder: &'f str) -> Box<dyn Iterator<Item = (&'f str, &'f str)> + 'f> {
        let files = self.tree.files.iter().filter(move |file| file.path.starts_with(folder));
        Box::new(files.map(|file| (file.path.as_str(), file.text.as_str())))
    }
}
