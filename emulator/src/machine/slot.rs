//! Names of registers: rows of a frame, and constants.

/// A row of 32 lanes: a register of the frame, or with the top bit set a constant of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    const CONSTANT: u32 = 1 << 31;

    pub(crate) fn constant(index: u32) -> Self {
        Self(index | Self::CONSTANT)
    }

    /// 0 for a register, 1 for a constant.
    #[inline(always)]
    pub(crate) fn bank(self) -> usize {
        (self.0 >> 31) as usize
    }

    /// The number of the row, where the frame's first register has this one.
    #[inline(always)]
    pub(crate) fn index_from(self, start: u32) -> u32 {
        let is_register = !(((self.0 as i32) >> 31) as u32);
        (self.0 & !Self::CONSTANT).wrapping_add(start & is_register)
    }

    pub(crate) fn as_constant(self) -> Option<usize> {
        (self.0 & Self::CONSTANT != 0).then_some((self.0 & !Self::CONSTANT) as usize)
    }
}

/// A predicate register, or false; with the top bit set, its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Predicate(pub(crate) u32);

impl Predicate {
    const NOT: u32 = 1 << 31;
    pub(crate) const FALSE: Self = Self(u32::MAX >> 1);

    pub(crate) fn negated(self) -> Self {
        Self(self.0 ^ Self::NOT)
    }

    /// All ones where the predicate is negated.
    pub(crate) fn inversion(self) -> u32 {
        ((self.0 as i32) >> 31) as u32
    }

    pub(crate) fn index(self) -> u32 {
        self.0 & !Self::NOT
    }
}

impl Default for Predicate {
    fn default() -> Self {
        Self::FALSE
    }
}

/// Operands of an operation that computes: up to two results and four sources; `x` is a number that the
/// handler knows.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Operands {
    pub(crate) d: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
    pub(crate) p: Predicate,
    pub(crate) q: Predicate,
    pub(crate) r: Predicate,
    pub(crate) x: u32,
}
