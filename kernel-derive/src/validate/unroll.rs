//! The bounds of `unroll!`, and the ways out of its body.

use std::ops::RangeInclusive;

use proc_macro2::Literal;
use syn::visit_mut::{VisitMut, visit_expr_mut};
use syn::{
    Block, Expr, ExprBreak, ExprContinue, ExprRange, Item, Lifetime, Lit, LitInt, Pat, RangeLimits, UnOp,
};

use crate::messages;
use crate::parse::Unroll;
use crate::report::Report;

/// The most copies of a body.
const MOST: usize = 1024;

/// A loop whose turns are written out.
pub(crate) struct Unrolled {
    pub(crate) pattern: Pat,
    /// The body, in which ways out of the loop are breaks of the labels.
    pub(crate) body: Block,
    pub(crate) copies: Copies,
    /// The label of all turns.
    pub(crate) all: Lifetime,
    /// The label of one turn.
    pub(crate) turn: Lifetime,
}

/// The copies that are written out.
pub(crate) enum Copies {
    /// Copies of every turn.
    All(Vec<Literal>),
    /// Copies of turns from a number to before another, so many at a time.
    By(usize, Box<(Expr, Expr)>),
}

/// The loop with its copies; none with errors.
pub(crate) fn unroll(unroll: Unroll, report: &mut Report) -> Option<Unrolled> {
    let Unroll { factor, turns } = unroll;
    let copies = match factor {
        None => all(&turns.expr, report),
        Some(factor) => by(&factor, *turns.expr, report),
    }?;
    let label = |name: &str| Lifetime::new(name, proc_macro2::Span::mixed_site());
    let (all, turn) = (label("'unrolled"), label("'turn"));
    let mut body = turns.body;
    let mut ways_out =
        WaysOut { all: &all, turn: &turn, own: turns.label.map(|label| label.name), in_a_loop: false };
    ways_out.visit_block_mut(&mut body);
    Some(Unrolled { pattern: *turns.pat, body, copies, all, turn })
}

fn all(range: &Expr, report: &mut Report) -> Option<Copies> {
    let Some((numbers, suffix)) = numbers(range) else {
        report.error(range, messages::UNROLL_BOUNDS);
        return None;
    };
    let count = numbers.clone().take(MOST + 1).count();
    if count > MOST {
        report.error(range, messages::unroll_too_much(MOST));
        return None;
    }
    let literal = |number: i128| {
        let text = format!("{number}{suffix}");
        // The suffix is the user's, and the number between two of the user's.
        text.parse::<Literal>().ok()
    };
    numbers.map(literal).collect::<Option<_>>().map(Copies::All)
}

fn by(factor: &LitInt, range: Expr, report: &mut Report) -> Option<Copies> {
    let Ok(copies @ 1..=MOST) = factor.base10_parse() else {
        report.error(factor, messages::unroll_factor(MOST));
        return None;
    };
    if let Expr::Range(ExprRange {
        start: Some(start),
        end: Some(end),
        limits: RangeLimits::HalfOpen(_),
        ..
    }) = &range
    {
        return Some(Copies::By(copies, Box::new((*start.clone(), *end.clone()))));
    }
    report.error(range, messages::UNROLL_RANGE);
    None
}

/// The numbers of a range of literals, and the suffix that one has.
fn numbers(range: &Expr) -> Option<(RangeInclusive<i128>, String)> {
    let Expr::Range(range) = range else { return None };
    let ((start, suffix), (end, other)) = (number(range.start.as_deref()?)?, number(range.end.as_deref()?)?);
    let end = match range.limits {
        RangeLimits::HalfOpen(_) => end.checked_sub(1)?,
        RangeLimits::Closed(_) => end,
    };
    Some((start..=end, if suffix.is_empty() { other } else { suffix }))
}

fn number(literal: &Expr) -> Option<(i128, String)> {
    match literal {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Some((number.base10_parse().ok()?, number.suffix().to_owned())),
            _ => None,
        },
        Expr::Unary(negative) if matches!(negative.op, UnOp::Neg(_)) => {
            let (number, suffix) = number(&negative.expr)?;
            Some((-number, suffix))
        }
        Expr::Paren(inner) => number(&inner.expr),
        Expr::Group(inner) => number(&inner.expr),
        _ => None,
    }
}

/// Makes `break` and `continue` of the loop breaks of the blocks that stand for it.
struct WaysOut<'l> {
    all: &'l Lifetime,
    turn: &'l Lifetime,
    /// The loop's own label.
    own: Option<Lifetime>,
    /// Whether this is inside a loop in the body, whose ways out are its own.
    in_a_loop: bool,
}

impl WaysOut<'_> {
    fn is_of_the_loop(&self, label: Option<&Lifetime>) -> bool {
        match label {
            None => !self.in_a_loop,
            Some(label) => self.own.as_ref() == Some(label),
        }
    }
}

impl VisitMut for WaysOut<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Break(ExprBreak { label, expr: None, .. }) if self.is_of_the_loop(label.as_ref()) => {
                *label = Some(self.all.clone());
            }
            Expr::Continue(ExprContinue { label, .. }) if self.is_of_the_loop(label.as_ref()) => {
                let turn = self.turn;
                *expression = syn::parse_quote!(break #turn);
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                let before = std::mem::replace(&mut self.in_a_loop, true);
                visit_expr_mut(self, expression);
                self.in_a_loop = before;
            }
            // Ways out don't cross these.
            Expr::Closure(_) | Expr::Async(_) => {}
            _ => visit_expr_mut(self, expression),
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
