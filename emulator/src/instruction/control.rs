//! Branches, calls, barriers and fences.

use super::access::Access;
use super::code::Symbol;
use super::decoder::{Decoded, Decoder, Place};
use super::operation::{Action, Barrier, BarrierKind, CallSite, Callee, ClusterBarrier, Warp, WarpKind};
use crate::machine::{Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let parts = decoder.parts.clone();
    match parts.as_slice() {
        ["bra"] | ["bra", "uni"] => {
            let [Operand::Name(label)] = decoder.exactly()? else { return Err(decoder.unknown()) };
            Ok(Action::Branch(decoder.label(label)?))
        }
        ["brx", "idx"] | ["brx", "idx", "uni"] => {
            let [index, Operand::Name(list)] = decoder.exactly()? else { return Err(decoder.unknown()) };
            let targets = decoder.label_list(list)?;
            let index = decoder.source(index, Type::Unsigned(32))?;
            Ok(Action::BranchIndexed(targets.into(), index))
        }
        ["call"] | ["call", "uni"] => call(decoder),
        ["ret"] | ["ret", "uni"] => {
            for action in decoder.leave_results()? {
                decoder.push(action)?;
            }
            Ok(Action::Return)
        }
        ["exit"] => Ok(Action::Exit),
        ["trap"] => Ok(Action::Trap),
        ["brkpt"] => Ok(Action::Breakpoint),
        ["nanosleep", "u32"] | ["pmevent"] | ["pmevent", "mask"] => Ok(Action::Nothing),
        // A thread has the registers that it needs.
        ["setmaxnreg", "inc" | "dec", "sync", "aligned", "u32"] => Ok(Action::Nothing),
        // Launches run one after another.
        ["griddepcontrol", "launch_dependents" | "wait"] => {
            let [] = decoder.exactly()?;
            Ok(Action::Nothing)
        }
        ["bar", "warp", "sync"] => {
            let [members] = decoder.exactly()?;
            let members = Some(decoder.source(members, Type::Bits(32))?);
            Ok(Action::Warp(Box::new(Warp {
                kind: WarpKind::Barrier,
                members,
                d: Slot::default(),
                p: None,
                a: Slot::default(),
                b: Slot::default(),
                c: Slot::default(),
                source: Predicate::FALSE,
                matrix: None,
            })))
        }
        ["barrier", "cluster", "arrive", rest @ ..] => {
            let is_relaxed = rest.contains(&"relaxed");
            cluster_barrier(decoder, ClusterBarrier::Arrive { is_relaxed }, rest, &["release", "relaxed"])
        }
        ["barrier", "cluster", "wait", rest @ ..] => {
            cluster_barrier(decoder, ClusterBarrier::Wait, rest, &["acquire"])
        }
        ["bar", "cta", rest @ ..] | ["bar", rest @ ..] => barrier(decoder, rest, true),
        ["barrier", "cta", rest @ ..] | ["barrier", rest @ ..] => barrier(decoder, rest, false),
        _ => Err(decoder.unknown()),
    }
}

fn cluster_barrier(
    decoder: &Decoder<'_, '_>,
    kind: ClusterBarrier,
    parts: &[&str],
    orders: &[&str],
) -> Decoded {
    let [] = decoder.exactly()?;
    let parts = parts.strip_suffix(&["aligned"]).unwrap_or(parts);
    match parts {
        [] => Ok(Action::ClusterBarrier(kind)),
        [order] if orders.contains(order) => Ok(Action::ClusterBarrier(kind)),
        _ => Err(decoder.unknown()),
    }
}

fn barrier(decoder: &mut Decoder<'_, '_>, parts: &[&str], always_aligned: bool) -> Decoded {
    let aligned = always_aligned || parts.contains(&"aligned");
    let parts: Vec<&str> = parts.iter().copied().filter(|part| *part != "aligned").collect();
    let kind = match parts.as_slice() {
        ["sync"] => BarrierKind::Sync,
        ["arrive"] => BarrierKind::Arrive,
        ["red", "popc", "u32"] => BarrierKind::Count,
        ["red", "and", "pred"] => BarrierKind::All,
        ["red", "or", "pred"] => BarrierKind::Any,
        _ => return Err(decoder.unknown()),
    };
    let mut barrier = Barrier {
        kind,
        aligned,
        number: Slot::default(),
        threads: None,
        source: Predicate::FALSE,
        result: Slot::default(),
        result_predicate: Predicate::FALSE,
    };
    let mut operands = decoder.operands();
    if matches!(kind, BarrierKind::Count | BarrierKind::All | BarrierKind::Any) {
        let [d, rest @ .., source] = operands else { return Err(decoder.unknown()) };
        barrier.source = decoder.predicate(source)?;
        match (kind, d) {
            (BarrierKind::Count, d) => barrier.result = decoder.destination(d, 32)?,
            (_, Operand::Name(p)) => barrier.result_predicate = decoder.predicate_register(p)?,
            _ => return Err(decoder.unknown()),
        }
        operands = rest;
    }
    let (number, threads) = match operands {
        [number] if kind != BarrierKind::Arrive => (number, None),
        [number, threads] => (number, Some(threads)),
        _ => return Err(decoder.unknown()),
    };
    barrier.number = decoder.source(number, Type::Unsigned(32))?;
    if let Some(threads) = threads {
        barrier.threads = Some(decoder.source(threads, Type::Unsigned(32))?);
    }
    Ok(Action::Barrier(Box::new(barrier)))
}

