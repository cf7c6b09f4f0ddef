//! Casts to integers that CPUs have vectors of. The compiler casts one float after the other, so the body asks the library first.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{
    AngleBracketedGenericArguments, Block, Expr, ExprConst, ExprRepeat, Item, Pat, Type, UnOp, parse2,
};

use super::{local, quiet};

/// A body whose casts to integers of at most 32 bits ask whether the value is a float that the library casts, and which is else as it
/// was. What isn't Rust stays as it is, and the compiler says so.
pub(super) fn saturated(private: &TokenStream, body: Group) -> Group {
    if !has_cast(body.stream()) {
        return body;
    }
    let Ok(mut block) = parse2::<Block>(TokenTree::Group(body.clone()).into()) else {
        return body;
    };
    Casts { private, count: 0 }.visit_block_mut(&mut block);
    match quote!(#block).into_iter().next() {
        Some(TokenTree::Group(mut group)) => {
            group.set_span(body.span());
            group
        }
        _ => body,
    }
}

/// Whether `as` stands before such a type somewhere, which spares parsing most bodies.
fn has_cast(tokens: TokenStream) -> bool {
    let mut after_as = false;
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => {
            let is_cast = after_as && INTEGERS.iter().any(|integer| word == integer);
            after_as = word == "as";
            is_cast
        }
        TokenTree::Group(group) => {
            after_as = false;
            has_cast(group.stream())
        }
        _ => {
            after_as = false;
            false
        }
    })
}

const INTEGERS: [&str; 6] = ["u8", "i8", "u16", "i16", "u32", "i32"];

struct Casts<'k> {
    private: &'k TokenStream,
    count: usize,
}

impl VisitMut for Casts<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Cast(cast) = expr else { return };
        let (mut value, ty) = (&*cast.expr, &cast.ty);
        if !cast.attrs.is_empty() || is_literal(value) || !is_integer(ty) {
            return;
        }
        // The compiler would say of the user's parentheses that a new name's value needs none.
        while let Expr::Paren(inner) = value {
            value = &inner.expr;
        }
        let private = self.private;
        let span = quiet(cast.as_token.span);
        let (mut cast_0, number_0) = (local("cast", self.count), at(local("number", self.count), span));
        self.count += 1;
        // Errors in the cast are about the user's code, and begin where the value does.
        if let Some(first) = value.to_token_stream().into_iter().next() {
            cast_0.set_span(first.span());
        }
        let as_token = cast.as_token;
        *expr = Expr::Verbatim(quote_spanned! {span=>
            ({
                let #cast_0 = #value;
                match #private::saturated::<#ty, _>(&#cast_0) {
                    #private::core::option::Option::Some(#number_0) => #number_0,
                    #private::core::option::Option::None => #cast_0 #as_token #ty,
                }
            })
        });
    }

    // Where only constants may be, or names of the kernel's mean something else.
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}

    fn visit_expr_repeat_mut(&mut self, repeat: &mut ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_angle_bracketed_generic_arguments_mut(&mut self, _: &mut AngleBracketedGenericArguments) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_pat_mut(&mut self, _: &mut Pat) {}

    fn visit_type_mut(&mut self, _: &mut Type) {}
}

/// A name of the macro's that errors show at a place of the user's.
fn at(mut name: Ident, span: Span) -> Ident {
    name.set_span(name.span().located_at(span));
    name
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if INTEGERS.iter().any(|integer| path.path.is_ident(integer)))
}

/// Whether a value is a literal, whose type may be that of the cast.
fn is_literal(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Unary(negative) => matches!(negative.op, UnOp::Neg(_)) && is_literal(&negative.expr),
        Expr::Paren(inner) => is_literal(&inner.expr),
        Expr::Group(inner) => is_literal(&inner.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    fn of(body: proc_macro2::TokenStream) -> String {
        let group = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, body);
        super::saturated(&quote!(p), group).into_token_stream().to_string()
    }

    #[test]
    fn casts_of_values_ask_the_library_first() {
        let cast = "({ let cast_0 = x + 0.5 ; match p :: saturated :: < u8 , _ > (& cast_0) { \
                    p :: core :: option :: Option :: Some (number_0) => number_0 , \
                    p :: core :: option :: Option :: None => cast_0 as u8 , } })";
        assert_eq!(of(quote!(y = (x + 0.5) as u8;)), format!("{{ y = {cast} ; }}"));
        assert_eq!(of(quote!(f(x as i16 as u32))).matches("saturated").count(), 2);
        assert_eq!(of(quote!(if a as i32 == 3 && (b as u32) < 4 {})).matches("saturated").count(), 2);
    }

    #[test]
    fn constants_and_casts_to_other_types_stay_as_they_are() {
        for body in [
            quote!(x as u64),
            quote!(x as f32),
            quote!(x as usize),
            quote!(300 as u8),
            quote!(-(1) as u8),
            quote!([0; N as u8 as usize]),
            quote!(const { N as u8 }),
            quote!(
                const K: u8 = N as u8;
            ),
            quote!(x as u8 as),
        ] {
            assert!(!of(body.clone()).contains("saturated"), "{body}");
        }
    }
}
