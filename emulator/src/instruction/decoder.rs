//! Names to rows, and opcodes to families.

use std::collections::HashMap;

use super::directed::{self, Rounding};
use super::operation::{Access, Action, AddressBase, Level, Memory, Operands, Predicate};
use super::{Guard, Handler, Op, Slot};
use super::{
    arithmetic, async_copy, async_store, atomic, bits, bulk_copy, carry, compare, control, convert, fence,
    float, half_float, matrix, mbarrier, memory, modifiers, moves, packed, texture, video, video_vector,
    warp,
};
use crate::left_out;
use crate::parse::ParseError;
use crate::parse::syntax::{Body, Function, Instruction, Number, Operand, Space, Type, Variable};

/// Where a name of the module leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A variable of the module, by number.
    Variable(u32),
    Function(u32),
    /// An offset in the parameters of the launch.
    Parameter(u32),
}

/// A constant: a number, or an address plus a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Reference {
    pub(crate) symbol: Option<Symbol>,
    pub(crate) addend: u64,
}

/// The constants of a module.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) narrow: Vec<Reference>,
    pub(crate) wide: Vec<Reference>,
    known: HashMap<(bool, Reference), u32>,
}

impl Pool {
    fn add(&mut self, wide: bool, constant: Reference) -> Slot {
        let values = if wide { &mut self.wide } else { &mut self.narrow };
        let index = *self.known.entry((wide, constant)).or_insert_with(|| {
            values.push(constant);
            (values.len() - 1) as u32
        });
        Slot::constant(index)
    }
}

/// The names that all functions see.
#[derive(Debug, Default)]
pub(crate) struct Names<'s> {
    pub(crate) variables: HashMap<&'s str, (u32, Space)>,
    pub(crate) functions: HashMap<&'s str, u32>,
    /// What each function takes and gives.
    pub(crate) shapes: Vec<FunctionShape>,
}

