//! The conditions of `requires`, one for each side of a top-level `&&`.
//!
//! A condition in a fixed grammar means the same on the host and on the device whatever traits and
//! `cfg`s are in force, because none of the user's code runs in it. The grammar: `len()`, `rows()`,
//! `cols()` and `planes()` of a parameter, `len()` of the group, integer parameters and literals, `+ - * / %`, comparisons,
//! `is_power_of_two()` and parentheses.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, Lit, LitInt};

use crate::model::Role;
use crate::text;

/// One condition.
pub(crate) struct Condition {
    /// The condition's text, by which the error says what did not hold.
    pub(crate) text: String,
    pub(crate) kind: ConditionKind,
}

/// Whether a condition lies in the fixed grammar.
pub(crate) enum ConditionKind {
    Fixed(Fact),
    /// Any other expression; it is a `bool` with the parameters' names bound.
    Free(Box<Expr>),
}

/// A condition in the fixed grammar.
pub(crate) enum Fact {
    /// The operator is a comparison.
    Compare {
        operator: BinOp,
        left: Term,
        right: Term,
    },
    PowerOfTwo(Term, Span),
}

/// An integer in the fixed grammar.
pub(crate) enum Term {
    Literal(LitInt),
    /// An integer parameter, its type, and where it stands.
    Value(Ident, Ident, Span),
    /// `len()`, `rows()`, `cols()` or `planes()` of a parameter or of the group.
    Extent {
        extent: Extent,
        parameter: Ident,
        span: Span,
    },
    Arithmetic {
        operator: Operator,
        left: Box<Term>,
        right: Box<Term>,
        span: Span,
    },
}

/// A length that a parameter has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    Len,
    Rows,
    Cols,
    Planes,
}

/// An operation that is checked on the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// A name that conditions may speak of.
type Named<'a> = (&'a Ident, &'a Role);

/// Splits an expression into its conditions, in order.
pub(crate) fn conditions(expr: &Expr, names: &[Named<'_>]) -> Vec<Condition> {
    if let Expr::Binary(ExprBinary { attrs, left, op: BinOp::And(_), right }) = inner(expr)
        && attrs.is_empty()
    {
        let mut both = conditions(left, names);
        both.extend(conditions(right, names));
        return both;
    }
    let kind = match fact(expr, names) {
        Some(fact) => ConditionKind::Fixed(fact),
        None => ConditionKind::Free(Box::new(expr.clone())),
    };
    vec![Condition { text: text::expression(expr), kind }]
}

/// The expression within parentheses; an attribute on them may change what they mean.
fn inner(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) if paren.attrs.is_empty() => inner(&paren.expr),
        Expr::Group(group) if group.attrs.is_empty() => inner(&group.expr),
        _ => expr,
    }
}

fn fact(expr: &Expr, names: &[Named<'_>]) -> Option<Fact> {
    match inner(expr) {
        Expr::Binary(binary) if binary.attrs.is_empty() && is_comparison(&binary.op) => Some(Fact::Compare {
            operator: binary.op,
            left: term(&binary.left, names)?,
            right: term(&binary.right, names)?,
        }),
        Expr::MethodCall(call) if is_plain(call) && call.method == "is_power_of_two" => {
            Some(Fact::PowerOfTwo(term(&call.receiver, names)?, call.method.span()))
        }
        _ => None,
    }
}

fn term(expr: &Expr, names: &[Named<'_>]) -> Option<Term> {
    match inner(expr) {
        Expr::Lit(literal) if literal.attrs.is_empty() => match &literal.lit {
            Lit::Int(integer) => Some(Term::Literal(integer.clone())),
            _ => None,
        },
        Expr::Path(_) => {
            let (name, role) = named(expr, names)?;
            match role {
                Role::Integer(ty) => Some(Term::Value(name.clone(), ty.clone(), inner(expr).span())),
                Role::Extent | Role::Group | Role::Other => None,
            }
        }
        Expr::MethodCall(call) if is_plain(call) => {
            let (name, role) = named(&call.receiver, names)?;
            let extent = extent(&call.method)?;
            match (role, extent) {
                (Role::Extent, _) | (Role::Group, Extent::Len) => {
                    Some(Term::Extent { extent, parameter: name.clone(), span: call.method.span() })
                }
                _ => None,
            }
        }
        Expr::Binary(binary) if binary.attrs.is_empty() => Some(Term::Arithmetic {
            operator: operator(&binary.op)?,
            left: Box::new(term(&binary.left, names)?),
            right: Box::new(term(&binary.right, names)?),
            span: binary.op.span(),
        }),
        _ => None,
    }
}

/// The name that an expression is.
fn named<'a>(expr: &Expr, names: &[Named<'a>]) -> Option<Named<'a>> {
    let Expr::Path(path) = inner(expr) else {
        return None;
    };
    let name = path.path.get_ident()?;
    if !path.attrs.is_empty() || path.qself.is_some() {
        return None;
    }
    names.iter().find(|(other, _)| *other == name).copied()
}

