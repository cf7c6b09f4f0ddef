//! What `instance!` is called with: `[gridwright] pub kernel scale = library::map<Scale>;`, or `impl library::Sort for Key;`. The facade's
//! macro puts the brackets there. And what it hands on through the macro of the generic kernel's name.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Error, Path, PathArguments, Result, Token, Type, Visibility, braced, bracketed, parenthesized,
};

use crate::messages;

/// The calls, each with what the others have in common.
pub(crate) struct InstanceCalls {
    /// `$crate` of the facade's macro.
    pub(crate) root: TokenStream,
    pub(crate) calls: Vec<InstanceCall>,
}

/// One of the calls.
pub(crate) enum InstanceCall {
    Kernel(Given),
    Trait(GivenTrait),
}

/// What a user says of an instance.
pub(crate) struct Given {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// The generic kernel with its arguments.
    pub(crate) kernel: Path,
}

/// A trait of instances, and the type that it is implemented for.
pub(crate) struct GivenTrait {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) path: Path,
    pub(crate) implementor: Type,
}

impl Parse for InstanceCalls {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let root = root(input)?;
        let mut calls = Vec::new();
        while !input.is_empty() {
            calls.push(input.parse()?);
            if !input.is_empty() {
                input
                    .parse::<Token![;]>()
                    .map_err(|error| Error::new(error.span(), messages::INSTANCE_END))?;
            }
        }
        Ok(Self { root, calls })
    }
}

/// The path of the framework, in brackets.
pub(super) fn root(input: ParseStream<'_>) -> Result<TokenStream> {
    let brackets;
    bracketed!(brackets in input);
    brackets.parse()
}

impl Parse for InstanceCall {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        if input.peek(Token![impl]) {
            input.parse::<Token![impl]>()?;
            let path: Path = input.parse()?;
            input.parse::<Token![for]>()?;
            return Ok(Self::Trait(GivenTrait { attributes, path, implementor: input.parse()? }));
        }
        let visibility = input.parse()?;
        let word: Ident = input.parse().map_err(|error| Error::new(error.span(), messages::INSTANCE_FORM))?;
        if word != "kernel" {
            return Err(Error::new(word.span(), messages::INSTANCE_FORM));
        }
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let kernel: Path = input.parse()?;
        let has_arguments = kernel
            .segments
            .last()
            .is_some_and(|last| matches!(last.arguments, PathArguments::AngleBracketed(_)));
        if !has_arguments {
            return Err(Error::new_spanned(&kernel, messages::instance_without_arguments(&kernel)));
        }
        Ok(Self::Kernel(Given { attributes, visibility, name, kernel }))
    }
}

/// What comes back from the macro of a generic kernel's name: what was given, and the kernel's description.
pub(crate) struct Carried<G, D> {
    pub(crate) root: Path,
    pub(crate) given: G,
    pub(crate) description: D,
}

impl<G: FromCarrier, D: Parse> Parse for Carried<G, D> {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (given, description);
        braced!(given in input);
        braced!(description in input);
        let root = syn::parse2(root(&given)?)?;
        Ok(Self { root, given: G::from_carrier(&given)?, description: description.parse()? })
    }
}

/// What is given, as `expand` writes it for a carrier.
pub(crate) trait FromCarrier: Sized {
    fn from_carrier(input: ParseStream<'_>) -> Result<Self>;
}

impl FromCarrier for Given {
    fn from_carrier(input: ParseStream<'_>) -> Result<Self> {
        let (attributes, visibility) = (input.call(Attribute::parse_outer)?, input.parse()?);
        Ok(Self { attributes, visibility, name: input.parse()?, kernel: input.parse()? })
    }
}

impl FromCarrier for GivenTrait {
    fn from_carrier(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let path;
        parenthesized!(path in input);
        Ok(Self { attributes, path: path.parse()?, implementor: input.parse()? })
    }
}
