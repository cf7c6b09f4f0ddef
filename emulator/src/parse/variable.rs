//! Declarations of variables, registers and parameters.

use super::ParseError;
use super::lexer::Token;
use super::reference;
use super::syntax::{Initial, Number, Space, Type, Variable};
use super::unit::Parser;

/// Bytes of a variable, at most: no GPU has as much memory.
const MOST_BYTES: u64 = 1 << 40;
const MOST_REGISTERS: u64 = 1 << 20;
/// Zeros that one list of an initialiser leaves out, at most.
const MOST_VALUES: u64 = 1 << 24;

impl<'s> Parser<'s> {
    /// Parses what is behind the space: `.align 4 .b8 name[16] = {…}`, and more names of the type behind
    /// commas.
    pub(super) fn variables(
        &mut self,
        space: Space,
        is_extern: bool,
        scope: u32,
    ) -> Result<Vec<Variable<'s>>, ParseError> {
        let mut alignment = None;
        let mut element = None;
        let mut vector = 1_u32;
        let mut is_pointer = false;
        let mut is_managed = false;
        while let Token::Word(word) = self.peek() {
            let Some(directive) = word.strip_prefix('.') else { break };
            self.advance();
            match directive {
                "align" => {
                    let value = self.alignment()?;
                    // Behind `.ptr` it is that of what the parameter points to.
                    if !is_pointer {
                        alignment = Some(value);
                    }
                }
                "ptr" => is_pointer = true,
                "managed" | "unified" => {}
                "global" | "const" | "shared" | "local" | "generic" if space == Space::Parameter => {}
                "attribute" => is_managed |= self.attributes()?,
                // What the parameter points to.
                _ if is_pointer && reference::kind(directive).is_some() => {}
                "v2" => vector = 2,
                "v4" => vector = 4,
                _ => {
                    let found =
                        Type::parse(directive).or_else(|| reference::kind(directive).map(Type::Reference));
                    element = Some(found.ok_or_else(|| self.error(format!("`.{directive}`: unknown type")))?);
                    if space != Space::Parameter {
                        break;
                    }
                }
            }
        }
        let element = element.ok_or_else(|| self.unexpected("a type"))?;
        let mut variables = Vec::new();
        loop {
            let mut variable = Variable {
                name: "",
                space,
                element,
                family: None,
                vector: vector as u8,
                lengths: Vec::new(),
                is_managed,
                bytes: u64::from(element.bytes()) * u64::from(vector),
                unsized_array: false,
                alignment: alignment.unwrap_or_else(|| element.bytes().max(1) * vector),
                is_extern,
                initial: Vec::new(),
                members: Vec::new(),
                line: self.line(),
                scope,
            };
            variable.name = self.word()?;
            self.shape(&mut variable)?;
            self.elements.insert(variable.name, element.bytes());
            if matches!(element, Type::Reference(_)) {
                if variable.family.is_some() || variable.bytes != 8 || variable.unsized_array {
                    return Err(self.error(format!("`{}`: an array of references", variable.name)));
                }
                if self.accept(b'=') {
                    variable.members = self.members()?;
                }
            } else if self.accept(b'=') {
                let lengths = std::mem::take(&mut variable.lengths);
                self.initial(&mut variable.initial, &lengths, 0)?;
            }
            variables.push(variable);
            // In a list of parameters the comma is followed by the next one's space.
            if space == Space::Parameter || !self.accept(b',') {
                return Ok(variables);
            }
        }
    }

    fn alignment(&mut self) -> Result<u32, ParseError> {
        match self.number()? {
            Number::Integer(value) if value.is_power_of_two() && value <= 1 << 12 => Ok(value as u32),
            _ => Err(self.error("an alignment that isn't a power of two of at most 4096")),
        }
    }

    fn shape(&mut self, variable: &mut Variable<'s>) -> Result<(), ParseError> {
        if self.accept(b'<') {
            let count = match self.family_count()? {
                Number::Integer(value) if value <= MOST_REGISTERS => value,
                _ => return Err(self.error("a count out of range")),
            };
            variable.family = Some(count as u32);
            return self.require(b'>');
        }
        while self.accept(b'[') {
            if self.accept(b']') {
                variable.unsized_array = true;
                variable.bytes = 0;
                variable.lengths.push(0);
            } else {
                let count = self.count(MOST_BYTES)?;
                variable.bytes = variable.bytes.saturating_mul(count);
                variable.lengths.push(count);
                self.require(b']')?;
            }
        }
        if variable.vector > 1 {
            variable.lengths.push(variable.vector.into());
        }
        if variable.bytes > MOST_BYTES {
            return Err(self.error(format!("`{}` is too large", variable.name)));
        }
        Ok(())
    }

    fn count(&mut self, most: u64) -> Result<u64, ParseError> {
        match self.number()? {
            Number::Integer(value) if value <= most => Ok(value),
            _ => Err(self.error("a count out of range")),
        }
    }

    /// Skips `(.managed)` and other attributes, and says whether that one is there.
    fn attributes(&mut self) -> Result<bool, ParseError> {
        let is_managed = self.peek_ahead(1) == Token::Word(".managed");
        self.skip_list()?;
        Ok(is_managed)
    }

    /// One value, or a list of them. Values that a list of inner braces leaves out are zeros.
    fn initial(
        &mut self,
        values: &mut Vec<Initial<'s>>,
        lengths: &[u64],
        depth: usize,
    ) -> Result<(), ParseError> {
        if depth > 8 {
            return Err(self.error("an initialiser nested too deeply"));
        }
        if self.accept(b'{') {
            let start = values.len();
            let mut first = true;
            while !self.accept(b'}') {
                if !first {
                    self.require(b',')?;
                }
                first = false;
                self.initial(values, lengths, depth + 1)?;
            }
            let inner = lengths.get(depth..).unwrap_or_default();
            let wanted = inner.iter().fold(1_u64, |all, &length| all.saturating_mul(length));
            if depth > 0 && !inner.is_empty() {
                let given = (values.len() - start) as u64;
                let missing = wanted.saturating_sub(given).min(MOST_VALUES);
                values.extend((0..missing).map(|_| Initial::Number(Number::Integer(0))));
            }
            return Ok(());
        }
        let value = match self.peek() {
            Token::Word("generic") => {
                self.advance();
                self.require(b'(')?;
                let name = self.word()?;
                self.require(b')')?;
                Initial::Address(name, self.trailing_offset()?, None)
            }
            Token::Word(name) => {
                self.advance();
                Initial::Address(name, self.trailing_offset()?, None)
            }
            // `0xFF00(name)`: one byte of an address.
            Token::Number(text)
                if text.starts_with("0x") && self.peek_ahead(1) == Token::Punctuation(b'(') =>
            {
                let Number::Integer(mask) = self.number()? else {
                    return Err(self.unexpected("a mask"));
                };
                self.require(b'(')?;
                let mut name = self.word()?;
                if name == "generic" {
                    self.require(b'(')?;
                    name = self.word()?;
                    self.require(b')')?;
                }
                let offset = self.trailing_offset()?;
                self.require(b')')?;
                Initial::Address(name, offset, Some(mask))
            }
            _ => Initial::Number(self.number()?),
        };
        values.push(value);
        Ok(())
    }

    fn trailing_offset(&mut self) -> Result<i64, ParseError> {
        match self.peek() {
            Token::Punctuation(b'+' | b'-') => self.offset(),
            _ => Ok(0),
        }
    }
}