/// Whether a call is `receiver.method()` and no more.
fn is_plain(call: &ExprMethodCall) -> bool {
    call.attrs.is_empty() && call.turbofish.is_none() && call.args.is_empty()
}

fn is_comparison(operator: &BinOp) -> bool {
    use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(operator, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

fn extent(method: &Ident) -> Option<Extent> {
    match method.to_string().as_str() {
        "len" => Some(Extent::Len),
        "rows" => Some(Extent::Rows),
        "cols" => Some(Extent::Cols),
        "planes" => Some(Extent::Planes),
        _ => None,
    }
}

fn operator(operator: &BinOp) -> Option<Operator> {
    match operator {
        BinOp::Add(_) => Some(Operator::Add),
        BinOp::Sub(_) => Some(Operator::Sub),
        BinOp::Mul(_) => Some(Operator::Mul),
        BinOp::Div(_) => Some(Operator::Div),
        BinOp::Rem(_) => Some(Operator::Rem),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;
    use syn::{Ident, parse_quote};

    use super::{Condition, ConditionKind, conditions};
    use crate::model::Role;

    fn parse(text: &str) -> Vec<Condition> {
        let names = [
            ("g", Role::Group),
            ("x", Role::Extent),
            ("m", Role::Extent),
            ("n", Role::Integer(parse_quote!(u32))),
            ("s", Role::Other),
        ]
        .map(|(name, role)| (Ident::new(name, Span::call_site()), role));
        let expr = syn::parse_str(text).expect("test input parses");
        conditions(&expr, &names.each_ref().map(|(name, role)| (name, role)))
    }

    fn is_fixed(text: &str) -> bool {
        let [condition] = <[_; 1]>::try_from(parse(text)).ok().expect("one condition");
        matches!(condition.kind, ConditionKind::Fixed(_))
    }

    #[test]
    fn splits_at_and_through_parentheses() {
        let texts: Vec<_> = parse("x.len() == 4 && (n > 1 && s.ok()) && (n < 2 || n > 4)")
            .into_iter()
            .map(|condition| condition.text)
            .collect();
        assert_eq!(texts, ["x.len() == 4", "n > 1", "s.ok()", "(n < 2 || n > 4)"]);
    }

    #[test]
    fn the_grammar_is_fixed() {
        for text in [
            "x.len() == m.rows() * m.cols()",
            "(x.len() + 1usize) % 4 != 0",
            "x.len().is_power_of_two()",
            "g.len().is_power_of_two()",
            "x.len() == 2 * g.len()",
            "m.planes() == 4",
            "n / 2 >= 1",
            "(n).is_power_of_two()",
            "1 - 2 < 3",
        ] {
            assert!(is_fixed(text), "{text}");
        }
    }

    #[test]
    fn all_else_is_free() {
        for text in [
            "s.len() == 1",
            "s == 1",
            "x.is_empty()",
            "g.rows() == 1",
            "g.index() == 1",
            "g == 1",
            "y.len() == 1",
            "n as usize == x.len()",
            "x.len::<u8>() == 1",
            "x.len(1) == 1",
            "n == -1",
            "n == 1.0",
            "n << 1 == 2",
            "!n == 1",
            "n.len() == 1",
            "x == 1",
            "check!(x)",
            "true",
            "n.pow(2) == 4",
            "self::n == 1",
            "#[cfg(windows)] (n == 1)",
            "(n == 1) == (n == 2)",
            "n == 1 || n == 2",
        ] {
            assert!(!is_fixed(text), "{text}");
        }
    }
}
