//! Registers of a warp, in rows of 32 lanes, and functions that work on them lane by lane.

use half::{bf16, f16};

use super::approximations::Approximations;
use super::registers::{Element, Registers};
use super::slot::{Operands, Predicate, Slot};

/// Beginning of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Start {
    pub(crate) narrow: u32,
    pub(crate) wide: u32,
    pub(crate) predicates: u32,
    /// Where the frame begins in local memory, in bytes.
    pub(crate) local: u32,
}

/// What an instruction computes on: a warp's registers at a frame, and what it may know beside them.
#[derive(Debug)]
pub(crate) struct Lanes<'a> {
    pub(crate) registers: &'a mut Registers,
    pub(crate) start: Start,
    /// The group's number in its cluster.
    pub(crate) rank: u32,
    pub(crate) approximations: Approximations,
}

/// Element of a row.
pub(crate) trait Bits: Element {
    fn row<'l>(lanes: &'l Lanes<'_>, slot: Slot) -> &'l [Self; 32];
    fn write(lanes: &mut Lanes<'_>, slot: Slot, mask: u32, values: &[Self; 32]);
}

/// A type that fits a register's lane.
pub(crate) trait Lane: Copy + Default {
    type Bits: Bits;

    fn from_row(bits: Self::Bits) -> Self;
    fn into_row(self) -> Self::Bits;

    #[inline(always)]
    fn read(lanes: &Lanes<'_>, slot: Slot) -> [Self; 32] {
        let row = Self::Bits::row(lanes, slot);
        let mut values = [Self::default(); 32];
        for lane in 0..32 {
            values[lane] = Self::from_row(row[lane]);
        }
        values
    }

    #[inline(always)]
    fn write(lanes: &mut Lanes<'_>, slot: Slot, mask: u32, values: &[Self; 32]) {
        let mut row = [Self::Bits::default(); 32];
        for lane in 0..32 {
            row[lane] = values[lane].into_row();
        }
        Self::Bits::write(lanes, slot, mask, &row);
    }
}

impl Bits for u32 {
    #[inline(always)]
    fn row<'l>(lanes: &'l Lanes<'_>, slot: Slot) -> &'l [Self; 32] {
        lanes.narrow(slot)
    }

    #[inline(always)]
    fn write(lanes: &mut Lanes<'_>, slot: Slot, mask: u32, values: &[Self; 32]) {
        lanes.write_narrow(slot, mask, values);
    }
}

impl Bits for u64 {
    #[inline(always)]
    fn row<'l>(lanes: &'l Lanes<'_>, slot: Slot) -> &'l [Self; 32] {
        lanes.wide(slot)
    }

    #[inline(always)]
    fn write(lanes: &mut Lanes<'_>, slot: Slot, mask: u32, values: &[Self; 32]) {
        lanes.write_wide(slot, mask, values);
    }
}

impl Lanes<'_> {
    #[inline(always)]
    pub(crate) fn narrow(&self, slot: Slot) -> &[u32; 32] {
        self.registers.narrow.row(slot, self.start.narrow)
    }

    #[inline(always)]
    pub(crate) fn wide(&self, slot: Slot) -> &[u64; 32] {
        self.registers.wide.row(slot, self.start.wide)
    }

    #[inline(always)]
    pub(crate) fn write_narrow(&mut self, slot: Slot, mask: u32, values: &[u32; 32]) {
        if let Some(row) = self.registers.narrow.row_mut(slot, self.start.narrow) {
            blend(row, mask, values);
        }
    }

    #[inline(always)]
    pub(crate) fn write_wide(&mut self, slot: Slot, mask: u32, values: &[u64; 32]) {
        if let Some(row) = self.registers.wide.row_mut(slot, self.start.wide) {
            blend(row, mask, values);
        }
    }

    #[inline(always)]
    pub(crate) fn predicate(&self, predicate: Predicate) -> u32 {
        // The constant false is beyond all rows.
        let index = self.start.predicates.wrapping_add(predicate.index()) as usize;
        self.registers.predicates.get(index).copied().unwrap_or(0) ^ predicate.inversion()
    }

