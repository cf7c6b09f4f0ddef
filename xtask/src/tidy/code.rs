//! A file's tokens, macros' bodies included, without its in-file tests. Comments and strings aren't code.

use anyhow::anyhow;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::Attribute;

use crate::tidy::tree::Source;

/// A file's tokens.
pub(super) fn tokens(source: &Source) -> anyhow::Result<Vec<TokenTree>> {
    let tokens: TokenStream = source.text.parse().map_err(|error| anyhow!("{}: {error}", source.path))?;
    Ok(tokens.into_iter().collect())
}

/// Calls `visit` with the tokens from each token on to the end of its group, with tests or without.
pub(super) fn walk(tokens: &[TokenTree], with_tests: bool, visit: &mut dyn FnMut(&[TokenTree])) {
    let mut rest = tokens;
    while let [first, after @ ..] = rest {
        if !with_tests && is_punct(first, '#') && after.first().is_some_and(is_test_attribute) {
            rest = after_item(after);
            continue;
        }
        visit(rest);
        if let TokenTree::Group(group) = first {
            walk(&group.stream().into_iter().collect::<Vec<_>>(), with_tests, visit);
        }
        rest = after;
    }
}

/// `[test]`, `[cfg(test)]`
fn is_test_attribute(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            matches!(group.stream().to_string().replace(' ', "").as_str(), "test" | "cfg(test)")
        }
        _ => false,
    }
}

/// The tokens after an item, which ends with its braces or with a semicolon.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is_punct(token, ';'),
    };
    let end = tokens.iter().position(ends).map_or(tokens.len(), |end| end + 1);
    &tokens[end..]
}

pub(super) fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

pub(super) fn is_ident(token: &TokenTree, expected: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == expected)
}

pub(super) fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

/// Whether an attribute is one of one word, such as `cfg(test)`.
pub(super) fn is_word_of(attribute: &Attribute, name: &str, word: &str) -> bool {
    attribute.path().is_ident(name) && attribute.parse_args::<syn::Ident>().is_ok_and(|found| found == word)
}

/// The paths that follow on a name and `::`.
pub(super) fn paths_behind(tokens: &[TokenTree]) -> Vec<Vec<String>> {
    match tokens {
        [a, b, rest @ ..] if is_punct(a, ':') && is_punct(b, ':') => paths(rest),
        _ => Vec::new(),
    }
}

/// The paths that tokens begin with: one, or all of a group. `self` is the name alone, and no path.
fn paths(tokens: &[TokenTree]) -> Vec<Vec<String>> {
    match tokens {
        [TokenTree::Ident(name), ..] if name == "self" => Vec::new(),
        [TokenTree::Ident(name), rest @ ..] => {
            let below = paths_behind(rest);
            let below = if below.is_empty() { vec![Vec::new()] } else { below };
            below.into_iter().map(|path| [vec![name.to_string()], path].concat()).collect()
        }
        [glob, ..] if is_punct(glob, '*') => vec![vec!["*".to_owned()]],
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            tokens.split(|token| is_punct(token, ',')).flat_map(paths).collect()
        }
        _ => Vec::new(),
    }
}

/// The words among tokens.
pub(super) fn words(tokens: TokenStream) -> impl Iterator<Item = Ident> {
    tokens.into_iter().filter_map(|token| if let TokenTree::Ident(word) = token { Some(word) } else { None })
}
