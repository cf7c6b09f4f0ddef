//! Constant expressions, which stand wherever a number may: `(1 + 2) * 3`, `WARP_SZ << 1`, `-(1.5 + 2.0)`.
//!
//! Integers have 64 bits, and are signed unless they are written with a `U`, are too large for that or come of such ones.

use super::lexer::Token;
use super::syntax::Number;
use super::unit::Parser;
use super::{ParseError, number};

/// Parentheses and operators in each other, at most.
const DEEPEST: u32 = 64;

#[derive(Debug, Clone, Copy)]
enum Value {
    Integer { bits: u64, unsigned: bool },
    Single(u32),
    Double(f64),
}

/// Binary operators with what binds them: the larger, the tighter.
const OPERATORS: [(&[u8], u8); 18] = [
    // Those of two characters first: one of them may begin another.
    (b"||", 1),
    (b"&&", 2),
    (b"==", 6),
    (b"!=", 6),
    (b"<<", 8),
    (b">>", 8),
    (b"<=", 7),
    (b">=", 7),
    (b"|", 3),
    (b"^", 4),
    (b"&", 5),
    (b"<", 7),
    (b">", 7),
    (b"+", 9),
    (b"-", 9),
    (b"*", 10),
    (b"/", 10),
    (b"%", 10),
];

impl Value {
    fn integer(bits: u64) -> Self {
        Self::Integer { bits, unsigned: false }
    }

    fn is_true(self) -> bool {
        match self {
            Self::Integer { bits, .. } => bits != 0,
            Self::Single(bits) => f32::from_bits(bits) != 0.0,
            Self::Double(value) => value != 0.0,
        }
    }

    fn as_double(self) -> f64 {
        match self {
            Self::Integer { bits, unsigned: true } => bits as f64,
            Self::Integer { bits, .. } => bits as i64 as f64,
            Self::Single(bits) => f32::from_bits(bits).into(),
            Self::Double(value) => value,
        }
    }

    fn number(self) -> Number {
        match self {
            Self::Integer { bits, .. } => Number::Integer(bits),
            Self::Single(bits) => Number::Single(bits),
            Self::Double(value) => Number::Double(value.to_bits()),
        }
    }
}

/// What an operator makes of two values; none where it isn't defined.
fn combined(operator: &[u8], left: Value, right: Value) -> Option<Value> {
    let truth = |value: bool| Some(Value::integer(value.into()));
    match operator {
        b"||" => return truth(left.is_true() || right.is_true()),
        b"&&" => return truth(left.is_true() && right.is_true()),
        _ => {}
    }
    let (Value::Integer { bits: a, unsigned: one }, Value::Integer { bits: b, unsigned: other }) =
        (left, right)
    else {
        let (a, b) = (left.as_double(), right.as_double());
        return match operator {
            b"+" => Some(Value::Double(a + b)),
            b"-" => Some(Value::Double(a - b)),
            b"*" => Some(Value::Double(a * b)),
            b"/" => Some(Value::Double(a / b)),
            b"<" => truth(a < b),
            b">" => truth(a > b),
            b"<=" => truth(a <= b),
            b">=" => truth(a >= b),
            b"==" => truth(a == b),
            b"!=" => truth(a != b),
            _ => None,
        };
    };
    let unsigned = one || other;
    let (signed_a, signed_b) = (a as i64, b as i64);
    let shift = u32::try_from(b).unwrap_or(u32::MAX);
    let bits = match operator {
        b"+" => a.wrapping_add(b),
        b"-" => a.wrapping_sub(b),
        b"*" => a.wrapping_mul(b),
        b"/" if unsigned => a.checked_div(b)?,
        b"/" => signed_a.checked_div(signed_b)? as u64,
        b"%" if unsigned => a.checked_rem(b)?,
        b"%" => signed_a.checked_rem(signed_b)? as u64,
        b"&" => a & b,
        b"|" => a | b,
        b"^" => a ^ b,
        // A shift has the type of what is shifted.
        b"<<" => return Some(Value::Integer { bits: a.checked_shl(shift).unwrap_or(0), unsigned: one }),
        b">>" if one => {
            return Some(Value::Integer { bits: a.checked_shr(shift).unwrap_or(0), unsigned: one });
        }
        b">>" => return Some(Value::integer((signed_a >> shift.min(63)) as u64)),
        b"==" => return truth(a == b),
        b"!=" => return truth(a != b),
        b"<" => return truth(if unsigned { a < b } else { signed_a < signed_b }),
        b">" => return truth(if unsigned { a > b } else { signed_a > signed_b }),
        b"<=" => return truth(if unsigned { a <= b } else { signed_a <= signed_b }),
        b">=" => return truth(if unsigned { a >= b } else { signed_a >= signed_b }),
        _ => return None,
    };
    Some(Value::Integer { bits, unsigned })
}

