//! Sentences of documents are short, links of documents lead somewhere, and a doc comment can be read alone.

use crate::book::source::{self, Line};
use crate::prose::{BOOK, Document, MOST, MOST_TYPICAL, ROOT};
use crate::tidy::{Findings, Subject};

/// Beginnings of a first line that lean on the item above.
const LEANING: &str =
    "The same|As above|As for |Likewise|Also |And |So many |Of the same|Those |These |They |Else |Otherwise";

pub(super) fn check(subject: &Subject<'_>) -> anyhow::Result<Findings> {
    let page = |file: &super::tree::Source| file.path.starts_with(BOOK) && file.path.ends_with(".md");
    let pages = subject.tree.files.iter().filter(|file| page(file));
    let pages = pages.map(|file| (file.path.as_str(), file.text.as_str()));
    let roots = ROOT
        .iter()
        .filter_map(|&name| Some(Document::new(name, [(name, subject.tree.get(name)?.text.as_str())])));
    let mut findings: Findings =
        roots.chain([Document::new(BOOK, pages)]).flat_map(|document| lengths(&document)).collect();
    let documents = subject.tree.files.iter().filter(|file| file.path.ends_with(".md") && !page(file));
    findings.extend(documents.flat_map(|file| links(subject, &file.path, &file.text)));
    let sources = subject.tree.rust().filter(|file| !is_generated(&file.path));
    findings.extend(sources.flat_map(|file| leaning(&file.path, &file.text)));
    Ok(findings)
}

/// Whether a file's comments are other programs' or what a test expects.
fn is_generated(path: &str) -> bool {
    path.contains("/expected/") || path.starts_with("tests/ui/")
}

pub(super) fn lengths(document: &Document) -> Vec<String> {
    let too_long = document.sentences.iter().filter(|(_, sentence)| sentence.words > MOST);
    let mut findings: Vec<String> = too_long
        .map(|(path, sentence)| {
            format!("{path}:{}: a sentence of {} words, of {MOST} at most", sentence.line, sentence.words)
        })
        .collect();
    if let Some(typical) = document.typical().filter(|&typical| typical > MOST_TYPICAL) {
        findings.push(format!(
            "{}: one sentence in ten has more than {} words; nine in ten are to have {MOST_TYPICAL} at most: see `cargo xtask prose`",
            document.name,
            typical - 1
        ));
    }
    findings
}

fn links(subject: &Subject<'_>, path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    for (number, line) in source::lines(text) {
        let links = if let Line::Text(line) = line { source::links(line) } else { Vec::new() };
        let wrong = links.into_iter().filter_map(|link| source::follow(subject, path, link).err());
        findings.extend(wrong.map(|wrong| format!("{path}:{}: {wrong}", number + 1)));
    }
    findings
}

/// First lines of doc comments that aren't understood alone.
pub(super) fn leaning(path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let mut is_first = true;
    for (number, line) in text.lines().enumerate() {
        let comment = line.trim_start().strip_prefix("///");
        if let Some(comment) = comment.filter(|_| is_first)
            && let Some(start) = LEANING.split('|').find(|start| comment.trim_start().starts_with(start))
        {
            let (number, start) = (number + 1, start.trim_end());
            findings.push(format!(
                "{path}:{number}: a doc comment that begins with \"{start}\" leans on the item above"
            ));
        }
        is_first = comment.is_none();
    }
    findings
}
