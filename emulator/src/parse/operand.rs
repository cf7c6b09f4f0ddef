//! Operands of instructions.

use super::lexer::Token;
use super::syntax::{Base, Number, Operand};
use super::unit::Parser;
use super::{ParseError, number};

/// Vectors and lists hold nothing that nests.
const DEEPEST: u32 = 3;

impl<'s> Parser<'s> {
    pub(super) fn operand(&mut self, depth: u32) -> Result<Operand<'s>, ParseError> {
        if depth > DEEPEST {
            return Err(self.error("operands nested too deeply"));
        }
        match self.peek() {
            Token::Punctuation(b'[') => self.address(depth),
            Token::Punctuation(b'{') => {
                let items = self.sequence(b'{', b'}', depth)?;
                if self.accept(b'|') {
                    return Ok(Operand::VectorPair(items, self.word()?));
                }
                Ok(Operand::Vector(items))
            }
            Token::Punctuation(b'(') => Ok(Operand::List(self.sequence(b'(', b')', depth)?)),
            Token::Punctuation(b'!') => {
                self.advance();
                Ok(Operand::Not(self.word()?))
            }
            Token::Number(_) | Token::Punctuation(b'-' | b'+') => Ok(Operand::Number(self.number()?)),
            Token::Word(name) => {
                self.advance();
                match self.peek() {
                    Token::Punctuation(b'|') => {
                        self.advance();
                        Ok(Operand::Pair(name, self.word()?))
                    }
                    Token::Punctuation(b'+' | b'-') => Ok(Operand::Offset(name, self.offset()?)),
                    _ => Ok(Operand::Name(name)),
                }
            }
            _ => Err(self.unexpected("an operand")),
        }
    }

    fn sequence(&mut self, open: u8, close: u8, depth: u32) -> Result<Vec<Operand<'s>>, ParseError> {
        self.require(open)?;
        let mut items = Vec::new();
        while !self.accept(close) {
            if !items.is_empty() {
                self.require(b',')?;
            }
            items.push(self.operand(depth + 1)?);
        }
        Ok(items)
    }

    fn address(&mut self, depth: u32) -> Result<Operand<'s>, ParseError> {
        self.require(b'[')?;
        let base = match self.peek() {
            Token::Word(name) => {
                self.advance();
                if self.accept(b',') {
                    return self.texel(name, depth);
                }
                Base::Name(name)
            }
            _ => Base::Absolute,
        };
        let offset = if self.peek() == Token::Punctuation(b']') { 0 } else { self.offset()? };
        self.require(b']')?;
        Ok(Operand::Address(base, offset))
    }

    /// What is behind `[texture,`: perhaps a sampler, and coordinates, of which a single one needs no braces.
    fn texel(&mut self, name: &'s str, depth: u32) -> Result<Operand<'s>, ParseError> {
        let mut sampler = None;
        if let (Token::Word(word), Token::Punctuation(b',')) = (self.peek(), self.peek_ahead(1)) {
            sampler = Some(word);
            self.advance();
            self.advance();
        }
        let coordinates = match self.peek() {
            Token::Punctuation(b'{') => self.sequence(b'{', b'}', depth)?,
            _ => vec![self.operand(depth + 1)?],
        };
        self.require(b']')?;
        Ok(match sampler {
            Some(sampler) => Operand::Sampled(name, sampler, coordinates),
            None => Operand::Texel(name, coordinates),
        })
    }

    /// A sum of integers, each with its sign: `+4`, `+-4`, `8`.
    pub(super) fn offset(&mut self) -> Result<i64, ParseError> {
        match self.number()? {
            Number::Integer(value) => Ok(value as i64),
            _ => Err(self.error("an offset that isn't an integer")),
        }
    }

    pub(super) fn number(&mut self) -> Result<Number, ParseError> {
        let mut negative = false;
        while let Token::Punctuation(sign @ (b'-' | b'+')) = self.peek() {
            negative ^= sign == b'-';
            self.advance();
        }
        let Token::Number(text) = self.peek() else {
            return Err(self.unexpected("a number"));
        };
        let value =
            number::parse(text).ok_or_else(|| self.error(format!("`{text}` isn't a number of PTX")))?;
        self.advance();
        Ok(match value {
            Number::Integer(value) if negative => Number::Integer(value.wrapping_neg()),
            Number::Single(bits) if negative => Number::Single(bits ^ (1 << 31)),
            Number::Double(bits) if negative => Number::Double(bits ^ (1 << 63)),
            value => value,
        })
    }
}