#[derive(Debug, Clone)]
pub(crate) struct FunctionShape {
    pub(crate) is_defined: bool,
    /// Bytes of each parameter.
    pub(crate) parameters: Vec<u32>,
    pub(crate) results: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ParameterSlot {
    pub(crate) offset: u32,
    pub(crate) bytes: u32,
    pub(crate) alignment: u32,
}

/// A decoded function.
#[derive(Debug)]
pub(crate) struct FunctionCode {
    pub(crate) name: String,
    pub(crate) is_entry: bool,
    pub(crate) ops: Vec<Op>,
    /// Where in `ops` each instruction begins, and behind the last one.
    pub(crate) starts: Vec<u32>,
    pub(crate) narrow_rows: u32,
    pub(crate) wide_rows: u32,
    pub(crate) predicates: u32,
    /// Registers as declared: of 1, 16, 32 and 64 bits.
    pub(crate) declared: [u32; 4],
    /// Bytes of local memory, with those of calls.
    pub(crate) frame_bytes: u32,
    /// Bytes of `.local` variables only.
    pub(crate) local_bytes: u32,
    /// Parameters: an entry's are in the launch's parameters, a function's in its frame.
    pub(crate) parameters: Vec<ParameterSlot>,
    pub(crate) results: Vec<ParameterSlot>,
    /// Variables of the module and functions that it names.
    pub(crate) uses: Vec<Symbol>,
    /// Bytes of the smallest access to shared and to global memory, 4 at most.
    pub(crate) finest_shared: u32,
    pub(crate) finest_global: u32,
    pub(crate) is_defined: bool,
}

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
    /// # Errors
    /// Where an instruction or an operand isn't understood.
    pub(crate) fn decode(
        function: &'d Function<'s>,
        body: &'d Body<'s>,
        names: &'d Names<'s>,
        pool: &'d mut Pool,
        caches: &'d mut u32,
        scoped: &HashMap<(&'s str, u32), u32>,
    ) -> Result<FunctionCode, ParseError> {
        let Some(first) = body.instructions.first() else {
            return Err(ParseError::new(function.line, format!("`{}` has no instructions", function.name)));
        };
        let code = FunctionCode {
            name: function.name.to_owned(),
            is_entry: function.is_entry,
            ops: Vec::with_capacity(body.instructions.len() + 1),
            starts: Vec::new(),
            narrow_rows: 0,
            wide_rows: 0,
            predicates: 0,
            declared: [0; 4],
            frame_bytes: 0,
            local_bytes: 0,
            parameters: Vec::new(),
            results: Vec::new(),
            uses: Vec::new(),
            finest_shared: 4,
            finest_global: 4,
            is_defined: true,
        };
        let mut decoder = Decoder {
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
        decoder.run()?;
        Ok(decoder.code)
    }

    fn declare(
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

    fn run(&mut self) -> Result<(), ParseError> {
        for instruction in &self.body.instructions {
            self.instruction = instruction;
            self.code.starts.push(self.code.ops.len() as u32);
            let mut parts = instruction.opcode.split('.');
            self.parts = parts.by_ref().collect();
            modifiers::arrange(&mut self.parts);
            let action = self.family()?;
            self.push(action)?;
        }
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
        Ok(())
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

    fn family(&mut self) -> Decoded {
        match self.parts[0] {
            "mov" | "cvta" | "isspacep" => moves::decode(self),
            "add" | "sub" | "mul" | "mad" | "mul24" | "mad24" | "sad" | "div" | "rem" | "abs" | "neg"
            | "min" | "max" | "fma" => {
                if self.parts.contains(&"cc") {
                    return carry::decode(self);
                }
                match self.value_type()? {
                    Type::Float(32 | 64) => float::decode(self),
                    Type::Float(_) | Type::BFloat | Type::HalfPair | Type::BFloatPair => {
                        half_float::decode(self)
                    }
                    Type::UnsignedPair | Type::SignedPair => packed::decode(self),
                    _ => arithmetic::decode(self),
                }
            }
            "addc" | "subc" | "madc" => carry::decode(self),
            "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "shf" | "lop3" | "bfe" | "bfi"
            | "brev" | "clz" | "popc" | "bfind" | "fns" | "prmt" | "bmsk" | "szext" | "dp4a" | "dp2a" => {
                bits::decode(self)
            }
            "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" | "vset" => {
                video::decode(self)
            }
            "vadd2" | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vadd4" | "vsub4"
            | "vavrg4" | "vabsdiff4" | "vmin4" | "vmax4" | "vset4" => video_vector::decode(self),
            "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "copysign" | "testp" => float::decode(self),
            "ex2" | "tanh" => match self.value_type()? {
                Type::Float(32) => float::decode(self),
                _ => half_float::decode(self),
            },
            "set" | "setp" | "selp" | "slct" => compare::decode(self),
            "mma" | "wmma" | "wgmma" | "ldmatrix" | "stmatrix" | "movmatrix" => matrix::decode(self),
            "cvt" => convert::decode(self),
            "st" if self.parts.get(1) == Some(&"async") => async_store::decode(self),
            "ld" | "ldu" | "st" | "prefetch" | "prefetchu" | "discard" | "applypriority" => {
                memory::decode(self)
            }
            "createpolicy" => memory::policy(self),
            "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" | "istypep" => texture::decode(self),
            "red" if self.parts.get(1) == Some(&"async") => async_store::decode(self),
            "atom" | "red" => atomic::decode(self),
            "mapa" | "getctarank" => moves::decode(self),
            "cp" if self.parts.contains(&"bulk") => bulk_copy::decode(self),
            "tensormap" => bulk_copy::decode(self),
            "cp" => async_copy::decode(self),
            "mbarrier" => mbarrier::decode(self),
            "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" | "nanosleep" | "pmevent"
            | "griddepcontrol" | "setmaxnreg" | "bar" | "barrier" => control::decode(self),
            "fence" | "membar" => fence::decode(self),
            "shfl" | "vote" | "match" | "redux" | "elect" | "activemask" => warp::decode(self),
            _ => Err(self.unknown()),
        }
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
                    let action = moves::special(self, name, slot, bits)?;
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
                let action = moves::frame_address(self, slot, i64::from(start) + offset, bits, local)?;
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
}
