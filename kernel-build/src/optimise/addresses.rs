//! Addresses of a row and a column.
//!
//! LLVM adds a row's bytes to a pointer, and to that a column's, since a loop over columns then needs the first sum once. Where both stand
//! in one basic block that only costs: `(pointer + 4 * row) + 4 * col` is `pointer + 4 * (row + col)`, whose sum is a part of the row's
//! multiplication, and one number for all matrices of that shape; and of shared memory ptxas multiplies by 4 in the access itself.

use super::body::{Body, operands};
use super::registers::Registers;
use super::replaced;

/// A number times a constant.
#[derive(Clone, Copy)]
struct Product<'t> {
    number: Number<'t>,
    factor: u64,
}

#[derive(Clone, Copy)]
enum Number<'t> {
    /// A register of 64 bits.
    Wide(&'t str),
    /// One of 32 bits, which is widened.
    Narrow(&'t str),
}

/// Adds a column to its row before both are made bytes.
pub(super) fn join(body: &Body<'_>, changes: &mut Vec<(usize, String)>) {
    let registers = Registers::of(body);
    let block = blocks(body);
    for (at, statement) in body.statements.iter().enumerate() {
        let ("add.s64", &[to, a, b], false) =
            (statement.opcode, operands(statement).as_slice(), statement.is_predicated)
        else {
            continue;
        };
        let joined = [(a, b), (b, a)].into_iter().find_map(|(row_pointer, col)| {
            let col = power(product(&registers, col)?)?;
            let is_here = |register: &str| registers.place(register).is_some_and(|place| block[place] == block[at]);
            if !is_here(row_pointer) || registers.uses(row_pointer) != 1 {
                return None;
            }
            rows(&registers, row_pointer).into_iter().find_map(|(pointer, row)| {
                let times = row.factor / col.factor;
                // Otherwise the sum of row and column costs what it spares.
                let spares = is_shared(&registers, pointer)
                    || times == 1 && matches!(row.number, Number::Wide(row) if is_here(row) && is_product(&registers, row));
                let is_whole = times > 0 && times * col.factor == row.factor;
                (is_whole && spares && registers.is_constant(pointer)).then_some((pointer, row, times, col))
            })
        });
        let Some((pointer, row, times, col)) = joined else { continue };
        let mut text = String::from("\t{ .reg .b64 %row, %col; ");
        let widened = |number: Number<'_>, to: &str| match number {
            Number::Wide(register) => (register.to_owned(), String::new()),
            Number::Narrow(register) => (to.to_owned(), format!("cvt.u64.u32 \t{to}, {register}; ")),
        };
        let (col_register, widen) = widened(col.number, "%col");
        text.push_str(&widen);
        let row_register = match (row.number, times) {
            (number, 1) => {
                let (register, widen) = widened(number, "%row");
                text.push_str(&widen);
                register
            }
            (Number::Narrow(register), times) => {
                text.push_str(&format!("mul.wide.u32 \t%row, {register}, {times}; "));
                "%row".to_owned()
            }
            (Number::Wide(register), times) => {
                text.push_str(&format!("mul.lo.s64 \t%row, {register}, {times}; "));
                "%row".to_owned()
            }
        };
        text.push_str(&format!(
            "add.s64 \t%row, {row_register}, {col_register}; shl.b64 \t%row, %row, {}; add.s64 \t{to}, {pointer}, %row; }}\n",
            col.factor.trailing_zeros()
        ));
        replaced(body, at, text, changes);
    }
}

/// The number of each statement's basic block.
fn blocks(body: &Body<'_>) -> Vec<usize> {
    let mut number = 0;
    let labelled = body.labelled();
    let numbered = body.statements.iter().enumerate().map(|(at, statement)| {
        number += usize::from(labelled.contains(&at));
        let own = number;
        number += usize::from(statement.is_branch() || statement.is_end());
        own
    });
    numbered.collect()
}

/// A register that is a product with a constant.
fn product<'t>(registers: &Registers<'_, 't>, register: &str) -> Option<Product<'t>> {
    let (opcode, operands) = registers.definition(register)?;
    let (number, factor) = match (opcode, operands.as_slice()) {
        ("shl.b64", &[_, number, by]) => (Number::Wide(number), 1_u64.checked_shl(by.parse().ok()?)?),
        ("mul.lo.s64", &[_, number, factor]) => (Number::Wide(number), factor.parse::<u32>().ok()?.into()),
        ("mul.wide.u32", &[_, number, factor]) => {
            (Number::Narrow(number), factor.parse::<u32>().ok()?.into())
        }
        _ => return None,
    };
    let (Number::Wide(of) | Number::Narrow(of)) = number;
    (factor < 1 << 32 && registers.is_constant(of)).then_some(Product { number, factor })
}

/// The product, if a shift makes it.
fn power(product: Product<'_>) -> Option<Product<'_>> {
    (product.factor.is_power_of_two() && product.factor > 1).then_some(product)
}

/// The ways to see a register as the sum of a pointer and a row's bytes.
fn rows<'t>(registers: &Registers<'_, 't>, sum: &str) -> Vec<(&'t str, Product<'t>)> {
    let Some((opcode, operands)) = registers.definition(sum) else { return Vec::new() };
    match (opcode, operands.as_slice()) {
        ("add.s64", &[_, a, b]) => {
            let of = |(pointer, bytes)| Some((pointer, product(registers, bytes)?));
            [(a, b), (b, a)].into_iter().filter_map(of).collect()
        }
        ("mad.lo.s64", &[_, number, factor, pointer]) if registers.is_constant(number) => {
            let of = |factor: u32| (pointer, Product { number: Number::Wide(number), factor: factor.into() });
            factor.parse().ok().map(of).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a pointer is that of a variable, as shared memory's is.
fn is_shared(registers: &Registers<'_, '_>, pointer: &str) -> bool {
    registers.definition(pointer).is_some_and(|(opcode, operands)| {
        opcode == "mov.b64"
            && operands
                .get(1)
                .is_some_and(|variable| variable.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    })
}

/// Whether a register is a product of two.
fn is_product(registers: &Registers<'_, '_>, register: &str) -> bool {
    registers
        .definition(register)
        .is_some_and(|(opcode, _)| opcode.starts_with("mul.lo.") || opcode == "mul.wide.u32")
}
