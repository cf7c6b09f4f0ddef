//! Bulk copies, which a barrier counts or a thread waits for, of plain memory and of tensors: `cp.async.bulk`, `cp.reduce.async.bulk`
//! and `tensormap`.

mod operation;

pub(crate) use operation::{Bulk, BulkCopy, BulkPlace, MapField};

use operation::Reduction;

use super::access::{AtomicKind, Memory};
use super::atomic;
use super::decoder::{Decoded, Decoder};
use super::memory::{Manner, access};
use super::operation::Action;
use crate::parse::ParseError;
use crate::parse::syntax::{Base, Number, Operand, Type};

const COUNT: Type = Type::Unsigned(32);
/// Bits that plain copies access at once, as far as checks are concerned.
const WORD: Type = Type::Bits(64);

/// The parts of an opcode that aren't taken yet.
struct Parts<'s>(Vec<&'s str>);

impl Parts<'_> {
    fn take(&mut self, part: &str) -> bool {
        let at = self.0.iter().position(|one| *one == part);
        at.map(|at| self.0.remove(at)).is_some()
    }

    /// Takes out one that a function understands.
    fn take_one<T>(&mut self, understood: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, value) =
            self.0.iter().enumerate().find_map(|(at, part)| understood(part).map(|value| (at, value)))?;
        self.0.remove(at);
        Some(value)
    }
}

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let parts = decoder.parts.clone();
    match parts.as_slice() {
        ["cp", "async", "bulk", "commit_group"] if decoder.operands().is_empty() => Ok(Action::Nothing),
        // They are done when they are begun.
        ["cp", "async", "bulk", "wait_group"] | ["cp", "async", "bulk", "wait_group", "read"] => {
            match decoder.operands() {
                [Operand::Number(Number::Integer(_))] => Ok(Action::Nothing),
                _ => Err(decoder.unknown()),
            }
        }
        ["cp", "async", "bulk", "prefetch", rest @ ..] => prefetch(decoder, Parts(rest.to_vec())),
        ["cp", "async", "bulk", rest @ ..] => copy(decoder, Parts(rest.to_vec()), false),
        ["cp", "reduce", "async", "bulk", rest @ ..] => copy(decoder, Parts(rest.to_vec()), true),
        ["tensormap", "replace", "tile", field, rest @ ..] => replace(decoder, field, rest),
        [
            "tensormap",
            "cp_fenceproxy",
            "global",
            "shared::cta",
            "tensormap::generic",
            "release",
            "cta" | "cluster" | "gpu" | "sys",
            "sync",
            "aligned",
        ] => {
            let [target, source, Operand::Number(Number::Integer(128))] = decoder.exactly()? else {
                return Err(decoder.unknown());
            };
            let target = access(decoder, &Manner::of(Memory::Global), target, WORD)?;
            let source = access(decoder, &Manner::of(Memory::Shared), source, WORD)?;
            Ok(Action::Bulk(Box::new(Bulk::CopyMap { target, source })))
        }
        _ => Err(decoder.unknown()),
    }
}

fn rank(part: &str) -> Option<usize> {
    ["1d", "2d", "3d", "4d", "5d"].iter().position(|one| *one == part).map(|at| at + 1)
}

/// What atomics have, but for those that combine nothing.
fn kind(part: &str) -> Option<AtomicKind> {
    atomic::kind(part).filter(|kind| !matches!(kind, AtomicKind::Exchange | AtomicKind::Compare))
}

