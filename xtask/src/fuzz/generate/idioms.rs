//! Forms that optimisers have patterns of their own for, and so have got wrong: byte products, masks before products, halves of
//! words, guards around divisions and shifts, comparisons as numbers in an index.

use crate::fuzz::generate::Generator;
use crate::fuzz::tree::{Expr, Ty};

use Ty::{Bool, I8, I16, I32, I64, U8, U16, U32, U64, Usize};

/// A way to make a value of 32 or 64 bits.
struct Idiom {
    ty: Ty,
    /// The children's types, in order.
    kids: &'static [Ty],
    text: &'static str,
}

macro_rules! idioms {
    ($($ty:ident [$($kid:ident),*] $text:literal)*) => {
        &[$(Idiom { ty: $ty, kids: &[$($kid),*], text: $text }),*]
    };
}

const IDIOMS: &[Idiom] = idioms! {
    // Products of bytes, and sums of them.
    U32 [U64, U32] "{ let $a = $0 as u32 & 0xff; ($a * $a).wrapping_add(($a * $a) & $1) }"
    U32 [U8, U8, U8, U8] "(($0 as u32) * ($1 as u32)).wrapping_add(($2 as u32) * ($3 as u32))"
    U32 [U32, U32, U32] "{ let ($a, $b) = ($0.to_le_bytes(), $1.to_le_bytes()); (0..4).fold($2, |sum: u32, k| sum.wrapping_add($a[k] as u32 * $b[k] as u32)) }"
    I32 [U32, U32, I32] "{ let ($a, $b) = ($0.to_le_bytes(), $1.to_le_bytes()); (0..4).fold($2, |sum: i32, k| sum.wrapping_add($a[k] as i8 as i32 * $b[k] as i8 as i32)) }"
    U64 [U32, U32] "{ let ($a, $b) = ($0, $1); (0..4).fold(0_u64, |sum, k| sum.wrapping_add(($a >> (8 * k) & 0xff) as u64 * ($b >> (8 * k) & 0xff) as u64)) }"
    I32 [I8, I8, I32] "(($0 as i32) * ($1 as i32)).wrapping_add($2)"
    I32 [I16, I16, I16, I16] "(($0 as i32) * ($1 as i32)).wrapping_add(($2 as i32) * ($3 as i32))"
    // Narrow products added to wide numbers.
    U64 [U32, U32, U64] "(($0 & 0xff_ffff) as u64 * ($1 & 0xff_ffff) as u64).wrapping_add($2)"
    U64 [U64, U64, U64] "(($0 as u32 & 0xff_ffff) as u64 * ($1 as u32 & 0xff_ffff) as u64).wrapping_add($2)"
    U32 [U32, U32, U32] "(($0 & 0xff_ffff).wrapping_mul($1 & 0xff_ffff)).wrapping_add($2)"
    I32 [I32, I32, I32] "((($0 << 8) >> 8).wrapping_mul(($1 << 8) >> 8)).wrapping_add($2)"
    I64 [I32, I32, I64] "(($0 as i64) * ($1 as i64)).wrapping_add($2)"
    U64 [U32, U32, U64] "(($0 as u64) * ($1 as u64)).wrapping_add($2)"
    U32 [U32, U32] "((($0 as u64) * ($1 as u64)) >> 32) as u32"
    U64 [U64, U64] "((($0 as u128) * ($1 as u128)) >> 64) as u64"
    U64 [U64, U64, U64] "(($0 as u128 + $1 as u128 + $2 as u128) >> 64) as u64"
    I64 [I64, I64] "((($0 as i128) * ($1 as i128)) >> 33) as i64"
    // Quotients of widened numbers.
    U64 [U64, U64] "{ let ($a, $b) = ($0 as i32 as i64, $1 as i32 as i64); if $b == 0 { 7 } else { ($a / $b) as u64 } }"
    I64 [I32, I32] "{ let ($a, $b) = ($0 as i64, $1 as i64); if $b == 0 { 0 } else { $a / $b } }"
    I64 [I32, I32] "{ let ($a, $b) = ($0 as i64, $1 as i64); if $b == 0 { 0 } else { $a % $b } }"
    U32 [U32, U32] "{ let ($a, $b) = ($0 & 0xff_ffff, $1 & 0xff_ffff); if $b == 0 { 7 } else { $a / $b } }"
    U32 [U32, U32] "{ let ($a, $b) = ($0 & 0xff_ffff, $1 & 0xff_ffff); if $b == 0 { 7 } else { $a % $b } }"
    I32 [I32, I32] "{ let ($a, $b) = (($0 << 8) >> 8, ($1 << 8) >> 8); if $b == 0 { 7 } else { $a / $b } }"
    I32 [I16, I16] "{ let ($a, $b) = ($0 as i32, $1 as i32); if $b == 0 { 7 } else { $a / $b } }"
    // Halves and bytes of words.
    U32 [U32] "{ let $a = $0; ((($a as i16) >> 8) as u16 as u32) ^ $a }"
    U32 [U32, U32, U32] "((($0 as i16) >> ($1 & 15)) as u16 as u32) ^ $2"
    U32 [U32, U16] "(($0 as i8 as i32) as u32 & 0xffff) | (($1 as u32) << 16)"
    U32 [U32, U32] "u32::from_le_bytes([$0 as u8, ($0 >> 16) as u8, $1 as u8, (($1 as i16) >> 8) as u8])"
    U32 [U32, U32] "(($0 & 0xffff) << 16) | ($1 >> 16)"
    U32 [U32, U32, U32] "(($0 >> 8) & 0xff).wrapping_add(($1 >> 16) & 0xff).wrapping_sub($2 >> 24)"
    U16 [U16, U16] "($0.wrapping_mul($1) >> 8).wrapping_add($0 & $1)"
    I32 [I16, I16] "($0.saturating_add($1) as i32).wrapping_sub($0.min($1) as i32)"
    // Guarded shifts.
    U64 [U64, U64] "{ let $a = $1; if $a < 64 { $0.unbounded_shl($a as u32) } else { 0 } }"
    U64 [U64, U64] "{ let $a = $1; if $a < 64 { $0.unbounded_shr($a as u32) } else { 0 } }"
    U32 [U32, U64] "{ let $a = $1; if $a < 32 { $0.unbounded_shl($a as u32) } else { 0 } }"
    U32 [U32, U64] "{ let $a = $1; if $a < 32 { $0.unbounded_shr($a as u32) } else { 0 } }"
    I32 [I32, U64] "{ let $a = $1; if $a < 32 { $0 >> ($a & 31) } else { $0 >> 31 } }"
    U64 [U64] "{ let $a = $0; ($a << 31).wrapping_sub($a >> 33) }"
    I64 [U32] "((($0 & 1) as i32).wrapping_neg() as i64) << 31"
    U64 [U64, U64] "$0.rotate_left($1 as u32 & 63) ^ ($0 << ($1 & 63))"
    // Saturation and its undoing, extremes and their order.
    I32 [I32, I32] "$0.saturating_sub($1).wrapping_add($1)"
    U32 [U32, U32] "$0.saturating_sub($1).wrapping_add($1)"
    I32 [I32] "{ let $a = $0; $a.max($a.wrapping_abs()) }"
    I32 [I32, I32, I32] "$0.min($1).max($2)"
    U32 [U32, U32] "$0.wrapping_sub($1).min($0)"
    U64 [U64, U64, U64] "{ let ($a, $b) = $0.overflowing_add($1); let ($c, $d) = $a.overflowing_add($2); $c ^ ($b | $d) as u64 }"
    U32 [U32, U32, U32] "{ let ($a, $b) = $0.overflowing_sub($1); let ($c, $d) = $2.overflowing_sub($b as u32); $c.wrapping_add($a) ^ ($d as u32) }"
    // Comparisons as numbers.
    U32 [Usize] "{ let $a = ($0 & 15) + 4; let $b = z[$a] < z[$a + 1]; z[$a + 1 - $b as usize].wrapping_mul(31) ^ z[$a + 1 - !$b as usize] }"
    U32 [Usize, Bool] "{ let $a = ($0 & 31) + 8; let $b = $1; z[$a - $b as usize].wrapping_mul(31) ^ z[$a - !$b as usize] }"
    U32 [Usize, Bool] "{ let $a = ($0 & 7) + 3; let $b = $1; b[$a + $b as usize] as u32 * 256 + b[$a + !$b as usize] as u32 }"
    U32 [Usize, Bool] "{ let $a = $0; z[($a & 31) + 2].wrapping_sub(z[($a & 31) + 2 - $1 as usize]) }"
    I32 [Bool, Bool, I32] "(($0 as i32) - ($1 as i32)).wrapping_mul($2)"
    U32 [U32, Bool] "$0.wrapping_add($1 as u32).wrapping_sub(!$1 as u32)"
};

