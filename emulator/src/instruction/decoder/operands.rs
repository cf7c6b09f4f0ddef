//! An instruction's operands: sources, which are registers or constants, results and predicates.

use super::{Decoded, Decoder, Place};
use crate::instruction::directed::{self, Rounding};
use crate::instruction::handler::{Handler, handler};
use crate::instruction::operation::Action;
use crate::instruction::special::{Question, Special};
use crate::machine::{LOCAL_WINDOW, Lane, Operands, Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};

impl<'s> Decoder<'_, 's> {
    fn number(&self, number: Number, ty: Type) -> Result<u64, ParseError> {
        Ok(match (number, ty) {
            (Number::Single(bits), Type::Float(64)) => f64::from(f32::from_bits(bits)).to_bits(),
            (Number::Single(bits), _) => u64::from(bits),
            (Number::Double(bits), Type::Float(32)) => u64::from((f64::from_bits(bits) as f32).to_bits()),
            (Number::Double(bits), Type::Float(16)) => {
                directed::to_half(f64::from_bits(bits), Rounding::Nearest).into()
            }
            (Number::Double(bits), Type::BFloat) => {
                directed::to_brain(f64::from_bits(bits), Rounding::Nearest).into()
            }
            (Number::Double(bits), _) => bits,
            (Number::Integer(_), Type::Float(32 | 64)) => {
                return Err(self.error("an integer where a floating-point number is taken"));
            }
            (Number::Integer(value), _) => value,
        })
    }

    /// A register or constant of the type's width. Types of 8 bits come in wider registers.
    pub(crate) fn source(&mut self, operand: &Operand<'s>, ty: Type) -> Result<Slot, ParseError> {
        let bits = ty.bits();
        match operand {
            Operand::Member(name, element) => {
                let (has, index) = self.member(name, *element)?;
                if has != bits && !(bits == 8 && has <= 32) {
                    return Err(self.width(name, has, bits));
                }
                Ok(Slot(index))
            }
            Operand::Number(_) if bits == 128 => Err(self.error("a constant of 128 bits")),
            Operand::Number(number) => {
                let value = self.number(*number, ty)?;
                Ok(self.constant(bits, value))
            }
            Operand::Name(name) => match self.place(name) {
                Some(Place::Register { bits: has, index }) => {
                    if has != bits && !(bits == 8 && has <= 32) {
                        return Err(self.width(name, has, bits));
                    }
                    Ok(Slot(index))
                }
                None if name.starts_with('%') => {
                    let slot = self.temporary(bits);
                    let action = self.special(name, slot, bits)?;
                    self.push(action)?;
                    Ok(slot)
                }
                None if *name == "WARP_SZ" => Ok(self.constant(bits, 32)),
                None => Err(self.error(format!("`{name}` isn't declared"))),
                Some(_) => self.address_of(name, 0, bits),
            },
            Operand::Offset(name, offset) => self.address_of(name, *offset, bits),
            _ => Err(self.error(format!("an operand of `{}` isn't understood", self.instruction.opcode))),
        }
    }

    /// A register or constant; a register may be wider than the type, as in conversions and stores.
    pub(crate) fn wide_source(&mut self, operand: &Operand<'s>, ty: Type) -> Result<(Slot, u8), ParseError> {
        let register = match operand {
            Operand::Name(name) => match self.place(name) {
                Some(Place::Register { bits, index }) => Some((*name, bits, index)),
                _ => None,
            },
            Operand::Member(name, element) => {
                let (bits, index) = self.member(name, *element)?;
                Some((*name, bits, index))
            }
            _ => None,
        };
        if let Some((name, bits, index)) = register {
            if bits < ty.bits().min(16) || bits < ty.bits() && ty.bits() > 16 {
                return Err(self.width(name, bits, ty.bits()));
            }
            return Ok((Slot(index), bits));
        }
        let bits = ty.bits().max(16);
        Ok((self.source(operand, ty)?, bits))
    }

    fn width(&self, name: &str, has: u8, wanted: u8) -> ParseError {
        self.error(format!("`{name}` has {has} bits, and `{}` takes {wanted}", self.instruction.opcode))
    }

    /// The address of a variable in the space that it is declared in; of a `.param` in a function, in the generic.
    pub(crate) fn address_of(&mut self, name: &str, offset: i64, bits: u8) -> Result<Slot, ParseError> {
        match self.known_place(name)? {
            Place::Symbol(symbol, _) => Ok(self.address(bits, symbol, offset)),
            Place::Frame(start, local) => {
                let slot = self.temporary(bits);
                let action = self.frame_address(slot, i64::from(start) + offset, bits, local)?;
                self.push(action)?;
                Ok(slot)
            }
            Place::Register { .. } => Err(self.error(format!("`{name}` is a register, plus an offset"))),
        }
    }

    pub(crate) fn destination(&mut self, operand: &Operand<'s>, bits: u8) -> Result<Slot, ParseError> {
        let (slot, has) = self.wide_destination(operand, bits)?;
        if has != bits {
            return Err(self.error(format!(
                "a result of {bits} bits goes to a register of {has} in `{}`",
                self.instruction.opcode
            )));
        }
        Ok(slot)
    }

    /// A register that may be wider than the result, and its width.
    pub(crate) fn wide_destination(
        &mut self,
        operand: &Operand<'s>,
        bits: u8,
    ) -> Result<(Slot, u8), ParseError> {
        let name = match operand {
            Operand::Name(name) => name,
            Operand::Member(name, element) => {
                let (has, index) = self.member(name, *element)?;
                if has < bits && !(has == 8 && bits == 16) {
                    return Err(self.width(name, has, bits));
                }
                return Ok((Slot(index), has.max(16)));
            }
            _ => {
                let opcode = self.instruction.opcode;
                return Err(self.error(format!("the result of `{opcode}` isn't a register")));
            }
        };
        if *name == "_" {
            let bits = bits.max(16);
            return Ok((self.temporary(bits), bits));
        }
        match self.known_place(name)? {
            Place::Register { bits: 1, .. } => Err(self.error(format!("`{name}` is a predicate"))),
            Place::Register { bits: has, index } => {
                if has < bits && !(has == 8 && bits == 16) {
                    return Err(self.width(name, has, bits));
                }
                Ok((Slot(index), has.max(16)))
            }
            _ => Err(self.error(format!("`{name}` isn't a register"))),
        }
    }

    pub(crate) fn predicate_register(&mut self, name: &str) -> Result<Predicate, ParseError> {
        if name == "_" {
            return Ok(self.temporary_predicate());
        }
        match self.known_place(name)? {
            Place::Register { bits: 1, index } => Ok(Predicate(index)),
            _ => Err(self.error(format!("`{name}` isn't a predicate"))),
        }
    }

    pub(crate) fn is_predicate(&self, name: &str) -> bool {
        matches!(self.place(name), Some(Place::Register { bits: 1, .. }))
    }

    pub(crate) fn predicate(&mut self, operand: &Operand<'s>) -> Result<Predicate, ParseError> {
        match operand {
            Operand::Name(name) => self.predicate_register(name),
            Operand::Not(name) => Ok(self.predicate_register(name)?.negated()),
            Operand::Number(Number::Integer(0)) => Ok(Predicate::FALSE),
            Operand::Number(Number::Integer(_)) => Ok(Predicate::FALSE.negated()),
            _ => Err(self.error(format!("an operand of `{}` isn't a predicate", self.instruction.opcode))),
        }
    }

    /// A handler with one result and up to three sources, all of one type.
    pub(crate) fn uniform(&mut self, handler: Option<Handler>, ty: Type) -> Decoded {
        let handler = self.known(handler)?;
        let Some((result, sources)) = self.operands().split_first() else { return Err(self.unknown()) };
        let mut operands = Operands { d: self.destination(result, ty.bits())?, ..Operands::default() };
        for (number, source) in sources.iter().enumerate() {
            let slot = self.source(source, ty)?;
            match number {
                0 => operands.a = slot,
                1 => operands.b = slot,
                2 => operands.c = slot,
                _ => return Err(self.unknown()),
            }
        }
        Ok(Action::Compute(handler, operands))
    }

    /// `uniform`, with exactly this many sources.
    pub(crate) fn uniform_of(&mut self, sources: usize, handler: Option<Handler>, ty: Type) -> Decoded {
        if self.operands().len() != sources + 1 {
            return Err(self.error(format!("`{}` takes {} operands", self.instruction.opcode, sources + 1)));
        }
        self.uniform(handler, ty)
    }

    /// Reads a special register.
    pub(crate) fn special(&self, name: &str, result: Slot, bits: u8) -> Decoded {
        let found = Special::parse(name);
        let register =
            found.ok_or_else(|| self.error(format!("the register `{name}` isn't declared or known")))?;
        if !matches!(bits, 16 | 32 | 64) {
            return Err(self.unknown());
        }
        Ok(Action::Ask(Question::Special { register, result, bits }))
    }

    /// The address of a place in the frame: in local space, or in the generic one.
    fn frame_address(&self, d: Slot, offset: i64, bits: u8, local: bool) -> Decoded {
        let x = u32::try_from(offset).map_err(|_| self.error("an address in front of its variable"))?;
        let handler: Handler = match (bits, local) {
            (64, true) => handler!(|lanes, o, mask| {
                let address = lanes.frame_start() + u64::from(o.x);
                u64::write(lanes, o.d, mask, &[address; 32]);
            }),
            (64, false) => handler!(|lanes, o, mask| {
                let address = LOCAL_WINDOW + lanes.frame_start() + u64::from(o.x);
                u64::write(lanes, o.d, mask, &[address; 32]);
            }),
            (32, true) => handler!(|lanes, o, mask| {
                let address = lanes.frame_start() as u32 + o.x;
                u32::write(lanes, o.d, mask, &[address; 32]);
            }),
            _ => return Err(self.unknown()),
        };
        Ok(Action::Compute(handler, Operands { d, x, ..Operands::default() }))
    }
}
