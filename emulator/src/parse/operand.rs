//! Operands of instructions.

use super::ParseError;
use super::lexer::Token;
use super::syntax::{Base, Number, Operand};
use super::unit::Parser;

/// Vectors and lists hold nothing that nests.
const DEEPEST: u32 = 3;

impl<'s> Parser<'s> {
    pub(super) fn operand(&mut self, depth: u32) -> Result<Operand<'s>, ParseError> {
        if depth > DEEPEST {
            return Err(self.error("operands nested too deeply"));
        }
        if self.begins_number() {
            return Ok(Operand::Number(self.number()?));
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
            // Lists are operands of calls alone.
            Token::Punctuation(b'(') if self.is_call => Ok(Operand::List(self.sequence(b'(', b')', depth)?)),
            Token::Punctuation(b'(') => Ok(Operand::Number(self.number()?)),
            Token::Punctuation(b'-') => {
                self.advance();
                Ok(Operand::Negated(self.word()?))
            }
            Token::Punctuation(b'!') => {
                self.advance();
                Ok(Operand::Not(self.word()?))
            }
            Token::Word(name) => {
                self.advance();
                match self.peek() {
                    Token::Punctuation(b'|') => {
                        self.advance();
                        Ok(Operand::Pair(name, self.word()?))
                    }
                    Token::Punctuation(b'+' | b'-') => Ok(Operand::Offset(name, self.offset()?)),
                    Token::Punctuation(b'[') => self.element(name),
                    _ => Ok(Operand::Name(name)),
                }
            }
            _ => Err(self.unexpected("an operand")),
        }
    }

    /// `name[2]`: the address of an element of an array.
    fn element(&mut self, name: &'s str) -> Result<Operand<'s>, ParseError> {
        self.require(b'[')?;
        let Number::Integer(index) = self.number()? else { return Err(self.unexpected("an index")) };
        self.require(b']')?;
        let bytes = self.elements.get(name).copied();
        let bytes = bytes.ok_or_else(|| self.error(format!("`{name}` isn't an array")))?;
        Ok(Operand::Offset(name, (index as i64).wrapping_mul(bytes.into())))
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
        let offset = match base {
            Base::Absolute => match self.number()? {
                Number::Integer(value) => value as i64,
                _ => return Err(self.error("an address that isn't an integer")),
            },
            Base::Name(_) => self.offset()?,
        };
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
}
