use super::{Document, Sentence, sentences};

fn words(markdown: &str) -> Vec<usize> {
    sentences(markdown).into_iter().map(|sentence| sentence.words).collect()
}

#[test]
fn sentences_end_at_full_stops_and_paragraphs() {
    let text = "One two three. Four\nfive!\n\n- six (seven eight.)\n- nine\n\n1. ten eleven?\n";
    assert_eq!(words(text), [3, 2, 3, 1, 2]);
    let second = Sentence { line: 1, words: 2, text: "Four five!".into() };
    assert_eq!(sentences(text)[1], second);
    assert_eq!(sentences(text)[3].line, 5);
}

#[test]
fn code_is_a_word_and_blocks_are_none() {
    let text = "# A heading of words\n\nWrite `a.b(c, d). e` here, [a link](x.md).\n\n```rust\nfn x() {}. No.\n```\n\n| a table | of words |\n|---|---|\n| a | b |\n\n<p>html here.</p>\n";
    assert_eq!(words(text), [5]);
}

#[test]
fn nine_in_ten_are_no_longer() {
    let text = "a. a. a. a. a. a. a. a. a b. a b c d e f g.";
    let document = Document::new("x", [("x.md", text)]);
    assert_eq!((document.sentences.len(), document.typical()), (10, Some(2)));
    assert_eq!(Document::new("x", []).typical(), None);
}
