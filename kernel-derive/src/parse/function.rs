//! The item under `#[gpu_kernel]`.

use proc_macro2::{Group, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Item, Result, Signature, Visibility, token};

use crate::messages;

/// A function whose body stays as it was written: half-typed code in it is for rustc to judge.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: Group,
}

/// Parses the item, which must be a function.
pub(crate) fn function(item: TokenStream) -> Result<Function> {
    syn::parse2(item.clone()).map_err(|error| match syn::parse2::<Item>(item) {
        Ok(Item::Fn(_) | Item::Verbatim(_)) | Err(_) => error,
        Ok(other) => Error::new_spanned(&other, messages::not_a_function(noun(&other))),
    })
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Function {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: {
                if !input.peek(token::Brace) {
                    return Err(input.error(messages::NO_BODY));
                }
                input.parse()?
            },
        })
    }
}

/// What an item is called in an error.
fn noun(item: &Item) -> &'static str {
    match item {
        Item::Const(_) => "a constant",
        Item::Enum(_) => "an enum",
        Item::Impl(_) => "an `impl` block",
        Item::Macro(_) => "a macro",
        Item::Mod(_) => "a module",
        Item::Static(_) => "a static",
        Item::Struct(_) => "a struct",
        Item::Trait(_) | Item::TraitAlias(_) => "a trait",
        Item::Type(_) => "a type alias",
        Item::Union(_) => "a union",
        Item::Use(_) => "a `use`",
        _ => "something else",
    }
}