/// Whether elements of a type are combined so, in device memory or in a group's.
fn is_reduction(kind: AtomicKind, ty: Type, flushes_not: bool, in_device: bool) -> bool {
    let small_float = matches!(ty, Type::Float(16) | Type::BFloat);
    if flushes_not != (kind == AtomicKind::Add && small_float) {
        return false;
    }
    let integers = match kind {
        AtomicKind::Add => &[Type::Unsigned(32), Type::Signed(32), Type::Unsigned(64)][..],
        AtomicKind::Min | AtomicKind::Max => &[Type::Unsigned(32), Type::Signed(32)],
        AtomicKind::Increment | AtomicKind::Decrement => &[Type::Unsigned(32)],
        _ => &[Type::Bits(32)],
    };
    integers.contains(&ty)
        || in_device
            && match kind {
                AtomicKind::Add => ty.is_float() && !matches!(ty, Type::HalfPair | Type::BFloatPair),
                AtomicKind::Min | AtomicKind::Max => {
                    small_float || matches!(ty, Type::Unsigned(64) | Type::Signed(64))
                }
                AtomicKind::Increment | AtomicKind::Decrement => false,
                _ => ty == Type::Bits(64),
            }
}

/// A hint, which does nothing.
fn prefetch(decoder: &mut Decoder<'_, '_>, mut parts: Parts<'_>) -> Decoded {
    let rank = if parts.take("tensor") { Some(decoder.known(parts.take_one(rank))?) } else { None };
    if rank.is_some() {
        parts.take("tile");
    }
    let policy = usize::from(parts.take("L2::cache_hint"));
    let is_known = parts.take("L2") && parts.take("global") && parts.0.is_empty();
    match (is_known, rank, decoder.operands()) {
        (true, None, [_, bytes, rest @ ..]) if rest.len() == policy => {
            decoder.source(bytes, COUNT)?;
        }
        (true, Some(rank), [other, rest @ ..]) if rest.len() == policy => {
            tile(decoder, other, rank)?;
        }
        _ => return Err(decoder.unknown()),
    }
    Ok(Action::Nothing)
}

fn copy(decoder: &mut Decoder<'_, '_>, mut parts: Parts<'_>, reduces: bool) -> Decoded {
    let rank = if parts.take("tensor") { Some(decoder.known(parts.take_one(rank))?) } else { None };
    if rank.is_some() {
        parts.take("tile");
    }
    let has_policy = parts.take("L2::cache_hint");
    let is_counted = parts.take("mbarrier::complete_tx::bytes");
    let (to_cluster, in_group, in_device) =
        (parts.take("shared::cluster"), parts.take("shared::cta"), parts.take("global"));
    let is_multicast = parts.take("multicast::cluster");
    let is_waited_for = parts.take("bulk_group");
    let flushes_not = parts.take("noftz");
    let kind = if reduces { Some(decoder.known(parts.take_one(kind))?) } else { None };
    let element =
        if reduces && rank.is_none() { Some(decoder.known(parts.take_one(Type::parse))?) } else { None };
    // From device memory, from the thread's own group to one of the cluster, or from that to device memory.
    let from_device = in_device && (to_cluster != in_group) && is_counted && !is_waited_for && !reduces;
    let between_groups =
        to_cluster && in_group && !in_device && is_counted && !is_waited_for && rank.is_none();
    let to_device = in_device && in_group && !to_cluster && is_waited_for && !is_counted;
    let is_reduced_so = |kind, ty| is_reduction(kind, ty, flushes_not, to_device);
    let is_known = parts.0.is_empty()
        && (from_device || between_groups || to_device)
        && (!is_multicast || from_device && to_cluster)
        && kind.zip(element).is_none_or(|(kind, ty)| is_reduced_so(kind, ty))
        && (element.is_some() || !flushes_not);
    if !is_known {
        return Err(decoder.unknown());
    }
    let mut operands = decoder.operands();
    let mut last = |is_there: bool| match (is_there, operands.split_last()) {
        (true, Some((last, rest))) => {
            operands = rest;
            Some(last)
        }
        _ => None,
    };
    last(has_policy);
    let multicast = last(is_multicast);
    let barrier = last(is_counted);
    let [target, source, rest @ ..] = operands else { return Err(decoder.unknown()) };
    let bytes = match (rank, rest) {
        (None, [bytes]) => Some(decoder.source(bytes, COUNT)?),
        (Some(_), []) => None,
        _ => return Err(decoder.unknown()),
    };
    let multicast = multicast.map(|groups| decoder.source(groups, Type::Bits(16))).transpose()?;
    let unit = element.unwrap_or(WORD);
    let (group, other) = if to_device { (source, target) } else { (target, source) };
    let other = match (rank, bytes) {
        (Some(rank), _) => tile(decoder, other, rank)?,
        (None, Some(bytes)) => {
            let memory = if between_groups { Memory::Shared } else { Memory::Global };
            BulkPlace::Plain(access(decoder, &Manner::of(memory), other, unit)?, bytes)
        }
        (None, None) => return Err(decoder.unknown()),
    };
    let shared = Manner::of(Memory::Shared);
    let group = access(decoder, &shared, group, unit)?;
    let barrier = barrier.map(|barrier| access(decoder, &shared, barrier, WORD)).transpose()?;
    let reduction = kind.map(|kind| Reduction { kind, element });
    Ok(Action::Bulk(Box::new(Bulk::Copy(BulkCopy { group, other, barrier, multicast, reduction }))))
}

