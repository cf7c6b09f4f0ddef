//! `cargo xtask prose`: how long the sentences of the documents are. Tidy holds them against [`MOST_TYPICAL`] and [`MOST`].

mod sentences;
#[cfg(test)]
mod tests;

use std::fs;

use anyhow::Context;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use crate::workspace::Workspace;
pub(crate) use sentences::{Sentence, sentences};

/// Words of the sentence that nine in ten of a document's are no longer than, at most.
pub(crate) const MOST_TYPICAL: usize = 25;

/// Words of any sentence, at most.
pub(crate) const MOST: usize = 45;

/// Documents at the root that people read from top to bottom.
pub(crate) const ROOT: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Folder of the book's pages, which count as one document.
pub(crate) const BOOK: &str = "book/src/";

/// What the command prints of each document.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many of the longest sentences are shown.
    #[arg(long, default_value_t = 5)]
    longest: usize,
}

/// A document's sentences, with the file that each stands in.
pub(crate) struct Document {
    pub(crate) name: &'static str,
    pub(crate) sentences: Vec<(String, Sentence)>,
}

impl Document {
    /// A document of the texts of its files.
    pub(crate) fn new<'t>(name: &'static str, files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let of_file = |(path, text): (&str, &str)| {
            let path = path.to_owned();
            sentences(text).into_iter().map(move |sentence| (path.clone(), sentence)).collect::<Vec<_>>()
        };
        Self { name, sentences: files.into_iter().flat_map(of_file).collect() }
    }

    /// Words that nine in ten of its sentences have at most; none if it has no sentences.
    pub(crate) fn typical(&self) -> Option<usize> {
        let mut words: Vec<usize> = self.sentences.iter().map(|(_, sentence)| sentence.words).collect();
        words.sort_unstable();
        let last = words.len().checked_sub(1)?;
        words.get(last * 9 / 10).copied()
    }
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header([
        "document",
        "sentences",
        "words, nine in ten",
        "words, longest",
    ]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut all = Vec::new();
    for document in documents(workspace)? {
        let longest = document.sentences.iter().map(|(_, sentence)| sentence.words).max().unwrap_or(0);
        let typical = document.typical().unwrap_or(0);
        let counts = [document.sentences.len(), typical, longest].map(|count| count.to_string());
        table.add_row([document.name.to_owned()].into_iter().chain(counts));
        all.extend(document.sentences);
    }
    println!("{table}");
    all.sort_by_key(|(_, sentence)| std::cmp::Reverse(sentence.words));
    for (path, Sentence { line, words, text }) in all.into_iter().take(options.longest) {
        println!("{path}:{line}: {words} words: {text}");
    }
    Ok(())
}

fn documents(workspace: &Workspace) -> anyhow::Result<Vec<Document>> {
    let read =
        |path: &str| fs::read_to_string(workspace.root.join(path)).with_context(|| format!("no {path}"));
    let mut documents = Vec::new();
    for name in ROOT {
        documents.push(Document::new(name, [(name, read(name)?.as_str())]));
    }
    let mut pages = Vec::new();
    let mut folders = vec![workspace.root.join(BOOK)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("no {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.strip_prefix(&workspace.root)?.to_string_lossy().into_owned();
                pages.push((name, fs::read_to_string(&path)?));
            }
        }
    }
    documents.push(Document::new(BOOK, pages.iter().map(|(name, text)| (name.as_str(), text.as_str()))));
    Ok(documents)
}
