//! A document's sentences: what stands in paragraphs and lists. Code, tables, headings and HTML are left out.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A sentence of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Line of the document that its paragraph begins in, from 1.
    pub(crate) line: usize,
    /// Number of words; code is one.
    pub(crate) words: usize,
    pub(crate) text: String,
}

/// Sentences in their order. A sentence ends at `.`, `!` or `?` before a space, and at the end of its paragraph.
pub(crate) fn sentences(markdown: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let (mut line, mut skipped) = (1, 0_usize);
    for (event, place) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Table(_) | Tag::Heading { .. } | Tag::HtmlBlock) => {
                split(&mut paragraph, line, &mut found);
                skipped += 1;
            }
            Event::End(TagEnd::CodeBlock | TagEnd::Table | TagEnd::Heading(_) | TagEnd::HtmlBlock) => {
                skipped = skipped.saturating_sub(1);
            }
            Event::Start(Tag::Paragraph | Tag::Item) => {
                split(&mut paragraph, line, &mut found);
                line = markdown[..place.start].matches('\n').count() + 1;
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item) => split(&mut paragraph, line, &mut found),
            Event::Text(text) if skipped == 0 => paragraph.push_str(&text),
            Event::Code(code) if skipped == 0 => paragraph.push_str(&code.replace(' ', "\u{a0}")),
            Event::SoftBreak | Event::HardBreak => paragraph.push(' '),
            _ => {}
        }
    }
    split(&mut paragraph, line, &mut found);
    found
}

/// Takes a paragraph apart.
fn split(paragraph: &mut String, line: usize, found: &mut Vec<Sentence>) {
    let mut words: Vec<&str> = Vec::new();
    let mut end = |words: &mut Vec<&str>| {
        if !words.is_empty() {
            found.push(Sentence { line, words: words.len(), text: words.join(" ") });
            words.clear();
        }
    };
    // Code has spaces that end no word.
    for word in paragraph.split([' ', '\n', '\t']).filter(|word| !word.is_empty()) {
        words.push(word);
        let last = word.trim_end_matches([')', '"', '*', '”', '\'']);
        if last.ends_with(['.', '!', '?']) {
            end(&mut words);
        }
    }
    end(&mut words);
    paragraph.clear();
}
