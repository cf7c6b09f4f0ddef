//! What holds for every expansion, whatever stands around it in the user's crate:
//!
//! 1. no token of the user's is in an `unsafe` block, nor in the body of an `unsafe fn` of the macro's;
//! 2. what the macro names is a path from the framework, a name of its own, or declared in the expansion: a crate may call
//!    another one `core`, and its own items `Some` or `u32`;
//! 3. the macro calls no method: a trait that is in scope may have one of that name.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// What the macro may write without a path: what it declares itself, hygienically.
const OWN: &[&str] = &[
    "arguments",
    "chunk",
    "cluster",
    "device",
    "given",
    "grid",
    "group",
    "lens",
    "memory",
    "place",
    "shape",
    "thread",
];

const KEYWORDS: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "const",
    "continue",
    "crate",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "fn",
    "for",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro_rules",
    "match",
    "mod",
    "move",
    "mut",
    "pub",
    "ref",
    "return",
    "Self",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "type",
    "unsafe",
    "use",
    "where",
    "while",
    "_",
];

/// Whether an expansion keeps the rules, `written` being what the user wrote.
///
/// # Panics
/// With what doesn't.
pub(super) fn check(expansion: &TokenStream, written: &TokenStream) {
    let mut users = BTreeSet::new();
    names(written, &mut users);
    walk(&expansion.clone().into_iter().collect::<Vec<_>>(), &users, false);
}

fn names(tokens: &TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => names(&group.stream(), found),
            TokenTree::Ident(name) if !KEYWORDS.contains(&name.to_string().as_str()) => {
                found.insert(name.to_string());
            }
            _ => {}
        }
    }
}

fn walk(tokens: &[TokenTree], users: &BTreeSet<String>, is_unsafe: bool) {
    for (i, token) in tokens.iter().enumerate() {
        let before = |back: usize| i.checked_sub(back).and_then(|at| tokens.get(at));
        match token {
            // An attribute's words are no names of items.
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && is(before(1), "#") => {}
            TokenTree::Group(group) => {
                let item = if group.delimiter() == Delimiter::Brace { item(&tokens[..i]) } else { &[] };
                // As the user wrote it, or what a macro of the kernel's name hands on to the macros here.
                let is_written = |token| is(Some(token), "__body") || is(Some(token), "macro_rules");
                if !item.iter().any(is_written) {
                    let inner: Vec<_> = group.stream().into_iter().collect();
                    walk(&inner, users, is_unsafe || begins_unsafe(item));
                }
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let in_path = is(before(1), ":") && begins_path(before(2));
                let in_field = is(before(1), ".") && !is(before(2), ".");
                let next = tokens.get(i + 1);
                if in_field {
                    let is_call =
                        matches!(next, Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                    assert!(!is_call || users.contains(&name), "the macro calls the method `{name}`");
                } else if in_path {
                    let is_global = !matches!(before(3), Some(TokenTree::Ident(_))) && !is(before(3), ">");
                    assert!(!is_global || name == "gridwright" || users.contains(&name), "`::{name}`");
                } else {
                    let is_declared = is(next, ":") && !begins_path(next);
                    let declares = ["const", "fn", "let", "static", "struct", "type", "'"];
                    let is_new = is_declared || declares.iter().any(|keyword| is(before(1), keyword));
                    let is_users = users.contains(&name) && !is_new && !is_own(&name);
                    assert!(!(is_unsafe && is_users), "`{name}` of the user's is in an `unsafe` block");
                    assert!(is_new || is_own(&name) || is_users, "`{name}` is named without a path");
                }
            }
            _ => {}
        }
    }
}

/// Whether a colon is the first of two that are one token.
fn begins_path(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
}

/// What stands in front of a brace, from the end of the statement or the item before it.
fn item(before: &[TokenTree]) -> &[TokenTree] {
    let start = before.iter().rposition(|token| {
        is(Some(token), ";")
            || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    });
    &before[start.map_or(0, |start| start + 1)..]
}

/// Whether an item begins what is unsafe: a block, or a function's body, which is so in older editions.
fn begins_unsafe(item: &[TokenTree]) -> bool {
    let function = item.iter().position(|token| is(Some(token), "fn")).unwrap_or_default();
    is(item.last(), "unsafe") || item[..function].iter().any(|token| is(Some(token), "unsafe"))
}

fn is(token: Option<&TokenTree>, text: &str) -> bool {
    match token {
        Some(TokenTree::Ident(name)) => name == text,
        Some(TokenTree::Punct(punct)) => text.len() == 1 && text.starts_with(punct.as_char()),
        _ => false,
    }
}

/// A keyword, a hygienic name, or one that begins as no user's does.
fn is_own(name: &str) -> bool {
    let is_numbered =
        name.rsplit_once('_').is_some_and(|(_, number)| number.chars().all(|c| c.is_ascii_digit()));
    KEYWORDS.contains(&name)
        || OWN.contains(&name)
        || name.starts_with("__")
        || is_numbered
        || name == "gridwright"
}

mod tests {
    use quote::quote;

    use super::check;

    fn is_refused(expansion: &proc_macro2::TokenStream) -> bool {
        std::panic::catch_unwind(|| check(expansion, &quote!(x Mine method))).is_err()
    }

    #[test]
    fn the_rules_refuse_what_they_say() {
        assert!(!is_refused(
            &quote!(let y_0 = ::gridwright::__private::f::<__Element0>(Mine.method(x)); unsafe { y_0 })
        ));
        for bad in [
            quote!(unsafe { x }),
            quote!(unsafe { ::gridwright::__private::f::<Mine>() }),
            quote!(
                unsafe fn run() {
                    f_0(x)
                }
            ),
            quote!(::core::mem::size_of::<__Element0>()),
            quote!(
                const A: u8 = 0;
            ),
            quote!(Some(1)),
            quote!(y_0.len()),
        ] {
            let text = bad.to_string();
            assert!(is_refused(&bad), "{text}");
        }
    }
}
