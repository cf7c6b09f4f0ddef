//! Which parameters a body reads at its thread's own place. The CPU's loops state of these that the place is inside, and a short table
//! beside them, which is read at places that were read themselves, then neither shortens the loop nor keeps its tests.
//!
//! What is found here is about speed only: the loop states what it has tested.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};

use super::body::thread;
use crate::model::{Kernel, Passing};

/// Parameters that a loop takes without making pairs of them.
const MOST: usize = 12;

/// A bit for each parameter that may be read at the thread's own place. None where it is each.
pub(super) fn parameters(kernel: &Kernel) -> Option<u64> {
    if kernel.origin.is_some() || kernel.parameters.len() > MOST {
        return None;
    }
    let mut names = Names::default();
    names.own.insert(thread(kernel)?.to_string());
    names.others.extend(kernel.parameters.iter().map(|parameter| parameter.name.to_string()));
    let tokens: Vec<TokenTree> = kernel.body.stream().into_iter().collect();
    names.learn(&tokens);
    let mut bits = u64::MAX;
    for (i, parameter) in kernel.parameters.iter().enumerate() {
        if matches!(parameter.passing, Passing::ReadSlice(_)) && names.is_table(&parameter.name, &tokens) {
            bits &= !(1 << i);
        }
    }
    (bits != u64::MAX).then_some(bits)
}

/// What names of the body are made of.
#[derive(Default)]
struct Names {
    /// The thread, and numbers made of its place.
    own: HashSet<String>,
    /// Numbers made of elements.
    read: HashSet<String>,
    /// Numbers that have nothing to do with the thread.
    others: HashSet<String>,
}

impl Names {
    /// Learns the names that `let name = …;` and `for name in … { … }` give.
    fn learn(&mut self, tokens: &[TokenTree]) {
        for (at, token) in tokens.iter().enumerate() {
            let rest = &tokens[at + 1..];
            match (token, rest) {
                (TokenTree::Ident(word), [TokenTree::Ident(is_mut), rest @ ..])
                    if word == "let" && is_mut == "mut" =>
                {
                    self.learn_let(rest);
                }
                (TokenTree::Ident(word), _) if word == "let" => self.learn_let(rest),
                (TokenTree::Ident(word), [TokenTree::Ident(name), TokenTree::Ident(inside), range @ ..])
                    if word == "for" && inside == "in" =>
                {
                    let end = range.iter().position(|token| is_group(token, Delimiter::Brace));
                    self.give(name, &range[..end.unwrap_or(range.len())]);
                }
                (TokenTree::Group(group), _) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.learn(&inner);
                }
                _ => {}
            }
        }
    }

    fn learn_let(&mut self, tokens: &[TokenTree]) {
        if let [TokenTree::Ident(name), TokenTree::Punct(equals), value @ ..] = tokens
            && equals.as_char() == '='
        {
            let end =
                value.iter().position(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ';'));
            self.give(name, &value[..end.unwrap_or(value.len())]);
        }
    }

    /// A name that is given twice is what makes most of it known to be the thread's.
    fn give(&mut self, name: &Ident, value: &[TokenTree]) {
        let names = match self.kind(value) {
            Kind::Own => &mut self.own,
            Kind::Read => &mut self.read,
            Kind::Other => &mut self.others,
        };
        names.insert(name.to_string());
    }

    fn kind(&self, value: &[TokenTree]) -> Kind {
        let mut found = Kind::Other;
        let mut before = None;
        for token in value {
            let kind = match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    let says_nothing = matches!(before.as_deref(), Some("." | "as" | ":"))
                        || name == "as"
                        || name.starts_with(|first: char| first.is_ascii_uppercase());
                    before = Some(name.clone());
                    match () {
                        () if says_nothing => Kind::Other,
                        () if self.own.contains(&name) => Kind::Own,
                        () if self.read.contains(&name) => Kind::Read,
                        () if self.others.contains(&name) => Kind::Other,
                        // Nothing is known of it, as of a closure's parameter.
                        () => Kind::Own,
                    }
                }
                // After a name it is an index of an element.
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && before.is_some() => {
                    before = None;
                    Kind::Read
                }
                TokenTree::Group(group) => {
                    before = None;
                    self.kind(&group.stream().into_iter().collect::<Vec<_>>())
                }
                TokenTree::Punct(punct) => {
                    before = Some(punct.as_char().to_string()).filter(|punct| punct == "." || punct == ":");
                    Kind::Other
                }
                TokenTree::Literal(_) => {
                    before = None;
                    Kind::Other
                }
            };
            found = found.max(kind);
        }
        found
    }

    /// Whether a slice is only read at places that were read, or that have nothing to do with the thread.
    fn is_table(&self, name: &Ident, tokens: &[TokenTree]) -> bool {
        tokens.iter().enumerate().all(|(at, token)| match token {
            TokenTree::Ident(found) if found == name => {
                let is_field =
                    at > 0 && matches!(&tokens[at - 1], TokenTree::Punct(dot) if dot.as_char() == '.');
                is_field || self.is_use_of_a_table(at.checked_sub(1).map(|at| &tokens[at]), &tokens[at + 1..])
            }
            TokenTree::Group(group) => self.is_table(name, &group.stream().into_iter().collect::<Vec<_>>()),
            _ => true,
        })
    }

    fn is_use_of_a_table(&self, before: Option<&TokenTree>, after: &[TokenTree]) -> bool {
        let by = |index: TokenStream| {
            let index: Vec<TokenTree> = index.into_iter().collect();
            // Of a part's elements nothing is known.
            let is_part = index.iter().any(|token| matches!(token, TokenTree::Punct(dot) if dot.as_char() == '.' && dot.spacing() == Spacing::Joint));
            !is_part && self.kind(&index) != Kind::Own
        };
        match after {
            [TokenTree::Group(index), ..] if index.delimiter() == Delimiter::Bracket => by(index.stream()),
            [TokenTree::Punct(dot), TokenTree::Ident(method), TokenTree::Group(arguments), ..]
                if dot.as_char() == '.' =>
            {
                match method.to_string().as_str() {
                    "len" | "iter" | "is_empty" => true,
                    "get" | "get_or" => by(arguments.stream()),
                    _ => false,
                }
            }
            _ => matches!(before, Some(TokenTree::Ident(word)) if word == "in"),
        }
    }
}

