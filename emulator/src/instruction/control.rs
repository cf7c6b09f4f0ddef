//! Branches, calls, barriers and fences.

use super::decoder::{Decoded, Decoder, Place, Symbol};
use super::operation::{
    Action, Barrier, BarrierKind, CallSite, Callee, ClusterBarrier, Level, Warp, WarpKind,
};
use super::{Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};

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
        ["ret"] | ["ret", "uni"] => Ok(Action::Return),
        ["exit"] => Ok(Action::Exit),
        ["trap"] => Ok(Action::Trap),
        ["brkpt"] => Ok(Action::Breakpoint),
        ["nanosleep", "u32"] | ["pmevent"] | ["pmevent", "mask"] => Ok(Action::Nothing),
        // Launches run one after another.
        ["griddepcontrol", "launch_dependents" | "wait"] => {
            let [] = decoder.exactly()?;
            Ok(Action::Nothing)
        }
        ["membar", "cta"] | ["fence", "sc" | "acq_rel", "cta"] => Ok(Action::Fence(Level::Group)),
        ["fence", "sc" | "acq_rel", "cluster"] => Ok(Action::Fence(Level::Cluster)),
        ["membar", "gl" | "sys"] | ["fence", "sc" | "acq_rel", "gpu" | "sys"] => {
            Ok(Action::Fence(Level::Device))
        }
        // What bulk copies see of other accesses isn't modelled.
        ["fence", "proxy", "async"]
        | ["fence", "proxy", "async", "global" | "shared::cta" | "shared::cluster"]
        | ["fence", "proxy", "alias"]
        | ["membar", "proxy", "alias" | "async"] => Ok(Action::Nothing),
        // Nor is what copies see of their maps.
        ["fence", "proxy", "tensormap::generic", "release", "cta" | "cluster" | "gpu" | "sys"] => {
            let [] = decoder.exactly()?;
            Ok(Action::Nothing)
        }
        ["fence", "proxy", "tensormap::generic", "acquire", "cta" | "cluster" | "gpu" | "sys"] => {
            let [_, Operand::Number(crate::parse::syntax::Number::Integer(128))] = decoder.exactly()? else {
                return Err(decoder.unknown());
            };
            Ok(Action::Nothing)
        }
        // Who tests a barrier is ordered behind its initialisation by another barrier.
        ["fence", "mbarrier_init", "release", "cluster"] => Ok(Action::Nothing),
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

/// The arguments or results of a call: `.param` variables of the caller's frame, with their sizes.
fn slots<'s>(decoder: &Decoder<'_, 's>, items: &[Operand<'s>]) -> Result<Vec<(u32, u32)>, ParseError> {
    let one = |item: &Operand<'s>| {
        let Operand::Name(name) = item else {
            return Err(decoder.error("only `.param` variables are understood in calls"));
        };
        let Some(Place::Frame(offset, false)) = decoder.place(name) else {
            return Err(decoder.error(format!("`{name}` isn't a `.param` variable of this function")));
        };
        let bytes = decoder.frame_bytes(offset);
        Ok((offset, bytes))
    };
    items.iter().map(one).collect()
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
    let arguments = slots(decoder, arguments)?;
    let results = slots(decoder, results)?;
    let bytes = |slots: &[(u32, u32)]| -> Vec<u32> { slots.iter().map(|slot| slot.1).collect() };
    let callee = match decoder.known_place(name)? {
        Place::Register { bits: 64, index } => {
            let wanted =
                prototype.and_then(|name| decoder.body.prototypes.iter().find(|known| known.name == name));
            let wanted =
                wanted.ok_or_else(|| decoder.error("a call of an address without a known prototype"))?;
            if wanted.parameters.len() != arguments.len() || wanted.results.len() != results.len() {
                return Err(decoder.error("a call that differs from its prototype"));
            }
            Callee::Indirect(Slot(index))
        }
        Place::Symbol(Symbol::Function(number), _) => {
            let shape = &decoder.names.shapes[number as usize];
            if shape.parameters != bytes(&arguments) || shape.results != bytes(&results) {
                return Err(decoder.error(format!("a call of `{name}` with other parameters than it has")));
            }
            match (shape.is_defined, name) {
                (true, _) => {}
                (false, "vprintf") if arguments.len() == 2 => {
                    return finish(Callee::Vprintf, arguments, results);
                }
                (false, "__assertfail") if arguments.len() == 5 => {
                    return finish(Callee::AssertFail, arguments, results);
                }
                (false, "malloc") if arguments.len() == 1 && results.len() == 1 => {
                    return finish(Callee::Malloc, arguments, results);
                }
                (false, "free") if arguments.len() == 1 => return finish(Callee::Free, arguments, results),
                (false, _) => {}
            }
            decoder.use_symbol(Symbol::Function(number));
            Callee::Function(number)
        }
        _ => return Err(decoder.error(format!("`{name}` isn't a function"))),
    };
    finish(callee, arguments, results)
}

fn finish(callee: Callee, arguments: Vec<(u32, u32)>, results: Vec<(u32, u32)>) -> Decoded {
    Ok(Action::Call(Box::new(CallSite { callee, arguments, results })))
}
