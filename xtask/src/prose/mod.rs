//! `cargo xtask prose`: how long the sentences of the documents are. Tidy holds them against [`MOST_TYPICAL`] and [`MOST`].

mod sentences;
#[cfg(test)]
mod tests;

use fs_err as fs;

use crate::files;
use crate::table::{self, row};
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
    let mut table = table::printed("document | sentences: | words, nine in ten: | words, longest:");
    let mut all = Vec::new();
    for document in documents(workspace)? {
        let longest = document.sentences.iter().map(|(_, sentence)| sentence.words).max().unwrap_or(0);
        let typical = document.typical().unwrap_or(0);
        table.add_row(row![document.name, document.sentences.len(), typical, longest]);
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
    let mut documents = Vec::new();
    for name in ROOT {
        let text = fs::read_to_string(workspace.root.join(name))?;
        documents.push(Document::new(name, [(name, text.as_str())]));
    }
    let mut pages = Vec::new();
    for path in files::with_extension(&workspace.root.join(BOOK), "md")? {
        let name = path.strip_prefix(&workspace.root)?.to_string_lossy().into_owned();
        pages.push((name, fs::read_to_string(&path)?));
    }
    documents.push(Document::new(BOOK, pages.iter().map(|(name, text)| (name.as_str(), text.as_str()))));
    Ok(documents)
}
