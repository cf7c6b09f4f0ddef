//! Tokens as a reader writes them: `x.len() == y.len()` for a message, `scale<f32, 4>` for a name.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The text of an expression.
pub(crate) fn expression(tokens: impl ToTokens) -> String {
    print(tokens.into_token_stream(), Angles::Comparisons)
}

/// The text of a type, or of a list of types.
pub(crate) fn types(tokens: impl ToTokens) -> String {
    print(tokens.into_token_stream(), Angles::Brackets)
}

/// A message as `assert!` takes it, which would read what is between braces as arguments.
pub(crate) fn unformatted(message: &str) -> String {
    message.replace('{', "{{").replace('}', "}}")
}

/// What `<` and `>` are, away from `::<`.
#[derive(Clone, Copy, PartialEq)]
enum Angles {
    Comparisons,
    Brackets,
}

/// A token with its text, its delimiters apart.
enum Piece {
    Word(String),
    Symbol(String),
    Open(char),
    Close(char),
}

/// Symbols of more than one character, the longest first.
const SYMBOLS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "==", "<=", ">=", "!=", "&&", "||", "<<", ">>", "::", "->", "=>", "..", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=",
];

/// Words after which an expression starts anew; after a lifetime a type does.
const KEYWORDS: [&str; 12] =
    ["as", "break", "const", "dyn", "else", "if", "in", "let", "match", "mut", "return", "unsafe"];

fn print(tokens: TokenStream, angles: Angles) -> String {
    let mut pieces = Vec::new();
    collect(tokens, angles, &mut pieces);
    let mut printer =
        Printer { text: String::new(), after: After::Prefix, angles, generics: 0, in_closure: false };
    for piece in &pieces {
        printer.piece(piece);
    }
    printer.text
}

fn collect(tokens: TokenStream, angles: Angles, pieces: &mut Vec<Piece>) {
    let mut run = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                run.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    split(&mut run, angles, pieces);
                }
            }
            TokenTree::Group(group) => {
                split(&mut run, angles, pieces);
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Brace => ('{', '}'),
                    // Left by `macro_rules`; nobody wrote it.
                    Delimiter::None => {
                        collect(group.stream(), angles, pieces);
                        continue;
                    }
                };
                pieces.push(Piece::Open(open));
                collect(group.stream(), angles, pieces);
                pieces.push(Piece::Close(close));
            }
            TokenTree::Ident(word) => {
                // The quote of a lifetime belongs to the word behind it.
                let quote = run.ends_with('\'').then(|| run.pop()).flatten();
                split(&mut run, angles, pieces);
                let word = quote.into_iter().chain(word.to_string().chars()).collect();
                pieces.push(Piece::Word(word));
            }
            TokenTree::Literal(literal) => {
                split(&mut run, angles, pieces);
                pieces.push(Piece::Word(literal.to_string()));
            }
        }
    }
    split(&mut run, angles, pieces);
}

/// Cuts characters that stand together into symbols.
fn split(run: &mut String, angles: Angles, pieces: &mut Vec<Piece>) {
    let mut rest = run.as_str();
    while let Some(first) = rest.chars().next() {
        // `>>` closes two lists of generic arguments.
        let brackets = angles == Angles::Brackets && (first == '<' || first == '>');
        let symbol = SYMBOLS
            .iter()
            .find(|symbol| !brackets && rest.starts_with(**symbol))
            .map_or(first.len_utf8(), |symbol| symbol.len());
        let (symbol, behind) = rest.split_at(symbol);
        pieces.push(Piece::Symbol(symbol.to_owned()));
        rest = behind;
    }
    run.clear();
}

/// What stands before the next piece.
#[derive(Clone, Copy, PartialEq)]
enum After {
    /// A prefix, an opening delimiter or nothing: no space follows, no operand stands here.
    Prefix,
    /// An operator or a keyword, with a space behind it if anything follows.
    Operator,
    /// A name, a literal or a closing delimiter.
    Operand,
    /// An opening brace.
    Brace,
}

