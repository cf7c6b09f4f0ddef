//! Atomic operations, lane after lane.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::state::ActiveLanes;
use crate::instruction::{Atomic, AtomicKind, combine_halves};
use crate::machine::{Done, Lane, Use, lanes_of};
use crate::parse::syntax::Type;

impl ActiveLanes<'_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic, mask: u32) -> Done {
        let access = &atomic.access;
        let mut addresses = self.addresses(access);
        let used = Use {
            bytes: access.size,
            is_read: true,
            is_write: true,
            is_atomic: true,
            cache: access.cache,
            hands_on: false,
        };
        let pointers = self.resolve(access.memory, mask, &mut addresses, used)?;
        let mut results = [0; 32];
        let wide = access.size == 8;
        let row = |slot| if wide { u64::read(self, slot) } else { u32::read(self, slot).map(u64::from) };
        let (b, c) = (row(atomic.b), row(atomic.c));
        for lane in lanes_of(mask) {
            let next = |old: u64| updated(atomic.kind, atomic.element, old, b[lane], c[lane]);
            macro_rules! update {
                ($atomic:ty, $t:ty) => {{
                    // SAFETY: `resolve` gave an aligned pointer to as many bytes, and all accesses are atomic.
                    let element = unsafe { <$atomic>::from_ptr(pointers[lane].cast()) };
                    let update = |old: $t| Some(next(old.into()) as $t);
                    match element.fetch_update(Ordering::AcqRel, Ordering::Relaxed, update) {
                        Ok(old) | Err(old) => u64::from(old),
                    }
                }};
            }
            results[lane] = match access.size {
                2 => update!(AtomicU16, u16),
                4 => update!(AtomicU32, u32),
                _ => update!(AtomicU64, u64),
            };
        }
        match atomic.result {
            Some(d) if wide => u64::write(self, d, mask, &results),
            Some(d) => u32::write(self, d, mask, &results.map(|value| value as u32)),
            None => {}
        }
        Ok(())
    }
}

/// What a bulk copy's operation makes of the old value. Its floats have the kinds of integers, and halves are rounded once.
pub(super) fn combined(kind: AtomicKind, ty: Type, old: u64, value: u64) -> u64 {
    let kind = match kind {
        AtomicKind::Add if ty.is_float() => AtomicKind::AddFloat,
        AtomicKind::Min if ty.is_float() => AtomicKind::MinFloat,
        AtomicKind::Max if ty.is_float() => AtomicKind::MaxFloat,
        kind => kind,
    };
    updated(kind, ty, old, value & u64::MAX >> (64 - u32::from(ty.bits()).clamp(1, 64)), 0)
}

/// What an operation makes of the old value.
pub(super) fn updated(kind: AtomicKind, ty: Type, old: u64, b: u64, c: u64) -> u64 {
    let signed = |value: u64| if ty.bits() == 32 { i64::from(value as i32) } else { value as i64 };
    match kind {
        AtomicKind::Add => old.wrapping_add(b),
        AtomicKind::AddFloat if ty == Type::Float(64) => (f64::from_bits(old) + f64::from_bits(b)).to_bits(),
        // A number, if one of them is.
        AtomicKind::MinFloat if ty == Type::Float(64) => f64::from_bits(old).min(f64::from_bits(b)).to_bits(),
        AtomicKind::MaxFloat if ty == Type::Float(64) => f64::from_bits(old).max(f64::from_bits(b)).to_bits(),
        AtomicKind::MinFloat if ty == Type::Float(32) => {
            f32::from_bits(old as u32).min(f32::from_bits(b as u32)).to_bits().into()
        }
        AtomicKind::MaxFloat if ty == Type::Float(32) => {
            f32::from_bits(old as u32).max(f32::from_bits(b as u32)).to_bits().into()
        }
        AtomicKind::AddFloat | AtomicKind::MinFloat | AtomicKind::MaxFloat => {
            combine_halves(kind, ty, old as u32, b as u32).into()
        }
        AtomicKind::Min if ty.is_signed() => signed(old).min(signed(b)) as u64,
        AtomicKind::Max if ty.is_signed() => signed(old).max(signed(b)) as u64,
        AtomicKind::Min => old.min(b),
        AtomicKind::Max => old.max(b),
        AtomicKind::And => old & b,
        AtomicKind::Or => old | b,
        AtomicKind::Xor => old ^ b,
        AtomicKind::Exchange => b,
        AtomicKind::Compare => {
            if old == b {
                c
            } else {
                old
            }
        }
        AtomicKind::Increment => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomicKind::Decrement => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
    }
}