impl Parser<'_> {
    /// Whether a constant expression begins here. A parenthesis may begin other things too.
    pub(super) fn begins_number(&self) -> bool {
        match self.peek() {
            Token::Number(_) | Token::Punctuation(b'+' | b'~') => true,
            // A register with a minus is a factor of `vmad`.
            Token::Punctuation(b'-') => !matches!(self.peek_ahead(1), Token::Word(word) if word != "WARP_SZ"),
            Token::Punctuation(b'!') => {
                matches!(self.peek_ahead(1), Token::Number(_) | Token::Punctuation(b'(' | b'!' | b'~' | b'-'))
            }
            Token::Word(word) => word == "WARP_SZ",
            _ => false,
        }
    }

    /// The number that a constant expression gives.
    pub(super) fn number(&mut self) -> Result<Number, ParseError> {
        Ok(self.choice(0)?.number())
    }

    /// The number between `<` and `>`, which compare nothing there.
    pub(super) fn family_count(&mut self) -> Result<Number, ParseError> {
        Ok(self.binary(9, 0)?.number())
    }

    /// A sum of integers, each with its sign: `+4`, `+-4`, `-2 * 4 + 1`.
    pub(super) fn offset(&mut self) -> Result<i64, ParseError> {
        let mut sum = Value::integer(0);
        while let Token::Punctuation(sign @ (b'+' | b'-')) = self.peek() {
            self.advance();
            let term = self.binary(10, 0)?;
            sum = self.defined(combined(&[sign], sum, term))?;
        }
        match sum {
            Value::Integer { bits, .. } => Ok(bits as i64),
            _ => Err(self.error("an offset that isn't an integer")),
        }
    }

    fn defined(&self, value: Option<Value>) -> Result<Value, ParseError> {
        value.ok_or_else(|| self.error("an expression that isn't defined"))
    }

    fn choice(&mut self, depth: u32) -> Result<Value, ParseError> {
        let condition = self.binary(1, depth)?;
        if !self.accept(b'?') {
            return Ok(condition);
        }
        let first = self.choice(depth + 1)?;
        self.require(b':')?;
        let second = self.choice(depth + 1)?;
        Ok(if condition.is_true() { first } else { second })
    }

    /// The operator here, if it binds at least so tightly.
    fn operator(&self, least: u8) -> Option<(&'static [u8], u8)> {
        let character = |ahead| match self.peek_ahead(ahead) {
            Token::Punctuation(byte) => byte,
            // A remainder's sign begins a word, like the name of a register.
            Token::Word("%") => b'%',
            _ => 0,
        };
        let (first, second) = (character(0), character(1));
        let fits = |text: &[u8]| match *text {
            [only] => only == first,
            [one, two] => (one, two) == (first, second),
            _ => false,
        };
        let (text, binds) = OPERATORS.into_iter().find(|(text, _)| fits(text))?;
        (binds >= least).then_some((text, binds))
    }

    fn binary(&mut self, least: u8, depth: u32) -> Result<Value, ParseError> {
        if depth > DEEPEST {
            return Err(self.error("an expression nested too deeply"));
        }
        let mut left = self.unary(depth)?;
        while let Some((operator, binds)) = self.operator(least) {
            operator.iter().for_each(|_| self.advance());
            let right = self.binary(binds + 1, depth + 1)?;
            left = self.defined(combined(operator, left, right))?;
        }
        Ok(left)
    }

    fn unary(&mut self, depth: u32) -> Result<Value, ParseError> {
        if depth > DEEPEST {
            return Err(self.error("an expression nested too deeply"));
        }
        match self.peek() {
            Token::Punctuation(b'+') => {
                self.advance();
                self.unary(depth + 1)
            }
            Token::Punctuation(b'-') => {
                self.advance();
                Ok(match self.unary(depth + 1)? {
                    Value::Integer { bits, unsigned } => {
                        Value::Integer { bits: bits.wrapping_neg(), unsigned }
                    }
                    Value::Single(bits) => Value::Single(bits ^ 1 << 31),
                    Value::Double(value) => Value::Double(-value),
                })
            }
            Token::Punctuation(b'!') => {
                self.advance();
                let value = self.unary(depth + 1)?;
                Ok(Value::integer((!value.is_true()).into()))
            }
            Token::Punctuation(b'~') => {
                self.advance();
                match self.unary(depth + 1)? {
                    Value::Integer { bits, unsigned } => Ok(Value::Integer { bits: !bits, unsigned }),
                    _ => Err(self.error("the bits of a floating-point number")),
                }
            }
            Token::Punctuation(b'(') => self.parenthesis(depth),
            Token::Word("WARP_SZ") => {
                self.advance();
                Ok(Value::integer(32))
            }
            Token::Number(text) => {
                let value = number::parse(text)
                    .ok_or_else(|| self.error(format!("`{text}` isn't a number of PTX")))?;
                self.advance();
                Ok(match value {
                    Number::Integer(bits) => {
                        let unsigned = text.ends_with(['u', 'U']) || bits > i64::MAX as u64;
                        Value::Integer { bits, unsigned }
                    }
                    Number::Single(bits) => Value::Single(bits),
                    Number::Double(bits) => Value::Double(f64::from_bits(bits)),
                })
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    /// `(…)`, or a number's new type: `(.u64) -1`.
    fn parenthesis(&mut self, depth: u32) -> Result<Value, ParseError> {
        self.require(b'(')?;
        if let Token::Word(word @ (".u64" | ".s64")) = self.peek() {
            self.advance();
            self.require(b')')?;
            return match self.unary(depth + 1)? {
                Value::Integer { bits, .. } => Ok(Value::Integer { bits, unsigned: word == ".u64" }),
                value => {
                    Ok(Value::Integer { bits: value.as_double() as i64 as u64, unsigned: word == ".u64" })
                }
            };
        }
        let value = self.choice(depth + 1)?;
        self.require(b')')?;
        Ok(value)
    }
}
