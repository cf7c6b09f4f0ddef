//! `#[foreign_kernels(...)]` and the block under it.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Error, ItemForeignMod, LitStr, Path, Result, Token};

use crate::messages;

/// What was written between the parentheses of the attribute.
pub(crate) struct ForeignArguments {
    pub(crate) root: Path,
    /// The paths of the images.
    pub(crate) images: Vec<LitStr>,
}

impl Parse for ForeignArguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut arguments = ForeignArguments { root: super::default_root(), images: Vec::new() };
        while !input.is_empty() {
            if input.peek(LitStr) {
                arguments.images.push(input.parse()?);
            } else if input.peek(Token![crate]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                arguments.root = input.call(Path::parse_mod_style)?;
            } else {
                return Err(Error::new(input.span(), messages::FOREIGN_ARGUMENT));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if arguments.images.is_empty() {
            return Err(Error::new(input.span(), messages::NO_FOREIGN_IMAGE));
        }
        Ok(arguments)
    }
}

/// Parses the item, which must be a block of declarations.
pub(crate) fn foreign_block(item: TokenStream) -> Result<ItemForeignMod> {
    let span = item.clone();
    syn::parse2(item).map_err(|error| match syn::parse2::<syn::Item>(span.clone()) {
        Ok(_) => Error::new_spanned(span, messages::NOT_A_FOREIGN_BLOCK),
        Err(_) => error,
    })
}