/// `[map, {x, y}]`: the address of a map, in the generic space, and coordinates.
fn tile<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    rank: usize,
) -> Result<BulkPlace, ParseError> {
    let Operand::Texel(map, at) = operand else { return Err(decoder.unknown()) };
    if at.len() != rank {
        return Err(decoder.error(format!("{} coordinates where the opcode says {rank}", at.len())));
    }
    let map = access(decoder, &Manner::of(Memory::Generic), &Operand::Address(Base::Name(map), 0), WORD)?;
    // Parts of a tile may be as small as an element.
    decoder.code.finest_global = 1;
    let at = at.iter().map(|at| decoder.source(at, Type::Signed(32))).collect::<Result<_, _>>()?;
    Ok(BulkPlace::Tile(map, at))
}

fn replace(decoder: &mut Decoder<'_, '_>, field: &str, rest: &[&str]) -> Decoded {
    let (memory, ty) = match rest {
        ["global", "b1024", ty] => (Memory::Global, ty),
        ["shared::cta", "b1024", ty] => (Memory::Shared, ty),
        ["b1024", ty] => (Memory::Generic, ty),
        _ => return Err(decoder.unknown()),
    };
    let (map, axis, value) = match decoder.operands() {
        [map, value] => (map, None, value),
        [map, Operand::Number(Number::Integer(axis @ 0..5)), value] => (map, Some(*axis as usize), value),
        _ => return Err(decoder.unknown()),
    };
    let field = match (field, axis) {
        ("global_address", None) => MapField::Address,
        ("rank", None) => MapField::Rank,
        ("elemtype", None) => MapField::Element,
        ("interleave_layout", None) => MapField::Interleave,
        ("swizzle_mode", None) => MapField::Swizzle,
        ("fill_mode", None) => MapField::Fill,
        ("box_dim", Some(axis)) => MapField::Tile(axis),
        ("global_dim", Some(axis)) => MapField::Dimension(axis),
        ("global_stride", Some(axis @ 0..4)) => MapField::Stride(axis),
        ("element_stride", Some(axis)) => MapField::Step(axis),
        _ => return Err(decoder.unknown()),
    };
    let is_wide = matches!(field, MapField::Address | MapField::Stride(_));
    let is_number = matches!(value, Operand::Number(_));
    let is_constant =
        matches!(field, MapField::Element | MapField::Interleave | MapField::Swizzle | MapField::Fill);
    if *ty != if is_wide { "b64" } else { "b32" } || is_constant && !is_number {
        return Err(decoder.unknown());
    }
    let value = decoder.source(value, Type::Bits(if is_wide { 64 } else { 32 }))?;
    let map = access(decoder, &Manner::of(memory), map, WORD)?;
    Ok(Action::Bulk(Box::new(Bulk::Replace(map, field, value))))
}
