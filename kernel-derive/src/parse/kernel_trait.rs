//! What `kernel_trait!` is called with: `[gridwright]` and a trait whose types are generic kernels.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, GenericParam, Generics, Path, PathArguments, Result, Token, TypeParamBound, Visibility,
    braced, bracketed, parenthesized,
};

use super::instance::root;
use crate::messages;

/// A trait whose associated types are instances.
pub(crate) struct KernelTrait {
    /// `$crate` of the facade's macro.
    pub(crate) root: TokenStream,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) supertraits: Punctuated<TypeParamBound, Token![+]>,
    pub(crate) kernels: Vec<TraitKernel>,
}

/// One of its types.
pub(crate) struct TraitKernel {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
    /// The generic kernel with its arguments, from `crate::`.
    pub(crate) kernel: Path,
}

impl Parse for KernelTrait {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let root = root(input)?;
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![trait]>()?;
        let name = input.parse()?;
        let mut generics: Generics = input.parse()?;
        let mut supertraits = Punctuated::new();
        if input.peek(Token![:]) {
            input.parse::<Token![:]>()?;
            while !input.peek(Token![where]) && !input.peek(syn::token::Brace) {
                supertraits.push_value(input.parse()?);
                if !input.peek(Token![+]) {
                    break;
                }
                supertraits.push_punct(input.parse()?);
            }
        }
        generics.where_clause = input.parse()?;
        let content;
        braced!(content in input);
        let mut kernels = Vec::new();
        while !content.is_empty() {
            kernels.push(content.parse()?);
        }
        Ok(Self { root, attributes, visibility, name, generics, supertraits, kernels })
    }
}

impl Parse for TraitKernel {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Token![type]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let kernel: Path = input.parse()?;
        input.parse::<Token![;]>()?;
        let is_absolute = kernel.segments.first().is_some_and(|first| first.ident == "crate");
        if !is_absolute {
            return Err(Error::new_spanned(&kernel, messages::trait_kernel_path(&kernel)));
        }
        Ok(Self { attributes, name, kernel })
    }
}

/// A trait as its carrier describes it: see `expand::kernel_trait`.
pub(crate) struct DescribedTrait {
    pub(crate) generics: Vec<GenericParam>,
    /// The kernels: the name of each type, the path without arguments, and the arguments.
    pub(crate) kernels: Vec<(Ident, Path, PathArguments)>,
}

impl Parse for DescribedTrait {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let parameters;
        parenthesized!(parameters in input);
        let generics = Punctuated::<GenericParam, Token![,]>::parse_terminated(&parameters)?;
        let mut kernels = Vec::new();
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            let (path, arguments);
            bracketed!(path in input);
            let path = path.call(Path::parse_mod_style)?;
            bracketed!(arguments in input);
            let arguments = match arguments.is_empty() {
                true => PathArguments::None,
                false => PathArguments::AngleBracketed(arguments.parse()?),
            };
            kernels.push((name, path, arguments));
        }
        Ok(Self { generics: generics.into_iter().collect(), kernels })
    }
}