fn list<'d, 's>(operand: &'d Operand<'s>) -> &'d [Operand<'s>] {
    match operand {
        Operand::List(items) => items,
        _ => &[],
    }
}

/// Arguments and results of a call: places in the caller's frame, with their sizes, and what goes there before or comes from there
/// behind it.
#[derive(Default)]
struct Passed {
    slots: Vec<(u32, u32)>,
    stores: Vec<Access>,
    loads: Vec<Access>,
}

impl Passed {
    /// A `.param` variable as it is; a register or a constant by a place of the size that the callee has.
    fn add<'s>(
        &mut self,
        decoder: &mut Decoder<'_, 's>,
        item: &Operand<'s>,
        bytes: u32,
        is_result: bool,
    ) -> Result<(), ParseError> {
        if let Operand::Name(name) = item
            && let Some(Place::Frame(offset, false)) = decoder.place(name)
        {
            self.slots.push((offset, decoder.frame_bytes(offset)));
            return Ok(());
        }
        let bits = u8::try_from(bytes.saturating_mul(8)).unwrap_or(0);
        if !matches!(bits, 8 | 16 | 32 | 64 | 128) {
            return Err(decoder.error("a parameter that is passed by a register has no size of one"));
        }
        let slot = decoder.frame_room(bytes.into(), bytes);
        let slot = slot.ok_or_else(|| decoder.error("a frame of more than 16 MiB"))?;
        if is_result {
            if matches!(item, Operand::Name("_")) {
                self.slots.push((slot.offset, bytes));
                return Ok(());
            }
            let (register, has) = decoder.wide_destination(item, bits)?;
            self.loads.push(decoder.frame_access(slot, register, has));
        } else {
            let is_float = matches!(item, Operand::Number(Number::Single(_) | Number::Double(_)));
            let ty = if is_float { Type::Float(bits) } else { Type::Bits(bits) };
            let (value, has) = decoder.wide_source(item, ty)?;
            self.stores.push(decoder.frame_access(slot, value, has));
        }
        self.slots.push((slot.offset, bytes));
        Ok(())
    }
}

fn call(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let operands = decoder.operands();
    let (results, operands) = match operands {
        [results @ Operand::List(_), rest @ ..] => (list(results), rest),
        rest => (&[][..], rest),
    };
    let (name, arguments, prototype) = match operands {
        [Operand::Name(name)] => (*name, &[][..], None),
        [Operand::Name(name), arguments @ Operand::List(_)] => (*name, list(arguments), None),
        [Operand::Name(name), arguments @ Operand::List(_), Operand::Name(prototype)] => {
            (*name, list(arguments), Some(*prototype))
        }
        [Operand::Name(name), Operand::Name(prototype)] => (*name, &[][..], Some(*prototype)),
        _ => return Err(decoder.unknown()),
    };
    let (callee, parameters, shape_results) = called(decoder, name, prototype)?;
    if parameters.len() != arguments.len() || shape_results.len() != results.len() {
        return Err(decoder.error(format!("a call of `{name}` with other parameters than it has")));
    }
    let mut passed = [Passed::default(), Passed::default()];
    for (item, bytes) in arguments.iter().zip(&parameters) {
        passed[0].add(decoder, item, *bytes, false)?;
    }
    for (item, bytes) in results.iter().zip(&shape_results) {
        passed[1].add(decoder, item, *bytes, true)?;
    }
    let [arguments, results] = passed;
    let bytes = |slots: &[(u32, u32)]| -> Vec<u32> { slots.iter().map(|slot| slot.1).collect() };
    if matches!(callee, Callee::Function(_))
        && (parameters != bytes(&arguments.slots) || shape_results != bytes(&results.slots))
    {
        return Err(decoder.error(format!("a call of `{name}` with other parameters than it has")));
    }
    for access in arguments.stores {
        decoder.push(Action::Store(Box::new(access)))?;
    }
    let (arguments, slots) = (arguments.slots, results.slots);
    decoder.push(Action::Call(Box::new(CallSite { callee, arguments, results: slots })))?;
    for access in results.loads {
        decoder.push(Action::Load(Box::new(access)))?;
    }
    Ok(Action::Nothing)
}

/// What is called, and the bytes of its parameters and results.
fn called(
    decoder: &mut Decoder<'_, '_>,
    name: &str,
    prototype: Option<&str>,
) -> Result<(Callee, Vec<u32>, Vec<u32>), ParseError> {
    match decoder.known_place(name)? {
        Place::Register { bits: 64, index } => {
            let (parameters, results) = decoder.prototype(prototype)?;
            Ok((Callee::Indirect(Slot(index)), parameters, results))
        }
        Place::Symbol(Symbol::Function(number), _) => {
            let shape = decoder.names.shapes[number as usize].clone();
            let provided = match (name, shape.parameters.len(), shape.results.len()) {
                _ if shape.is_defined => None,
                ("vprintf", 2, _) => Some(Callee::Vprintf),
                ("__assertfail", 5, _) => Some(Callee::AssertFail),
                ("malloc", 1, 1) => Some(Callee::Malloc),
                ("free", 1, _) => Some(Callee::Free),
                _ => None,
            };
            let callee = provided.unwrap_or_else(|| {
                decoder.use_symbol(Symbol::Function(number));
                Callee::Function(number)
            });
            Ok((callee, shape.parameters, shape.results))
        }
        _ => Err(decoder.error(format!("`{name}` isn't a function"))),
    }
}
