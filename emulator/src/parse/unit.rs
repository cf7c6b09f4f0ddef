//! A whole text: directives at its top level.

use std::collections::HashMap;
use std::fmt::Display;

use super::ParseError;
use super::lexer::{Lexer, Token};
use super::syntax::{Location, Number, Space, Unit};

/// # Errors
/// Where the text isn't understood.
pub(crate) fn parse(source: &str) -> Result<Unit<'_>, ParseError> {
    let mut parser = Parser {
        tokens: Lexer::new(source).tokens()?,
        at: 0,
        unit: Unit::default(),
        is_call: false,
        elements: HashMap::new(),
    };
    parser.unit.locations.push(Location { file: 0, line: 0, column: 0 });
    while parser.peek() != Token::End {
        parser.directive()?;
    }
    if parser.unit.version == (0, 0) {
        return Err(ParseError::new(1, "there is no `.version`"));
    }
    Ok(parser.unit)
}

#[derive(Debug)]
pub(super) struct Parser<'s> {
    tokens: Vec<(Token<'s>, u32)>,
    at: usize,
    unit: Unit<'s>,
    /// Whether the operands of a call are read, which may be lists.
    pub(super) is_call: bool,
    /// Bytes of an element of each variable, for `name[2]`.
    pub(super) elements: HashMap<&'s str, u32>,
}

impl<'s> Parser<'s> {
    pub(super) fn peek(&self) -> Token<'s> {
        self.peek_ahead(0)
    }

    pub(super) fn peek_ahead(&self, ahead: usize) -> Token<'s> {
        self.tokens.get(self.at + ahead).map_or(Token::End, |(token, _)| *token)
    }

    pub(super) fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// An error about what was read last.
    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        let last = self.tokens.get(self.at.saturating_sub(1));
        ParseError::new(last.map_or(1, |(_, line)| *line), message)
    }

    pub(super) fn unexpected(&self, wanted: impl Display) -> ParseError {
        let found = match self.peek() {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Punctuation(byte) => format!("`{}`", char::from(byte)),
            Token::End => "the end of the text".to_owned(),
        };
        ParseError::new(self.line(), format!("expected {wanted}, found {found}"))
    }

    pub(super) fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == Token::Punctuation(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn require(&mut self, byte: u8) -> Result<(), ParseError> {
        if self.accept(byte) {
            return Ok(());
        }
        Err(self.unexpected(format_args!("`{}`", char::from(byte))))
    }

    pub(super) fn word(&mut self) -> Result<&'s str, ParseError> {
        let Token::Word(word) = self.peek() else {
            return Err(self.unexpected("a name"));
        };
        self.advance();
        Ok(word)
    }

    pub(super) fn require_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.peek() == Token::Word(word) {
            self.advance();
            return Ok(());
        }
        Err(self.unexpected(format_args!("`{word}`")))
    }

    /// Skips tokens up to and with the next semicolon.
    pub(super) fn skip_statement(&mut self) -> Result<(), ParseError> {
        while !self.accept(b';') {
            if self.peek() == Token::End {
                return Err(self.unexpected("`;`"));
            }
            self.advance();
        }
        Ok(())
    }

    /// Skips a list in parentheses, with what nests in it.
    pub(super) fn skip_list(&mut self) -> Result<(), ParseError> {
        self.skip_balanced(b'(', b')')
    }

    fn skip_balanced(&mut self, open: u8, close: u8) -> Result<(), ParseError> {
        self.require(open)?;
        let mut depth = 1_u32;
        while depth > 0 {
            match self.peek() {
                Token::End => return Err(self.unexpected(format_args!("`{}`", char::from(close)))),
                Token::Punctuation(byte) if byte == open => depth += 1,
                Token::Punctuation(byte) if byte == close => depth -= 1,
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }

    pub(super) fn add_location(&mut self, location: Location) -> u32 {
        if self.unit.locations.last() != Some(&location) {
            self.unit.locations.push(location);
        }
        (self.unit.locations.len() - 1) as u32
    }

    fn directive(&mut self) -> Result<(), ParseError> {
        let mut is_extern = false;
        loop {
            let Token::Word(word) = self.peek() else {
                return Err(self.unexpected("a directive"));
            };
            self.advance();
            match word {
                ".extern" => {
                    is_extern = true;
                    continue;
                }
                ".visible" | ".weak" | ".common" => continue,
                ".attribute" => {
                    self.skip_list()?;
                    continue;
                }
                ".version" => self.version()?,
                ".target" => self.target()?,
                ".address_size" => {
                    if self.number()? != Number::Integer(64) {
                        return Err(self.error("only 64-bit addresses are understood"));
                    }
                }
                ".file" => self.file()?,
                ".loc" => {
                    self.location()?;
                }
                ".section" => {
                    self.word()?;
                    self.skip_balanced(b'{', b'}')?;
                }
                ".pragma" => self.skip_statement()?,
                ".alias" => {
                    let line = self.line();
                    let name = self.word()?;
                    self.require(b',')?;
                    let other = self.word()?;
                    self.require(b';')?;
                    self.unit.aliases.push((name, other, line));
                }
                ".entry" | ".func" => {
                    let function = self.function(word == ".entry")?;
                    self.unit.functions.push(function);
                }
                ".global" => self.module_variables(Space::Global, is_extern)?,
                ".const" => self.module_variables(Space::Const, is_extern)?,
                ".shared" => self.module_variables(Space::Shared, is_extern)?,
                _ => return Err(self.error(format!("`{word}` isn't understood"))),
            }
            return Ok(());
        }
    }

    fn module_variables(&mut self, space: Space, is_extern: bool) -> Result<(), ParseError> {
        let variables = self.variables(space, is_extern, 0)?;
        self.unit.variables.extend(variables);
        self.require(b';')
    }

    fn version(&mut self) -> Result<(), ParseError> {
        let Token::Number(text) = self.peek() else {
            return Err(self.unexpected("a version"));
        };
        let parts =
            text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        self.unit.version = parts.ok_or_else(|| self.unexpected("a version"))?;
        self.advance();
        Ok(())
    }

    fn target(&mut self) -> Result<(), ParseError> {
        self.unit.target = self.word()?;
        while self.accept(b',') {
            self.word()?;
        }
        Ok(())
    }

    fn file(&mut self) -> Result<(), ParseError> {
        let Number::Integer(number) = self.number()? else {
            return Err(self.unexpected("a file's number"));
        };
        let Token::Text(path) = self.peek() else {
            return Err(self.unexpected("a file's path"));
        };
        self.advance();
        self.unit.files.push((u32::try_from(number).unwrap_or(u32::MAX), path));
        while self.accept(b',') {
            self.number()?;
        }
        Ok(())
    }
}