/// What a value is made of, the more telling the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Other,
    Own,
    Read,
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    /// Whether `table` is one in a body of a thread `t` with a slice `x` and a number `n`.
    fn is_table(body: &str) -> bool {
        let tokens: Vec<TokenTree> = TokenStream::from_str(body).unwrap().into_iter().collect();
        let mut names = Names::default();
        names.own.insert("t".to_owned());
        names.others.extend(["x", "n", "table"].map(str::to_owned));
        names.learn(&tokens);
        names.is_table(&Ident::new("table", proc_macro2::Span::call_site()), &tokens)
    }

    #[test]
    fn what_is_read_at_places_that_were_read_is_a_table() {
        assert!(is_table("let i = t.index(); *y = table[x[i] as usize];"));
        assert!(is_table("let at = x[t.index()] as usize; *y = table.get(at).copied().unwrap_or(0.0);"));
        assert!(is_table("let left = (x[t.index()] as usize).min(table.len() - 2); *y = table[left + 1];"));
    }

    #[test]
    fn what_is_read_at_constants_and_in_loops_is_a_table() {
        assert!(is_table("*y = table[0] + table[n - 1] + table[LAST];"));
        assert!(is_table("for k in 0..table.len() { sum += table[k][0]; } for one in table {}"));
    }

    #[test]
    fn what_is_read_at_the_threads_place_is_none() {
        assert!(!is_table("*y = table[t.index()];"));
        assert!(!is_table("let first = t.index() * n; for i in first..first + n { sum += table[i]; }"));
        assert!(!is_table("let mut i = t.index(); *y = table[x[i] as usize] + table[i + 1];"));
    }

    #[test]
    fn what_is_used_in_ways_that_say_nothing_is_none() {
        assert!(!is_table("*y = look_up(table, x[t.index()]);"));
        assert!(!is_table("let parts = [1, 2].map(|k| table[k]);"));
        assert!(
            !is_table("let other = &table[..]; *y = other[t.index()];")
                && is_table("*y = x.table + self.table;")
        );
    }
}
