//! Values as other types, and constants.

use crate::fuzz::generate::Generator;
use crate::fuzz::tree::{Expr, Ty};

impl Generator {
    /// A value of one type as another, by `as` or by its bits.
    pub(super) fn convert(&mut self, value: Expr, to: Ty) -> Expr {
        let from = value.ty;
        let text = match (from, to) {
            _ if from == to => return value,
            (Ty::Bool, _) => return value.cast_or_same(to),
            (Ty::F32 | Ty::F64, Ty::Bool) => "($0 > 0.5)".to_owned(),
            (_, Ty::Bool) => self.random.text(&["($0 & 1 == 1)", "($0 > 9)", "($0 != 0)"]),
            (Ty::F32, Ty::U32) if self.random.percent(50) => "(bits32($0) as u32)".to_owned(),
            (Ty::F64, Ty::U64) if self.random.percent(50) => "bits64($0)".to_owned(),
            (Ty::U32, Ty::F32) if self.random.percent(50) => "f32::from_bits($0)".to_owned(),
            (Ty::U64, Ty::F64) if self.random.percent(50) => "f64::from_bits($0)".to_owned(),
            // Devices' compilers have no conversion between floats and 128 bits.
            (Ty::F32 | Ty::F64, Ty::U128 | Ty::I128) => format!("($0 as i64 as {})", to.name()),
            (Ty::U128 | Ty::I128, Ty::F32 | Ty::F64) => format!("($0 as u64 as {})", to.name()),
            _ => format!("($0 as {})", to.name()),
        };
        Expr::new(to, text, vec![value])
    }

    /// A value of any type, made one of another.
    pub(super) fn converted(&mut self, to: Ty, depth: usize) -> Expr {
        let from = self.any_type();
        let value = self.expr(from, depth);
        self.convert(value, to)
    }

    /// An integer of a narrow range: masked, sign-extended, or of a narrower type.
    pub(super) fn narrow(&mut self, ty: Ty, value: Expr) -> Expr {
        let (name, signed) = (ty.name(), format!("i{}", ty.bits()));
        let masks = "0xff 0xff 0xff_ffff 0xff_ffff 0xff_ffff 0xffff 0x7fff 0x7f_ffff 0xf 0x1ff_ffff";
        let mask = self.random.word(masks);
        let narrower = *self.random.of(&["u8", "i8", "u16", "i16"]);
        let text = match self.random.below(8) {
            _ if ty.bits() < 32 => format!("($0 as {narrower} as {name})"),
            0..3 => format!("($0 as {name} & {mask})"),
            3 => format!("($0 as {narrower} as {name})"),
            4 if ty.bits() == 64 => format!("($0 as i32 as {name})"),
            5 if ty.bits() == 64 => format!("($0 as u32 as {name})"),
            _ => {
                let by = if ty.bits() == 32 { [8, 8, 16, 24, 7, 9] } else { [40, 32, 32, 8, 56, 16] };
                let by = self.random.of(&by);
                format!("((($0 as {signed}) << {by} >> {by}) as {name})")
            }
        };
        Expr::new(ty, text, vec![value])
    }

    pub(super) fn constant_text(&mut self, ty: Ty) -> String {
        let name = ty.name();
        match ty {
            Ty::Bool => self.random.text(&["true", "false"]),
            Ty::F32 | Ty::F64 => {
                let special =
                    "0.0 -0.0 1.0 -1.0 0.5 2.0 3.0 -7.0 255.0 16777216.0 4294967296.0 1e-40 1e30 0.1";
                match self.random.below(18) {
                    at @ 0..14 => format!("({}_{name})", special.split(' ').nth(at).unwrap_or("0.0")),
                    14 => format!("{name}::INFINITY"),
                    15 => format!("{name}::NAN"),
                    16 => format!("{name}::MAX"),
                    _ => format!("{name}::MIN_POSITIVE"),
                }
            }
            _ => self.integer_text(ty),
        }
    }

    fn integer_text(&mut self, ty: Ty) -> String {
        let name = ty.name();
        let width = ty.bits() as usize;
        match self.random.below(12) {
            0 => format!("{name}::MAX"),
            1 => format!("{name}::MIN"),
            2 => format!("0_{name}"),
            3 => format!("1_{name}"),
            4 => format!("(!0_{name})"),
            5..8 => format!("{}_{name}", self.random.within(2, 100)),
            8 => format!("(1_{name} << {})", self.random.below(width)),
            9 => format!("(1_{name} << {}).wrapping_sub(1)", self.random.below(width)),
            10 if width >= 32 => {
                format!("{}_{name}", self.random.word("0xff_ffff 0x100_0000 0xffff 0x7f_ffff 0x80_0000"))
            }
            _ => format!("({}_u64 as {name})", self.random.next()),
        }
    }
}
