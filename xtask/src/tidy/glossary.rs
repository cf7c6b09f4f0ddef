//! Names of public types are made of words of the book's glossary, and the glossary names nothing that isn't public.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use syn::{Attribute, Item, UseTree};

use crate::table::cells;
use crate::tidy::code::is_word_of;
use crate::tidy::{Findings, Subject, uses};

const GLOSSARY: &str = "book/src/glossary.md";

/// Folder of the facade, whose re-exports are what is public.
const FACADE: &str = "src/";

/// Words that mean in a type's name what they mean in English, in Rust or in mathematics, by their first letters.
const PLAIN: &[&str] = &[
    "A Accepts All As Async Arg Argument Array At B Builder Byte Config Copies Count Error First Fixed From Get Given Gives",
    "In Index Indices Info Inner Integer Kind Known Limit Linear Loading Load Local Measured Memory Mut",
    "New Of One Or Out Pass Pending Per Product Read Reversed Size Source Sum Take Target To Unsafe Usage",
    "Value Whole Wide Write",
    // What is before a number: dimensions, and floats of 16 bits and of 19.
    "D F Bf Tf",
];

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let glossary = subject.tree.get(GLOSSARY).context("the book has a glossary")?;
    let facade = subject.tree.rust_outside_tests().filter(|file| file.path.starts_with(FACADE));
    let mut public = BTreeMap::new();
    for file in facade {
        let names = public_names(&file.text).with_context(|| file.path.clone())?;
        public.extend(names.into_iter().map(|name| (name, file.path.as_str())));
    }
    Ok(findings(&glossary.text, &public))
}

/// Words of public types that the glossary lacks, and names that it has and the facade hasn't.
pub(super) fn findings(glossary: &str, public: &BTreeMap<String, &str>) -> Findings {
    let (headwords, named) = entries(glossary);
    let plain: BTreeSet<String> =
        PLAIN.iter().flat_map(|line| line.split(' ')).map(str::to_lowercase).collect();
    let is_word = |word: &str| headwords.contains(word) || plain.contains(word);
    let is_known = |word: &str| {
        is_word(word) || ["s", "es"].iter().any(|plural| word.strip_suffix(plural).is_some_and(is_word))
    };
    let mut findings = Findings::new();
    for (name, path) in public {
        for word in words(name).into_iter().filter(|word| !is_known(&word.to_lowercase())) {
            findings.push(format!("{path} has `{name}`, and {GLOSSARY} has no word \"{word}\""));
        }
    }
    let gone = named.into_iter().filter(|(_, name)| !public.contains_key(name));
    findings.extend(gone.map(|(line, name)| format!("{GLOSSARY}:{line}: `{name}` isn't public")));
    findings
}

/// The headwords of the glossary's tables, and the names in their last columns, each with its line. What isn't a name alone, such as
/// a call, isn't among them.
fn entries(glossary: &str) -> (BTreeSet<String>, Vec<(usize, String)>) {
    let (mut headwords, mut named) = (BTreeSet::new(), Vec::new());
    for (number, line) in glossary.lines().enumerate() {
        let cells = cells(line);
        let [first, .., last] = &cells[..] else { continue };
        if !first.starts_with("**") {
            continue;
        }
        headwords.extend(first.replace("**", "").split(", ").map(str::to_lowercase));
        let code = last.split('`').skip(1).step_by(2);
        let names = code.filter(|code| code.chars().all(|c| c.is_alphanumeric() || c == '_'));
        named.extend(names.map(|name| (number + 1, name.to_owned())));
    }
    (headwords, named)
}

/// The words of a type's name, without digits and what follows them: `Texture` of `Texture2d`. A function has none.
pub(super) fn words(name: &str) -> Vec<&str> {
    let starts: Vec<usize> =
        name.char_indices().filter(|(_, c)| c.is_ascii_uppercase()).map(|(at, _)| at).collect();
    if starts.first() != Some(&0) {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).copied().chain([name.len()]);
    let words = starts.iter().zip(ends).map(|(&start, end)| &name[start..end]);
    words.map(|word| word.split(|c: char| c.is_ascii_digit()).next().unwrap_or(word)).collect()
}

/// What a file of the facade re-exports of ours for people. What is hidden, in the prelude, or of the standard library isn't.
pub(super) fn public_names(source: &str) -> syn::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for item in syn::parse_file(source)?.items {
        if let Item::Use(item) = item
            && matches!(item.vis, syn::Visibility::Public(_))
            && !is_hidden(&item.attrs)
            && !is_standard(&item.tree)
        {
            names.extend(uses::named(&item.tree).into_iter().filter_map(|named| named.name));
        }
    }
    Ok(names)
}

fn is_standard(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(path) if ["alloc", "core", "std"].iter().any(|name| path.ident == name))
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| is_word_of(attribute, "doc", "hidden"))
}
