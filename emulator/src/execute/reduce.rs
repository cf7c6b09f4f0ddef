//! Elements that a bulk copy combines with what is in memory.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use half::{bf16, f16};

use super::atomic::updated;
use crate::instruction::AtomicKind;
use crate::parse::syntax::Type;

/// # Safety
/// The pointer is valid for atomic accesses to an element of the type, and aligned for them.
pub(super) unsafe fn reduced(pointer: *mut u8, kind: AtomicKind, ty: Type, value: u64) {
    let next = |old: u64| combined(kind, ty, old, value);
    macro_rules! update {
        ($atomic:ty, $t:ty) => {{
            // SAFETY: the pointer is to as many bytes, and aligned, as this function asks, and all accesses are atomic.
            let element = unsafe { <$atomic>::from_ptr(pointer.cast()) };
            let update = |old: $t| Some(next(old.into()) as $t);
            // The update always gives something.
            let (Ok(_) | Err(_)) = element.fetch_update(Ordering::AcqRel, Ordering::Relaxed, update);
        }};
    }
    match ty.bytes() {
        1 => update!(AtomicU8, u8),
        2 => update!(AtomicU16, u16),
        4 => update!(AtomicU32, u32),
        _ => update!(AtomicU64, u64),
    }
}

fn combined(kind: AtomicKind, ty: Type, old: u64, value: u64) -> u64 {
    let float = |a: f64, b: f64| match kind {
        AtomicKind::Add => a + b,
        // A number, if one of them is.
        AtomicKind::Min => a.min(b),
        _ => a.max(b),
    };
    let is_arithmetic = matches!(kind, AtomicKind::Add | AtomicKind::Min | AtomicKind::Max);
    match ty {
        Type::Float(16) if is_arithmetic => {
            let of = |bits: u64| f16::from_bits(bits as u16).to_f64();
            f16::from_f64(float(of(old), of(value))).to_bits().into()
        }
        Type::BFloat if is_arithmetic => {
            let of = |bits: u64| bf16::from_bits(bits as u16).to_f64();
            bf16::from_f64(float(of(old), of(value))).to_bits().into()
        }
        Type::Float(32) if is_arithmetic => {
            let of = |bits: u64| f64::from(f32::from_bits(bits as u32));
            u64::from((float(of(old), of(value)) as f32).to_bits())
        }
        Type::Float(64) if is_arithmetic => float(f64::from_bits(old), f64::from_bits(value)).to_bits(),
        ty => {
            let bits = u32::from(ty.bits());
            let value = value & u64::MAX >> (64 - bits.clamp(1, 64));
            updated(kind, ty, old, value, 0)
        }
    }
}
