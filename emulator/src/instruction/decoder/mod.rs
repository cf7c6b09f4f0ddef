//! What the families decode with: names to rows and places, and an instruction's parts.

mod declare;
mod operands;

use std::collections::HashMap;

use super::code::{FunctionCode, Names, ParameterSlot, Pool, Reference, Symbol};
use super::operation::{Action, Guard, Op};
use crate::left_out;
use crate::machine::{Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Body, Function, Instruction, Operand, Space, Type, Variable};

#[derive(Debug, Clone, Copy)]
struct Register {
    bits: u8,
    first: u32,
    count: Option<u32>,
    scope: u32,
    /// Elements of a vector.
    vector: u8,
}

impl Register {
    /// Rows of an element.
    fn rows(self) -> u32 {
        if self.bits == 128 { 2 } else { 1 }
    }

    fn place(self, number: u32, element: u8) -> Place {
        Place::Register { bits: self.bits, index: self.row(number, element) }
    }

    /// The row of an element of a register of a family.
    fn row(self, number: u32, element: u8) -> u32 {
        self.first + (number * u32::from(self.vector) + u32::from(element)) * self.rows()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Register {
        bits: u8,
        index: u32,
    },
    /// An offset in the frame; true for `.local`, false for `.param`.
    Frame(u32, bool),
    Symbol(Symbol, Space),
}

/// Decodes one function.
#[derive(Debug)]
pub(crate) struct Decoder<'d, 's> {
    pub(crate) names: &'d Names<'s>,
    pub(crate) pool: &'d mut Pool,
    /// Numbers of memory operations, counted over the module.
    pub(crate) caches: &'d mut u32,
    pub(crate) body: &'d Body<'s>,
    registers: HashMap<&'s str, Vec<Register>>,
    places: HashMap<(&'s str, u32), Place>,
    /// Bytes of the frame's variables, by their offsets.
    frame: HashMap<u32, u32>,
    labels: HashMap<(&'s str, u32), u32>,
    pub(crate) code: FunctionCode,
    instruction: &'d Instruction<'s>,
    /// The opcode's parts.
    pub(crate) parts: Vec<&'s str>,
    /// The row of the carry flag.
    carry: Option<u32>,
    /// Results in registers, which a return leaves in the frame.
    register_results: Vec<(&'s str, ParameterSlot)>,
}

pub(crate) type Decoded = Result<Action, ParseError>;

impl<'d, 's> Decoder<'d, 's> {
    /// A decoder that stands in front of the function's first instruction, and knows what the function declares.
    ///
    /// # Errors
    /// Where there is no instruction, or a declaration isn't understood.
    pub(super) fn new(
        function: &'d Function<'s>,
        body: &'d Body<'s>,
        names: &'d Names<'s>,
        pool: &'d mut Pool,
        caches: &'d mut u32,
        scoped: &HashMap<(&'s str, u32), u32>,
    ) -> Result<Self, ParseError> {
        let Some(first) = body.instructions.first() else {
            return Err(ParseError::new(function.line, format!("`{}` has no instructions", function.name)));
        };
        let mut code = FunctionCode::new(function.name, function.is_entry, true);
        code.ops.reserve(body.instructions.len() + 1);
        let mut decoder = Self {
            names,
            pool,
            caches,
            body,
            registers: HashMap::new(),
            places: HashMap::new(),
            frame: HashMap::new(),
            labels: HashMap::new(),
            code,
            instruction: first,
            parts: Vec::new(),
            carry: None,
            register_results: Vec::new(),
        };
        decoder.declare(function, scoped)?;
        Ok(decoder)
    }

    /// Goes on with an instruction.
    pub(super) fn begin(&mut self, instruction: &'d Instruction<'s>) {
        self.instruction = instruction;
        self.code.starts.push(self.code.ops.len() as u32);
        self.parts = instruction.opcode.split('.').collect();
    }

    /// The code, once all instructions are decoded.
    pub(super) fn end(mut self) -> Result<FunctionCode, ParseError> {
        // Running off the end is a return.
        self.code.starts.push(self.code.ops.len() as u32);
        let (line, location) = (self.instruction.line, self.instruction.location);
        for action in self.leave_results()?.into_iter().chain([Action::Return]) {
            self.code.ops.push(Op { action, guard: None, line, location });
        }
        let starts = &self.code.starts;
        for op in &mut self.code.ops {
            match &mut op.action {
                Action::Branch(target) => *target = starts[*target as usize],
                Action::BranchIndexed(targets, _) => {
                    targets.iter_mut().for_each(|target| *target = starts[*target as usize]);
                }
                _ => {}
            }
        }
        Ok(self.code)
    }

    /// Adds an operation of the current instruction.
    pub(crate) fn push(&mut self, action: Action) -> Result<(), ParseError> {
        let guard: Guard = match self.instruction.guard {
            None => None,
            Some((name, negated)) => {
                let predicate = self.predicate_register(name)?;
                Some(if negated { predicate.negated() } else { predicate })
            }
        };
        let Instruction { line, location, .. } = *self.instruction;
        self.code.ops.push(Op { action, guard, line, location });
        Ok(())
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.instruction.line, message)
    }

    /// The error that the instruction is of no known form.
    pub(crate) fn unknown(&self) -> ParseError {
        let opcode = self.instruction.opcode;
        self.error(match left_out::reason(opcode) {
            Some(why) => format!("the instruction `{opcode}` isn't supported: {why}"),
            None => format!("the instruction `{opcode}` isn't understood"),
        })
    }

    pub(crate) fn known<T>(&self, value: Option<T>) -> Result<T, ParseError> {
        value.ok_or_else(|| self.unknown())
    }

    /// The type that the last part of the opcode names.
    pub(crate) fn value_type(&self) -> Result<Type, ParseError> {
        let last = self.parts.last().and_then(|part| Type::parse(part));
        self.known(last)
    }

    /// Opcode parts between the first and the last `types` ones.
    pub(crate) fn modifiers(&self, types: usize) -> Result<&[&'s str], ParseError> {
        self.known(self.parts.get(1..self.parts.len().saturating_sub(types)))
    }

    pub(crate) fn operands(&self) -> &'d [Operand<'s>] {
        &self.instruction.operands
    }

    /// The operands, which are as many as said.
    pub(crate) fn exactly<const N: usize>(&self) -> Result<&'d [Operand<'s>; N], ParseError> {
        let operands = &self.instruction.operands;
        operands.as_slice().try_into().map_err(|_| {
            self.error(format!("`{}` takes {N} operands, not {}", self.instruction.opcode, operands.len()))
        })
    }

    /// The current scope and those around it.
    fn scopes(&self) -> impl Iterator<Item = u32> + use<'d, 's> {
        let parents: &'d [u32] = &self.body.parents;
        let inner = self.instruction.scope;
        std::iter::successors(Some(inner), move |&scope| (scope != 0).then(|| parents[scope as usize]))
    }

    pub(crate) fn place(&self, name: &str) -> Option<Place> {
        self.register(name)
            .map(|(register, number)| register.place(number, 0))
            .or_else(|| self.variable(name))
    }

    /// The row of an element of a vector register, and its width.
    fn member(&self, name: &str, element: u8) -> Result<(u8, u32), ParseError> {
        match self.register(name) {
            Some((register, number)) if element < register.vector => {
                Ok((register.bits, register.row(number, element)))
            }
            _ => Err(self.error(format!("`{name}` isn't a vector of registers"))),
        }
    }

    /// The register of a name, and its number in a family.
    fn register(&self, name: &str) -> Option<(Register, u32)> {
        let register = |family: &str, number: Option<u32>| {
            let known = self.registers.get(family)?;
            self.scopes().find_map(|scope| {
                known.iter().rev().find(|register| {
                    register.scope == scope
                        && match (register.count, number) {
                            (None, None) => true,
                            (Some(count), Some(number)) => number < count,
                            _ => false,
                        }
                })
            })
        };
        if let Some(found) = register(name, None) {
            return Some((*found, 0));
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        if let Ok(number) = name[stem.len()..].parse::<u32>()
            && let Some(found) = register(stem, Some(number))
        {
            return Some((*found, number));
        }
        None
    }

    fn variable(&self, name: &str) -> Option<Place> {
        if let Some(place) = self.scopes().find_map(|scope| self.places.get(&(name, scope))) {
            return Some(*place);
        }
        if let Some(&(number, space)) = self.names.variables.get(name) {
            return Some(Place::Symbol(Symbol::Variable(number), space));
        }
        let function = *self.names.functions.get(name)?;
        Some(Place::Symbol(Symbol::Function(function), Space::Register))
    }

    pub(crate) fn known_place(&self, name: &str) -> Result<Place, ParseError> {
        self.place(name).ok_or_else(|| self.error(format!("`{name}` isn't declared")))
    }

    pub(crate) fn label(&self, name: &str) -> Result<u32, ParseError> {
        let found = self.scopes().find_map(|scope| self.labels.get(&(name, scope)));
        found.copied().ok_or_else(|| self.error(format!("there is no label `{name}`")))
    }

    pub(crate) fn label_list(&self, name: &str) -> Result<Vec<u32>, ParseError> {
        let list = self.body.targets.iter().find(|targets| targets.name == name);
        let list = list.ok_or_else(|| self.error(format!("there is no list of labels `{name}`")))?;
        list.labels.iter().map(|label| self.label(label)).collect()
    }

    /// The bytes of the parameters and results of a `.callprototype`, or of the functions of `.calltargets`.
    pub(crate) fn prototype(&self, name: Option<&str>) -> Result<(Vec<u32>, Vec<u32>), ParseError> {
        let sizes =
            |variables: &[Variable<'_>]| variables.iter().map(|variable| variable.bytes as u32).collect();
        let name = name.unwrap_or_default();
        if let Some(known) = self.body.prototypes.iter().find(|known| known.name == name) {
            return Ok((sizes(&known.parameters), sizes(&known.results)));
        }
        let callees = self.body.callees.iter().find(|known| known.name == name);
        let function = callees.and_then(|known| self.names.functions.get(known.labels.first()?));
        let shape = function.and_then(|&number| self.names.shapes.get(number as usize));
        let shape = shape.ok_or_else(|| self.error("a call of an address without a known prototype"))?;
        Ok((shape.parameters.clone(), shape.results.clone()))
    }

    pub(crate) fn use_symbol(&mut self, symbol: Symbol) {
        if !self.code.uses.contains(&symbol) {
            self.code.uses.push(symbol);
        }
    }

    pub(crate) fn constant(&mut self, bits: u8, value: u64) -> Slot {
        let value = match bits {
            64 => value,
            32 => value & 0xffff_ffff,
            _ => value & 0xffff,
        };
        self.pool.add(bits == 64, Reference { symbol: None, addend: value })
    }

    pub(crate) fn address(&mut self, bits: u8, symbol: Symbol, addend: i64) -> Slot {
        self.use_symbol(symbol);
        self.pool.add(bits == 64, Reference { symbol: Some(symbol), addend: addend as u64 })
    }

    pub(crate) fn temporary(&mut self, bits: u8) -> Slot {
        let rows = if bits >= 64 { &mut self.code.wide_rows } else { &mut self.code.narrow_rows };
        let first = *rows;
        *rows += if bits == 128 { 2 } else { 1 };
        Slot(first)
    }

    pub(crate) fn temporary_predicate(&mut self) -> Predicate {
        self.code.predicates += 1;
        Predicate(self.code.predicates - 1)
    }

    pub(crate) fn carry_flag(&mut self) -> Predicate {
        let row = match self.carry {
            Some(row) => row,
            None => self.temporary_predicate().0,
        };
        self.carry = Some(row);
        Predicate(row)
    }
}
