//! What a function declares: parameters, results, registers and variables of its own.

use std::collections::HashMap;

use super::{Decoder, Place, Register};
use crate::instruction::access::{Access, AddressBase, Level, Memory};
use crate::instruction::code::{ParameterSlot, Symbol};
use crate::instruction::operation::{Action, Op};
use crate::machine::Slot;
use crate::parse::ParseError;
use crate::parse::syntax::{Function, Instruction, Space, Type, Variable};

impl<'s> Decoder<'_, 's> {
    pub(super) fn declare(
        &mut self,
        function: &Function<'s>,
        scoped: &HashMap<(&'s str, u32), u32>,
    ) -> Result<(), ParseError> {
        let mut end = 0_u32;
        let mut register_parameters = Vec::new();
        for parameter in &function.parameters {
            let bytes = u32::try_from(parameter.bytes).unwrap_or(u32::MAX);
            if function.is_entry {
                let offset = end.next_multiple_of(parameter.alignment);
                if bytes > 1 << 16 || offset > 1 << 16 {
                    return Err(ParseError::new(parameter.line, "parameters of more than 64 KiB"));
                }
                end = offset + bytes;
                let place = Place::Symbol(Symbol::Parameter(offset), Space::Parameter);
                self.places.insert((parameter.name, 0), place);
                let slot = ParameterSlot { offset, bytes, alignment: parameter.alignment };
                self.code.parameters.push(slot);
            } else {
                let slot = self.frame_slot(parameter)?;
                if parameter.space == Space::Register {
                    self.declare_registers(parameter)?;
                    // No call passes a predicate.
                    if parameter.element != Type::Predicate {
                        register_parameters.push((parameter.name, slot));
                    }
                } else {
                    self.places.insert((parameter.name, 0), Place::Frame(slot.offset, false));
                }
                self.code.parameters.push(slot);
            }
        }
        for result in &function.results {
            let slot = self.frame_slot(result)?;
            if result.space == Space::Register {
                self.declare_registers(result)?;
                if result.element == Type::Predicate {
                    return Err(ParseError::new(result.line, "a predicate can't be a result"));
                }
                self.register_results.push((result.name, slot));
            } else {
                self.places.insert((result.name, 0), Place::Frame(slot.offset, false));
            }
            self.code.results.push(slot);
        }
        for variable in &self.body.variables {
            let key = (variable.name, variable.scope);
            match variable.space {
                Space::Register => self.declare_registers(variable)?,
                Space::Local => {
                    let slot = self.frame_slot(variable)?;
                    self.code.local_bytes = self.code.local_bytes.saturating_add(slot.bytes);
                    self.places.insert(key, Place::Frame(slot.offset, true));
                }
                Space::Parameter => {
                    let slot = self.frame_slot(variable)?;
                    self.places.insert(key, Place::Frame(slot.offset, false));
                }
                Space::Global | Space::Const | Space::Shared => {
                    if let Some(&number) = scoped.get(&key) {
                        let place = Place::Symbol(Symbol::Variable(number), variable.space);
                        self.places.insert(key, place);
                    }
                }
            }
        }
        for (name, slot) in register_parameters {
            let access = self.register_access(name, slot)?;
            let Instruction { line, location, .. } = *self.instruction;
            // In front of the first label: who goes back there finds what became of the parameters.
            self.code.ops.push(Op { action: Action::Load(Box::new(access)), guard: None, line, location });
        }
        for label in &self.body.labels {
            if self.labels.insert((label.name, label.scope), label.at).is_some() {
                return Err(ParseError::new(
                    label.line,
                    format!("the label `{}` is there twice", label.name),
                ));
            }
        }
        Ok(())
    }

    fn frame_slot(&mut self, variable: &Variable<'s>) -> Result<ParameterSlot, ParseError> {
        let room = self.frame_room(variable.bytes, variable.alignment);
        room.ok_or_else(|| {
            ParseError::new(variable.line, format!("`{}`: a frame of more than 16 MiB", variable.name))
        })
    }

    /// Room in the frame, if there is as much.
    pub(crate) fn frame_room(&mut self, bytes: u64, alignment: u32) -> Option<ParameterSlot> {
        const MOST: u64 = 1 << 24;
        let offset = u64::from(self.code.frame_bytes).next_multiple_of(u64::from(alignment));
        let end = offset.saturating_add(bytes);
        if end > MOST {
            return None;
        }
        self.code.frame_bytes = end as u32;
        self.frame.insert(offset as u32, bytes as u32);
        Some(ParameterSlot { offset: offset as u32, bytes: bytes as u32, alignment })
    }

    /// The access to a register's value in the frame.
    fn register_access(&mut self, name: &str, slot: ParameterSlot) -> Result<Access, ParseError> {
        match self.known_place(name)? {
            Place::Register { bits: 1, .. } => {
                Err(self.error(format!("`{name}`: a predicate can't be a parameter")))
            }
            Place::Register { bits, index } => Ok(self.frame_access(slot, Slot(index), bits)),
            _ => Err(self.unknown()),
        }
    }

    /// The access to a value of so many bits in the frame.
    pub(crate) fn frame_access(&mut self, slot: ParameterSlot, value: Slot, bits: u8) -> Access {
        let values = match bits {
            128 => vec![(value, 64), (Slot(value.0 + 1), 64)],
            bits => vec![(value, bits.max(16))],
        };
        let cache = *self.caches;
        *self.caches += 1;
        Access {
            memory: Memory::Local,
            base: AddressBase::Argument,
            offset: slot.offset.into(),
            size: (slot.bytes / values.len() as u32).clamp(1, 8),
            signed: false,
            values,
            strong: false,
            release: Level::None,
            scope: Level::Device,
            cache,
        }
    }

    /// Leaves the results that are in registers in the frame, in front of a return.
    pub(crate) fn leave_results(&mut self) -> Result<Vec<Action>, ParseError> {
        let results = self.register_results.clone();
        results
            .into_iter()
            .map(|(name, slot)| Ok(Action::Store(Box::new(self.register_access(name, slot)?))))
            .collect()
    }

    /// Bytes of the variable at an offset of the frame.
    pub(crate) fn frame_bytes(&self, offset: u32) -> u32 {
        self.frame.get(&offset).copied().unwrap_or(0)
    }

    fn declare_registers(&mut self, variable: &Variable<'s>) -> Result<(), ParseError> {
        const MOST: u32 = 1 << 20;
        let bits = variable.element.bits();
        let vector = variable.vector;
        let elements = if bits == 128 { 2 } else { 1 };
        let count = variable.family.unwrap_or(1).saturating_mul(u32::from(vector) * elements);
        let class = match bits {
            1 => 0,
            8 | 16 => 1,
            32 => 2,
            _ => 3,
        };
        let rows = match bits {
            1 => &mut self.code.predicates,
            64 | 128 => &mut self.code.wide_rows,
            _ => &mut self.code.narrow_rows,
        };
        let first = *rows;
        *rows = rows.saturating_add(count);
        if *rows > MOST {
            return Err(ParseError::new(variable.line, "too many registers"));
        }
        self.code.declared[class] = self.code.declared[class].saturating_add(count);
        let (count, scope) = (variable.family, variable.scope);
        let register = Register { bits, first, count, scope, vector };
        self.registers.entry(variable.name).or_default().push(register);
        Ok(())
    }
}
