//! `Signature`, by which a launch knows a kernel.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::{again, entry, images, item, lifetimes, quiet, requires};
use crate::model::{IndexWidth, Kernel};

/// What differs between the instances of a kernel.
pub(super) struct Use {
    /// The name that a user knows the instance by.
    pub(super) name: String,
    /// How the body is called.
    pub(super) body: TokenStream,
}

impl Use {
    /// A kernel without generic parameters.
    pub(super) fn plain(kernel: &Kernel) -> Self {
        Use { name: kernel.name.unraw().to_string(), body: quote!(__body) }
    }

    /// The name of the entry in a device image: the instance's, in letters, digits and underscores.
    pub(super) fn symbol(&self) -> String {
        let words = self.name.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
    }
}

/// The `Signature` of one instance, and a check of each parameter's type.
pub(super) fn signature(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let this = again(&kernel.name);
    let named = item::named(kernel);
    let types: Vec<Type> =
        kernel.parameters.iter().map(|parameter| lifetimes::launched(&parameter.ty)).collect();
    // On the parentheses of the signature: an error about all of the parameters underlines them.
    let parens = quiet(kernel.signature.paren_token.span.join());
    let parameters = quote_spanned!(parens=> (#(#types,)*));
    let name = &instance.name;
    let names = kernel.parameters.iter().map(|parameter| parameter.name.unraw().to_string());
    let index = match kernel.index {
        IndexWidth::Bits32 => quote!(Bits32),
        IndexWidth::Bits64 => quote!(Bits64),
    };
    let require = requires::require(kernel);
    let run = run(kernel, instance);
    let (host, device) = (host(), device());
    let images = images::images(&private);
    let symbol = instance.symbol();
    let words = types.iter().map(|ty| {
        // Spanned on the type: a type that isn't a parameter's is underlined itself.
        quote_spanned!(ty.span()=> <#ty as #private::Param>::LAYOUT.word())
    });
    let layouts = quote!([#(#words),*]);
    let (ptx, code_object) = entry::sizes(kernel);
    let record = entry::layout_record(instance, &layouts, types.len());
    let entry = entry::entry(kernel, instance);
    quote! {
        #[cfg(#device)]
        const _: () = {
            #entry
            #record
        };

        #[cfg(#host)]
        const _: () =
            <#this #named as #private::Signature>::IMAGES.check(#symbol, &#layouts, #ptx, #code_object);

        // SAFETY: `Params`, `PARAMETERS` and `run` are all made from the one signature, `require` tests every condition,
        // and `run` hands the arguments on as they are.
        #[cfg(#host)]
        unsafe impl #private::Signature for #this #named {
            type Params = #parameters;
            const NAME: &'static str = #name;
            const PARAMETERS: &'static [&'static str] = &[#(#names),*];
            const INDEX: #private::IndexWidth = #private::IndexWidth::#index;
            const ENTRY: &'static str = #symbol;
            const IMAGES: &'static #private::Images = #images;
            #require
            #run
        }
    }
}

/// The targets on which a kernel is launched rather than run.
pub(super) fn host() -> TokenStream {
    quote!(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))
}

/// The crate that becomes an image, among those that the device build compiles.
fn device() -> TokenStream {
    quote!(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), gridwright_entries))
}

fn run(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let body = &instance.body;
    // Hygienic names, so that no parameter can have one of them.
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (shape, chunk, arguments) = (local("shape"), local("chunk"), local("arguments"));
    let thread = local("thread");
    let values: Vec<_> = (0..kernel.parameters.len())
        .map(|position| format_ident!("value_{position}", span = Span::mixed_site()))
        .collect();
    quote! {
        #[inline(always)]
        unsafe fn run<__Shape: #private::Shape>(
            #shape: __Shape,
            #chunk: &#private::Chunk,
            #arguments: &#private::Raw<Self>,
        ) {
            // SAFETY: `run` has the contract of `run_threads`.
            unsafe {
                #private::run_threads::<Self::Params, __Shape, _>(
                    #shape,
                    #chunk,
                    #arguments,
                    |#thread, (#(#values,)*)| #body(#thread, #(#values),*),
                )
            }
        }
    }
}
