//! Operations on matrices that the lanes of a warp hold together.

mod form;
mod fragment;
mod moves;
mod multiply;
mod operation;
mod warpgroup;

pub(crate) use operation::{
    Combine, ElementType, Factor, FactorLayout, Fragment, Matrix, MoveFragment, MoveMatrices,
    MultiplyByWarpgroup, MultiplyMatrices, SharedFactor, SumLayout, SumType, Sums, WarpgroupFactor,
    metadata_bits,
};

use super::decoder::{Decoded, Decoder};
use super::operation::{Action, Warp, WarpKind};
use super::{Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let matrix = match decoder.parts.as_slice() {
        ["mma", ..] => Matrix::Multiply(multiply::decode(decoder)?),
        ["wmma", ..] => fragment::decode(decoder)?,
        ["wgmma", ..] => match warpgroup::decode(decoder)? {
            Some(matrix) => matrix,
            None => return Ok(Action::Nothing),
        },
        _ => moves::decode(decoder)?,
    };
    // The aligned form is executed by all lanes of a warp together.
    let members = Some(decoder.constant(32, u64::from(u32::MAX)));
    let none = Slot::default();
    Ok(Action::Warp(Box::new(Warp {
        kind: WarpKind::Matrix,
        members,
        matrix: Some(matrix),
        d: none,
        p: None,
        a: none,
        b: none,
        c: none,
        source: Predicate::FALSE,
    })))
}

/// The registers between braces, which are so many.
fn elements<'o, 's>(
    decoder: &Decoder<'_, 's>,
    operand: &'o Operand<'s>,
    count: usize,
) -> Result<&'o [Operand<'s>], ParseError> {
    let Operand::Vector(elements) = operand else { return Err(decoder.unknown()) };
    if elements.len() != count {
        let message = format!("{} registers where the opcode says {count}", elements.len());
        return Err(decoder.error(message));
    }
    Ok(elements)
}

fn sources<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    count: usize,
    bits: u8,
) -> Result<Vec<Slot>, ParseError> {
    elements(decoder, operand, count)?
        .iter()
        .map(|element| {
            // Floats may be written as such.
            let is_float = matches!(element, Operand::Number(Number::Single(_) | Number::Double(_)));
            decoder.source(element, if is_float { Type::Float(bits) } else { Type::Bits(bits) })
        })
        .collect()
}

fn destinations<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    count: usize,
    bits: u8,
) -> Result<Vec<Slot>, ParseError> {
    elements(decoder, operand, count)?.iter().map(|element| decoder.destination(element, bits)).collect()
}

impl Factor {
    /// A factor without its registers.
    fn new(element: ElementType, lines: usize, k: usize, layout: FactorLayout) -> Self {
        Self { element, lines, k, layout, slots: Vec::new() }
    }

    /// Takes so many registers from an operand.
    fn read<'s>(
        mut self,
        decoder: &mut Decoder<'_, 's>,
        operand: &Operand<'s>,
        count: usize,
    ) -> Result<Self, ParseError> {
        self.slots = sources(decoder, operand, count, if self.element.bits() == 64 { 64 } else { 32 })?;
        Ok(self)
    }
}

impl Sums {
    /// Sums without their registers.
    fn new(ty: SumType, rows: usize, cols: usize, layout: SumLayout) -> Self {
        Self { ty, rows, cols, layout, slots: Vec::new() }
    }

    fn registers(&self) -> usize {
        (self.elements() * self.ty.bits() / 32).min(self.elements())
    }

    fn read<'s>(mut self, decoder: &mut Decoder<'_, 's>, operand: &Operand<'s>) -> Result<Self, ParseError> {
        let bits = if self.ty == SumType::Double { 64 } else { 32 };
        self.slots = sources(decoder, operand, self.registers(), bits)?;
        Ok(self)
    }

    fn written<'s>(
        mut self,
        decoder: &mut Decoder<'_, 's>,
        operand: &Operand<'s>,
    ) -> Result<Self, ParseError> {
        let bits = if self.ty == SumType::Double { 64 } else { 32 };
        self.slots = destinations(decoder, operand, self.registers(), bits)?;
        Ok(self)
    }
}