struct Printer {
    text: String,
    after: After,
    angles: Angles,
    /// How many `<` of generic arguments are open.
    generics: usize,
    /// Whether the place is between the bars of a closure.
    in_closure: bool,
}

impl Printer {
    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Word(word) => {
                let keyword =
                    word.starts_with('\'') && !word.ends_with('\'') || KEYWORDS.contains(&word.as_str());
                let space = self.after != After::Prefix;
                let after = if keyword { After::Operator } else { After::Operand };
                self.put(space, word, after);
            }
            Piece::Open('{') => self.put(self.after != After::Prefix, "{", After::Brace),
            Piece::Open(open) => {
                let space = matches!(self.after, After::Operator | After::Brace);
                self.put(space, open.encode_utf8(&mut [0; 4]), After::Prefix);
            }
            Piece::Close('}') => self.put(self.after != After::Brace, "}", After::Operand),
            Piece::Close(close) => self.put(false, close.encode_utf8(&mut [0; 4]), After::Operand),
            Piece::Symbol(symbol) => self.symbol(symbol),
        }
    }

    fn symbol(&mut self, symbol: &str) {
        let operand = self.after == After::Operand;
        let pending = matches!(self.after, After::Operator | After::Brace);
        match symbol {
            "." | "::" | ".." | "..=" => self.put(pending, symbol, After::Prefix),
            "?" => self.put(false, symbol, After::Operand),
            "," | ";" | ":" => self.put(false, symbol, After::Operator),
            "<" if self.opens_generics() => {
                self.generics += 1;
                self.put(pending, symbol, After::Prefix);
            }
            ">" if self.generics > 0 => {
                self.generics -= 1;
                self.put(false, symbol, After::Operand);
            }
            "|" if self.in_closure => {
                self.in_closure = false;
                self.put(false, symbol, After::Operator);
            }
            "|" if !operand => {
                self.in_closure = true;
                self.put(pending, symbol, After::Prefix);
            }
            "||" if !operand => self.put(pending, symbol, After::Operator),
            // The `!` of a macro's name; as an operator it never follows an operand.
            "!" if operand => self.put(false, symbol, After::Prefix),
            _ if operand => self.put(true, symbol, After::Operator),
            _ => self.put(pending, symbol, After::Prefix),
        }
    }

    /// Whether a `<` here starts generic arguments.
    fn opens_generics(&self) -> bool {
        self.angles == Angles::Brackets || self.text.ends_with("::") || self.after != After::Operand
    }

    fn put(&mut self, space: bool, text: &str, after: After) {
        if space {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.after = after;
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    /// Checks that each text comes out as it went in.
    fn unchanged(texts: &[&str], print: impl Fn(TokenStream) -> String) {
        for text in texts {
            let tokens: TokenStream = text.parse().expect("test input lexes");
            assert_eq!(print(tokens), *text);
        }
    }

    #[test]
    fn expressions_are_spaced_as_rustfmt_does() {
        unchanged(
            &[
                "x.len() == y.len()",
                "x.len() == rows * (cols + 1) && n.is_power_of_two()",
                "a < b && c >= d << 2",
                "-1 < a - -b",
                "!x.is_empty() || *p != &q",
                "x.iter().all(|v| v > 0.5)",
                "any(|| true, |a, b| a | b)",
                "n as usize <= x.len()",
                "Vec::<u32>::new().len() == 0",
                "matches!(n, 0..=4)",
                "m[i + 1][0] % 2 == 0",
                "if a { b } else { c }",
                "f(a, \"text\")? == 'c'",
                "{ a }",
            ],
            super::expression,
        );
    }

    #[test]
    fn types_are_spaced_as_rustfmt_does() {
        unchanged(
            &[
                "f32, 4",
                "Pair<half::f16, [f32; 4]>",
                "Outer<Inner<f32>>",
                "&'static [f32]",
                "Wide<{ N + 1 }>, -1",
            ],
            super::types,
        );
    }
}
