//! Loads, stores, and hints about caches.

use super::access::{Access, AddressBase, Level, Memory};
use super::decoder::{Decoded, Decoder, Place};
use super::operation::Action;
use crate::machine::{Operands, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Base, Operand, Space, Type};

/// What stands in an opcode about where and how memory is accessed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub(super) memory: Memory,
    /// `.param`: which memory that is depends on the name.
    pub(super) parameter: bool,
    pub(super) strong: bool,
    pub(super) release: Level,
    scope: Level,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            memory: Memory::Generic,
            parameter: false,
            strong: false,
            release: Level::None,
            scope: Level::Device,
        }
    }
}

impl Manner {
    /// Takes one part of an opcode, or says that it means something else.
    pub(super) fn accept(&mut self, part: &str) -> bool {
        match part {
            "global" => self.memory = Memory::Global,
            "const" => self.memory = Memory::Const,
            "shared" | "shared::cta" | "shared::cluster" => self.memory = Memory::Shared,
            "local" => self.memory = Memory::Local,
            "param" | "param::entry" | "param::func" => self.parameter = true,
            "weak" => {}
            "relaxed" | "volatile" | "mmio" | "acquire" => self.strong = true,
            "release" | "acq_rel" => (self.strong, self.release) = (true, Level::Device),
            "cta" => self.scope = Level::Group,
            "cluster" => self.scope = Level::Cluster,
            "gpu" | "sys" => self.scope = Level::Device,
            _ => return false,
        }
        true
    }

    fn level(&self) -> Level {
        self.release.min(self.scope)
    }

    /// A plain access to a memory.
    pub(super) fn of(memory: Memory) -> Self {
        Self { memory, ..Self::default() }
    }

    /// The access of an atomic that says nothing about it.
    pub(super) fn atomic() -> Self {
        Self { strong: true, ..Self::default() }
    }
}

/// `createpolicy`: what a cache is told has no effect here, so the policy is a number that stands for none.
pub(super) fn policy(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let parts = decoder.parts.clone();
    let priorities = match parts.as_slice() {
        ["createpolicy", "fractional" | "range", rest @ .., "b64"] => {
            rest.strip_prefix(&["global"]).unwrap_or(rest)
        }
        ["createpolicy", "cvt", "L2", "b64"] => &["L2::cvt"],
        _ => return Err(decoder.unknown()),
    };
    let is_known = |part: &&str| part.starts_with("L2::");
    if !(1..=2).contains(&priorities.len()) || !priorities.iter().all(is_known) {
        return Err(decoder.unknown());
    }
    let [d, ..] = decoder.operands() else { return Err(decoder.unknown()) };
    let d = decoder.destination(d, 64)?;
    let a = decoder.constant(64, 0);
    Ok(Action::Compute(super::handler::map1!(u64 => u64, |a| a), Operands { d, a, ..Operands::default() }))
}

pub(super) fn is_hint(part: &str) -> bool {
    matches!(part, "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "nc" | "unified")
        || part.starts_with("L1::")
        || part.starts_with("L2::")
}

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let name = decoder.parts[0];
    if matches!(name, "prefetch" | "prefetchu" | "discard" | "applypriority") {
        return Ok(Action::Nothing);
    }
    let ty = decoder.value_type()?;
    let mut manner = Manner::default();
    let mut count = 1;
    for part in decoder.modifiers(1)? {
        match *part {
            "v2" => count = 2,
            "v4" => count = 4,
            "v8" => count = 8,
            part if manner.accept(part) || is_hint(part) => {}
            _ => return Err(decoder.unknown()),
        }
    }
    if !matches!(ty.bits(), 8 | 16 | 32 | 64 | 128) || !matches!(name, "ld" | "ldu" | "st") {
        return Err(decoder.unknown());
    }
    let is_store = name == "st";
    // A policy of caching may follow.
    let (address, value) = match decoder.operands() {
        [address, value] | [address, value, _] if is_store => (address, value),
        [value, address] | [value, address, _] => (address, value),
        _ => return Err(decoder.unknown()),
    };
    let single = std::slice::from_ref(value);
    let operands = match value {
        Operand::Vector(values) => values.as_slice(),
        _ => single,
    };
    if operands.len() != count {
        return Err(decoder.error(format!("{} values where the opcode says {count}", operands.len())));
    }
    let mut values = Vec::with_capacity(count);
    for operand in operands {
        values.push(if is_store {
            decoder.wide_source(operand, ty)?
        } else {
            decoder.wide_destination(operand, ty.bits())?
        });
    }
    // Bits of a register of 128 are two elements.
    let element = if ty.bits() == 128 { Type::Bits(64) } else { ty };
    let mut access = access(decoder, &manner, address, element)?;
    if ty.bits() == 128 {
        values = values.iter().flat_map(|&(slot, _)| [(slot, 64), (Slot(slot.0 + 1), 64)]).collect();
    }
    access.values = values;
    Ok(if is_store { Action::Store(Box::new(access)) } else { Action::Load(Box::new(access)) })
}

/// The access to an address, without its values.
pub(super) fn access<'s>(
    decoder: &mut Decoder<'_, 's>,
    manner: &Manner,
    operand: &Operand<'s>,
    ty: Type,
) -> Result<Access, ParseError> {
    let (base, offset) = match operand {
        Operand::Address(base, offset) => (*base, *offset),
        // `name[2]` is an address too.
        Operand::Offset(name, offset) => (Base::Name(name), *offset),
        _ => return Err(decoder.error("an address without brackets")),
    };
    let mut memory = manner.memory;
    let mut offset = offset;
    let base = match base {
        Base::Absolute => AddressBase::Wide(decoder.constant(64, 0)),
        Base::Name(name) => match decoder.known_place(name)? {
            Place::Register { bits: 64, index } => AddressBase::Wide(Slot(index)),
            Place::Register { bits: 32, index } if matches!(memory, Memory::Shared | Memory::Local) => {
                AddressBase::Narrow(Slot(index))
            }
            Place::Register { .. } => {
                return Err(decoder.error(format!("`{name}` is too narrow for an address")));
            }
            Place::Frame(start, is_local) => {
                let fits = if is_local { memory == Memory::Local } else { manner.parameter };
                if !fits {
                    return Err(decoder.error(format!("`{name}` isn't in this memory")));
                }
                memory = Memory::Local;
                offset += i64::from(start);
                if is_local { AddressBase::Frame } else { AddressBase::Argument }
            }
            Place::Symbol(symbol, space) => {
                let fits = match space {
                    Space::Parameter => manner.parameter,
                    Space::Global => memory == Memory::Global,
                    Space::Const => memory == Memory::Const,
                    Space::Shared => memory == Memory::Shared,
                    _ => false,
                };
                if !fits {
                    return Err(decoder.error(format!("`{name}` isn't in this memory")));
                }
                AddressBase::Wide(decoder.address(64, symbol, 0))
            }
        },
    };
    let size = ty.bytes();
    if matches!(memory, Memory::Shared | Memory::Generic) {
        decoder.code.finest_shared = decoder.code.finest_shared.min(size);
    }
    if matches!(memory, Memory::Global | Memory::Generic) {
        decoder.code.finest_global = decoder.code.finest_global.min(size);
    }
    let cache = *decoder.caches;
    *decoder.caches += 1;
    Ok(Access {
        memory,
        base,
        offset,
        size,
        signed: ty.is_signed(),
        values: Vec::new(),
        strong: manner.strong,
        release: manner.level(),
        scope: manner.scope,
        cache,
    })
}