impl Generator {
    /// A form of its own, with inputs for all children.
    pub(super) fn plain_form(&mut self) -> Expr {
        let ty = self.any_type();
        self.budget = 4;
        match ty {
            Ty::F32 | Ty::F64 => self.float(ty, 0),
            Ty::Bool => self.comparison(0),
            _ if self.random.percent(65) => self.idiom(ty, 0),
            _ => self.integer(ty, 0),
        }
    }

    pub(super) fn idiom(&mut self, ty: Ty, depth: usize) -> Expr {
        let fitting: Vec<&Idiom> = IDIOMS.iter().filter(|idiom| idiom.ty == ty).collect();
        let idiom = if fitting.is_empty() || self.random.percent(25) {
            self.random.of(IDIOMS)
        } else {
            self.random.of(&fitting)
        };
        let holes = ["$a", "$b", "$c", "$d"].iter().filter(|hole| idiom.text.contains(**hole));
        let binds: Vec<_> = holes.map(|_| self.fresh()).collect();
        // Often of the inputs themselves, which have all special values.
        let plain = self.random.percent(60);
        let mut kid =
            |ty: &Ty| if plain && ty.is_integer() { self.operand(*ty, depth) } else { self.expr(*ty, depth) };
        let kids = idiom.kids.iter().map(&mut kid).collect();
        let text =
            if idiom.text.starts_with('{') { idiom.text.to_owned() } else { format!("({})", idiom.text) };
        let value = Self::binding(idiom.ty, text, binds, kids);
        self.convert(value, ty)
    }
}
