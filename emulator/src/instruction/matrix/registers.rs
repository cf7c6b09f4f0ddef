//! The registers of matrices, between braces.

use super::operation::{ElementType, Factor, FactorLayout, SumLayout, SumType, Sums};
use crate::instruction::decoder::Decoder;
use crate::machine::Slot;
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};

/// The registers between braces, which are so many.
pub(super) fn elements<'o, 's>(
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

pub(super) fn sources<'s>(
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

pub(super) fn destinations<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    count: usize,
    bits: u8,
) -> Result<Vec<Slot>, ParseError> {
    elements(decoder, operand, count)?.iter().map(|element| decoder.destination(element, bits)).collect()
}

impl Factor {
    /// A factor without its registers.
    pub(super) fn new(element: ElementType, lines: usize, k: usize, layout: FactorLayout) -> Self {
        Self { element, lines, k, layout, slots: Vec::new() }
    }

    /// Takes so many registers from an operand.
    pub(super) fn read<'s>(
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
    pub(super) fn new(ty: SumType, rows: usize, cols: usize, layout: SumLayout) -> Self {
        Self { ty, rows, cols, layout, slots: Vec::new() }
    }

    pub(super) fn registers(&self) -> usize {
        (self.elements() * self.ty.bits() / 32).min(self.elements())
    }

    pub(super) fn read<'s>(
        mut self,
        decoder: &mut Decoder<'_, 's>,
        operand: &Operand<'s>,
    ) -> Result<Self, ParseError> {
        let bits = if self.ty == SumType::Double { 64 } else { 32 };
        self.slots = sources(decoder, operand, self.registers(), bits)?;
        Ok(self)
    }

    pub(super) fn written<'s>(
        mut self,
        decoder: &mut Decoder<'_, 's>,
        operand: &Operand<'s>,
    ) -> Result<Self, ParseError> {
        let bits = if self.ty == SumType::Double { 64 } else { 32 };
        self.slots = destinations(decoder, operand, self.registers(), bits)?;
        Ok(self)
    }
}
