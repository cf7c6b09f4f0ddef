//! `Signature`, by which a launch knows a kernel.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;

use super::{
    again, aliases, argument, bounds, call, cpu, entry, images, item, lifetimes, quiet, record, requires,
    workgroup,
};
use crate::model::{Contraction, Kernel};

/// What differs between the instances of a kernel.
pub(super) struct Use {
    /// The name that a user knows the instance by.
    pub(super) name: String,
    /// Its number among the kernel's instances.
    pub(super) number: usize,
    /// How the body is called.
    pub(super) body: TokenStream,
}

impl Use {
    /// A kernel without generic parameters.
    pub(super) fn plain(kernel: &Kernel) -> Self {
        Use { name: kernel.name.unraw().to_string(), number: 0, body: quote!(__body) }
    }

    /// The entry's symbol, which no other entry of the image has. PTX takes no `::`, so the path can't be in it; `kernel-build` gives the
    /// entry its final name. `$` sorts before letters and digits, so entries lie in the order of their names.
    pub(super) fn symbol(&self, kernel: &Kernel) -> String {
        let words = self.name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
        format!("{name}${}_{}", kernel.number, self.number)
    }

    /// The kernel's path, from the crate's name on, as a constant.
    pub(super) fn path(&self, private: &TokenStream) -> TokenStream {
        let name = format!("::{}", self.name);
        quote!(#private::core::concat!(#private::core::module_path!(), #name))
    }
}

/// The `Signature` of one instance, and a check of each parameter's type.
pub(super) fn signature(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let this = again(&kernel.name);
    let named = item::named(kernel);
    let types: Vec<Type> = kernel.passed().map(|(_, parameter)| lifetimes::launched(&parameter.ty)).collect();
    // On the parentheses of the signature: an error about all of the parameters underlines them.
    let parens = quiet(kernel.signature.paren_token.span.join());
    let parameters = quote_spanned!(parens=> (#(#types,)*));
    let name = &instance.name;
    let names = kernel.passed().map(|(_, parameter)| parameter.name.unraw().to_string());
    let require = requires::require(kernel);
    let (constants, asserts) = (bounds::constants(kernel, "__"), bounds::asserts(kernel));
    let bounds_of_launches = bounds::bounds(kernel);
    let memory = workgroup::constants(kernel);
    let (cpu, implementation) = (cpu::constant(kernel), cpu::implementation(kernel));
    let (host, device) = (host(), device(kernel));
    let images = images::images(&private, &kernel.name.unraw().to_string());
    let path = instance.path(&private);
    let (sizes, values) = entry::sizes(kernel);
    let fit = kernel.parameters.iter().filter_map(|parameter| argument::fits(&private, parameter));
    let in_parts = entry::values_in_parts(kernel);
    let (device_record, path_record) =
        (entry::record(kernel, instance), entry::path_record(kernel, instance));
    let (aliases, call, conditions) =
        (aliases::aliases(kernel), call::call(kernel, instance), requires::functions(kernel));
    let is_unsafe = kernel.is_unsafe();
    let instance_of = match &kernel.origin {
        Some(_) => Some(quote!(__Generic)),
        None => kernel.is_open.then(|| quote!(Self)),
    };
    let instance_of = instance_of.map(|generic| {
        quote! {
            // SAFETY: the body is the generic kernel's, or a call of it.
            #[cfg(#host)]
            unsafe impl #private::Instance<#generic> for #this #named {}
        }
    });
    let (record, spellings) = (record::record(kernel), record::spellings(kernel));
    let threads_record = entry::threads_record(kernel, instance);
    let entry = entry::entry(kernel, instance);
    let bounds_record = bounds::record(kernel, instance);
    quote! {
        #constants
        #aliases
        #call
        #conditions
        #record
        #spellings
        #(#fit)*

        #[cfg(#device)]
        const _: () = {
            #entry
            #device_record
            #path_record
            #threads_record
            #bounds_record
        };

        #asserts

        #[cfg(#host)]
        const _: () = #private::Images::check(
            <#this #named as #private::Signature>::IMAGES,
            <#this #named as #private::Signature>::ENTRY,
            &__RECORD,
            #sizes,
            #values
        );

        // SAFETY: `IS_UNSAFE`, `Params`, `PARAMETERS`, `Sizes`, `PARTITIONS`, `FIXED_BYTES` and `CPU` are all made from the one
        // signature, and `require` tests every condition.
        #[cfg(#host)]
        unsafe impl #private::Signature for #this #named {
            type Params = #parameters;
            const NAME: &'static #private::core::primitive::str =
                #private::Images::shown(Self::IMAGES, Self::ENTRY, #name);
            const PARAMETERS: &'static [&'static #private::core::primitive::str] = &[#(#names),*];
            const ENTRY: &'static #private::core::primitive::str = #private::path_in_crate(#path);
            const IMAGES: &'static #private::Images = #images;
            #bounds_of_launches
            #memory
            #cpu
            const IS_UNSAFE: #private::core::primitive::bool = #is_unsafe;
            #in_parts
            #require
        }

        #instance_of

        #implementation
    }
}

/// The targets on which a kernel is launched rather than run.
pub(super) fn host() -> TokenStream {
    quote!(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))
}

/// The crate that becomes an image, among those that the device build compiles. Where products and sums are fused by
/// image, this is the one that the kernel wants.
fn device(kernel: &Kernel) -> TokenStream {
    let entries = match kernel.contraction {
        Contraction::On => quote!(gridwright_entries),
        Contraction::Off => quote!(gridwright_uncontracted_entries),
    };
    quote!(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), #entries))
}
