//! What `operator!` is called with: `[gridwright] struct Affine { by: f32 } = |x: f32| -> f32 { x * by };`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Block, Error, Field, Generics, Pat, Result, Token, Type, Visibility, braced, token};

use super::instance::root;
use crate::messages;

/// Operators, each a struct and a closure over its fields.
pub(crate) struct Operators {
    /// `$crate` of the facade's macro.
    pub(crate) root: TokenStream,
    pub(crate) operators: Vec<Operator>,
}

/// An operator.
pub(crate) struct Operator {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// What it captures.
    pub(crate) fields: Vec<Field>,
    /// `for<T>`: what it is for any of.
    pub(crate) generics: Generics,
    pub(crate) arguments: Vec<(Pat, Type)>,
    pub(crate) output: Type,
    pub(crate) body: Block,
}

impl Parse for Operators {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let root = root(input)?;
        let mut operators = Vec::new();
        while !input.is_empty() {
            operators.push(input.parse()?);
            if input.peek(Token![;]) {
                input.parse::<Token![;]>()?;
            }
        }
        Ok(Self { root, operators })
    }
}

impl Parse for Operator {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if !input.peek(Token![struct]) {
            return Err(input.error(messages::OPERATOR_FORM));
        }
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        if input.peek(Token![<]) {
            return Err(input.error(messages::OPERATOR_GENERIC_STRUCT));
        }
        let fields = match input.peek(token::Brace) {
            true => {
                let content;
                braced!(content in input);
                let fields = content.parse_terminated(Field::parse_named, Token![,])?;
                fields.into_iter().collect()
            }
            false => Vec::new(),
        };
        if !input.peek(Token![=]) {
            return Err(input.error(messages::OPERATOR_FORM));
        }
        input.parse::<Token![=]>()?;
        let generics = match input.peek(Token![for]) {
            true => {
                input.parse::<Token![for]>()?;
                input.parse()?
            }
            false => Generics::default(),
        };
        if input.peek(Token![move]) {
            return Err(input.error(messages::OPERATOR_MOVE));
        }
        if input.peek(Token![async]) {
            return Err(input.error(messages::OPERATOR_ASYNC));
        }
        let arguments = arguments(input)?;
        if !input.peek(Token![->]) {
            return Err(input.error(messages::OPERATOR_OUTPUT));
        }
        input.parse::<Token![->]>()?;
        let output = input.call(Type::without_plus)?;
        if !input.peek(token::Brace) {
            return Err(input.error(messages::OPERATOR_BODY));
        }
        let body = input.parse()?;
        Ok(Self { attributes, visibility, name, fields, generics, arguments, output, body })
    }
}

/// `|x: f32, y: f32|`.
fn arguments(input: ParseStream<'_>) -> Result<Vec<(Pat, Type)>> {
    if input.peek(Token![||]) {
        return Err(input.error(messages::OPERATOR_WITHOUT_ARGUMENTS));
    }
    if !input.peek(Token![|]) {
        return Err(input.error(messages::OPERATOR_FORM));
    }
    input.parse::<Token![|]>()?;
    let mut arguments = Punctuated::<(Pat, Type), Token![,]>::new();
    while !input.peek(Token![|]) {
        let pat = input.call(Pat::parse_single)?;
        if !input.peek(Token![:]) {
            return Err(Error::new_spanned(pat, messages::OPERATOR_ARGUMENT_TYPE));
        }
        input.parse::<Token![:]>()?;
        arguments.push_value((pat, input.parse()?));
        if !input.peek(Token![|]) {
            arguments.push_punct(input.parse()?);
        }
    }
    input.parse::<Token![|]>()?;
    if arguments.is_empty() {
        return Err(input.error(messages::OPERATOR_WITHOUT_ARGUMENTS));
    }
    Ok(arguments.into_iter().collect())
}
