//! PTX text to syntax: tokens, directives, statements. What instructions mean is the business of `instruction`.

pub(crate) mod error;
mod expression;
mod function;
mod lexer;
mod number;
mod operand;
mod reference;
pub(crate) mod syntax;
mod unit;
mod variable;
mod vectors;

pub use error::ParseError;
pub(crate) use unit::parse;