    #[inline(always)]
    pub(crate) fn set_predicate(&mut self, predicate: Predicate, mask: u32, value: u32) {
        let index = self.start.predicates.wrapping_add(predicate.index()) as usize;
        if let Some(row) = self.registers.predicates.get_mut(index) {
            *row = (*row & !mask) | (value & mask);
        }
    }

    /// Where the frame begins in local memory.
    pub(crate) fn frame_start(&self) -> u64 {
        self.start.local.into()
    }

    #[inline(always)]
    pub(crate) fn map1<A: Lane, D: Lane>(&mut self, o: &Operands, mask: u32, f: impl Fn(A) -> D) {
        let a = A::Bits::row(self, o.a);
        let mut results = [D::Bits::default(); 32];
        for lane in 0..32 {
            results[lane] = f(A::from_row(a[lane])).into_row();
        }
        D::Bits::write(self, o.d, mask, &results);
    }

    #[inline(always)]
    pub(crate) fn map2<A: Lane, B: Lane, D: Lane>(&mut self, o: &Operands, mask: u32, f: impl Fn(A, B) -> D) {
        let (a, b) = (A::Bits::row(self, o.a), B::Bits::row(self, o.b));
        let mut results = [D::Bits::default(); 32];
        for lane in 0..32 {
            results[lane] = f(A::from_row(a[lane]), B::from_row(b[lane])).into_row();
        }
        D::Bits::write(self, o.d, mask, &results);
    }

    #[inline(always)]
    pub(crate) fn map3<A: Lane, B: Lane, C: Lane, D: Lane>(
        &mut self,
        o: &Operands,
        mask: u32,
        f: impl Fn(A, B, C) -> D,
    ) {
        let (a, b, c) = (A::Bits::row(self, o.a), B::Bits::row(self, o.b), C::Bits::row(self, o.c));
        let mut results = [D::Bits::default(); 32];
        for lane in 0..32 {
            results[lane] = f(A::from_row(a[lane]), B::from_row(b[lane]), C::from_row(c[lane])).into_row();
        }
        D::Bits::write(self, o.d, mask, &results);
    }
}

#[inline(always)]
fn blend<T: Copy>(row: &mut [T; 32], mask: u32, values: &[T; 32]) {
    if mask == u32::MAX {
        *row = *values;
        return;
    }
    for lane in 0..32 {
        row[lane] = if mask >> lane & 1 == 1 { values[lane] } else { row[lane] };
    }
}

macro_rules! lane {
    ($t:ty, $bits:ty, $from:expr, $into:expr) => {
        impl Lane for $t {
            type Bits = $bits;

            #[inline(always)]
            fn from_row(bits: $bits) -> Self {
                $from(bits)
            }

            #[inline(always)]
            fn into_row(self) -> $bits {
                $into(self)
            }
        }
    };
}

lane!(u32, u32, |bits: u32| bits, |value: u32| value);
lane!(i32, u32, |bits: u32| bits as i32, |value: i32| value as u32);
lane!(f32, u32, f32::from_bits, f32::to_bits);
lane!(u16, u32, |bits: u32| bits as u16, u32::from);
lane!(i16, u32, |bits: u32| bits as i16, |value: i16| u32::from(value as u16));
lane!(u64, u64, |bits: u64| bits, |value: u64| value);
lane!(i64, u64, |bits: u64| bits as i64, |value: i64| value as u64);
lane!(f64, u64, f64::from_bits, f64::to_bits);

/// A 16-bit float of IEEE 754.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Half(u16);

impl Half {
    pub(crate) fn to_f32(self) -> f32 {
        f16::from_bits(self.0).to_f32()
    }

    /// The value, or zero where it is denormal.
    pub(crate) fn to_flushed(self) -> f32 {
        if self.0 & 0x7c00 == 0 { 0.0 } else { self.to_f32() }
    }
}

/// A 16-bit float with the exponents of 32-bit ones.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Brain(u16);

impl Brain {
    pub(crate) fn to_f32(self) -> f32 {
        bf16::from_bits(self.0).to_f32()
    }
}

lane!(Half, u32, |bits: u32| Half(bits as u16), |value: Half| u32::from(value.0));
lane!(Brain, u32, |bits: u32| Brain(bits as u16), |value: Brain| u32::from(value.0));
