//! Declarations of references to textures, samplers and surfaces: `.global .samplerref s = { filter_mode = nearest };`

use super::ParseError;
use super::lexer::Token;
use super::syntax::{Member, Number};
use super::unit::Parser;
use crate::texture::ReferenceKind;

pub(super) fn kind(directive: &str) -> Option<ReferenceKind> {
    Some(match directive {
        "texref" => ReferenceKind::Texture,
        "samplerref" => ReferenceKind::Sampler,
        "surfref" => ReferenceKind::Surface,
        _ => return None,
    })
}

impl<'s> Parser<'s> {
    /// What is behind `=`.
    pub(super) fn members(&mut self) -> Result<Vec<(&'s str, Member<'s>)>, ParseError> {
        self.require(b'{')?;
        let mut members = Vec::new();
        while !self.accept(b'}') {
            if !members.is_empty() {
                self.require(b',')?;
            }
            let name = self.word()?;
            self.require(b'=')?;
            let value = match self.peek() {
                Token::Word(word) => {
                    self.advance();
                    Member::Name(word)
                }
                _ => match self.number()? {
                    Number::Integer(value) => Member::Number(value),
                    _ => return Err(self.error("a member that isn't an integer")),
                },
            };
            members.push((name, value));
        }
        Ok(members)
    }
}
