//! A kernel's entry on a GPU. All arguments are numbers and pointers there: see the device crate's
//! `arch::gpu`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use syn::BinOp;

use super::signature::Use;
use super::{body, requires};
use crate::model::{IndexWidth, Kernel, Parameter, Passing};
use crate::requires::{Condition, ConditionKind, Extent, Fact, Term};

/// Words in which AMD gets a value that isn't a number.
const WORDS: usize = 16;

/// The entry point of one instance, and the record of its arguments' layouts.
pub(super) fn entry(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let (symbol, callee) = (instance.symbol(), &instance.body);
    let last: Vec<_> = (0..kernel.rank()).map(|axis| local("last", axis)).collect();
    let width = width(kernel);
    let arguments: Vec<_> = kernel
        .parameters
        .iter()
        .enumerate()
        .map(|(i, parameter)| Argument::new(&private, &width, i, parameter))
        .collect();
    let declared = arguments.iter().flat_map(|argument| &argument.declared);
    let values: Vec<_> = (0..arguments.len()).map(|i| local("value", i)).collect();
    let made = arguments.iter().map(|argument| &argument.made);
    let given = arguments
        .iter()
        .zip(&values)
        .map(|(argument, value)| if argument.by_reference { quote!(&#value) } else { quote!(#value) });
    let thread = local("thread", 0);
    let enter = if body::begins_with_its_element(kernel) {
        quote!(let #thread = #private::any_thread([#(#last),*]);)
    } else {
        quote! {
            let ::core::option::Option::Some(#thread) = #private::thread([#(#last),*]) else {
                return;
            };
        }
    };
    let equal = kernel.conditions.iter().filter_map(|condition| equal(kernel, condition));
    let conditions = conditions(kernel, &arguments, &values);
    quote! {
        #[unsafe(export_name = #symbol)]
        pub unsafe extern "gpu-kernel" fn __entry(#(#last: ::core::primitive::#width,)* #(#declared,)*) {
            // SAFETY: the launcher passes what the signature says, having checked it against this very image, and each
            // thread is made once.
            unsafe {
                #enter
                #(#equal)*
                #(let #values = #made;)*
                #conditions
                #callee(#thread, #(#given),*)
            }
        }
    }
}

/// The layouts of the arguments as this compiler sees them, for the host to compare.
pub(super) fn layout_record(instance: &Use, layouts: &TokenStream, count: usize) -> Option<TokenStream> {
    if count == 0 {
        return None;
    }
    let symbol = format!("__gridwright_layout_{}", instance.symbol());
    Some(quote! {
        #[unsafe(export_name = #symbol)]
        pub static __LAYOUT: [::core::primitive::u64; #count] = #layouts;
    })
}

/// The sizes of the entry's parameters, first in PTX, then in a code object.
pub(super) fn sizes(kernel: &Kernel) -> (TokenStream, TokenStream) {
    let bytes: usize = match kernel.index {
        IndexWidth::Bits32 => 4,
        IndexWidth::Bits64 => 8,
    };
    let (mut ptx, mut code_object) = (Vec::new(), Vec::new());
    for _ in 0..kernel.rank() {
        ptx.push(quote!(#bytes));
        code_object.push(quote!(#bytes));
    }
    for Parameter { ty, passing, .. } in &kernel.parameters {
        let size = quote!(::core::mem::size_of::<#ty>());
        match passing {
            Passing::Number => {
                ptx.push(size.clone());
                code_object.push(size);
            }
            Passing::Value => {
                ptx.push(size);
                code_object.extend((0..WORDS).map(|_| quote!(8)));
            }
            Passing::ReadSlice(_) => {
                ptx.push(quote!(8, 8));
                code_object.push(quote!(8, 8));
            }
            Passing::OwnSlice(_) => {
                ptx.push(quote!(8, 8, #bytes));
                code_object.push(quote!(8, 8, #bytes));
            }
            Passing::ReadMatrix(_) | Passing::OwnMatrix(_) => {
                ptx.push(quote!(8, 4, 4));
                code_object.push(quote!(8, 4, 4));
            }
        }
    }
    (quote!(&[#(#ptx),*]), quote!(&[#(#code_object),*]))
}

fn width(kernel: &Kernel) -> Ident {
    let name = match kernel.index {
        IndexWidth::Bits32 => "u32",
        IndexWidth::Bits64 => "u64",
    };
    Ident::new(name, Span::call_site())
}

/// A parameter in the entry.
struct Argument {
    /// What the entry declares for it.
    declared: Vec<TokenStream>,
    /// The parameter of those.
    made: TokenStream,
    by_reference: bool,
    /// What `requires` sees, where that isn't the value.
    extent: Option<TokenStream>,
}

impl Argument {
    fn new(private: &TokenStream, width: &Ident, i: usize, parameter: &Parameter) -> Self {
        let ty = &parameter.ty;
        let (pointer, len) = (local("pointer", i), local("len", i));
        let (rows, cols) = (local("rows", i), local("cols", i));
        let word = quote!(::core::primitive::usize);
        let half = quote!(::core::primitive::u32);
        let of_matrix = |pointer_declared: TokenStream, function: TokenStream, by_reference| Self {
            declared: vec![pointer_declared, quote!(#rows: #half), quote!(#cols: #half)],
            made: quote!(#private::#function(#pointer, #rows, #cols)),
            by_reference,
            extent: Some(quote!(#private::MatrixExtent { rows: #rows as #word, cols: #cols as #word })),
        };
        let of_slice = |pointer_declared: TokenStream, function: TokenStream| Self {
            declared: vec![pointer_declared, quote!(#len: #word)],
            made: quote!(#private::#function(#pointer, #len)),
            by_reference: false,
            extent: Some(quote!(#private::SliceExtent { len: #len })),
        };
        match &parameter.passing {
            Passing::Number => Self::by_value(vec![quote!(#pointer: #ty)], quote!(#pointer)),
            Passing::Value => {
                let words: Vec<_> = (0..WORDS).map(|word| format_ident!("{pointer}_{word}")).collect();
                let mut declared = vec![quote!(#[cfg(not(target_arch = "amdgpu"))] #pointer: #ty)];
                declared.extend(
                    words
                        .iter()
                        .map(|word| quote!(#[cfg(target_arch = "amdgpu")] #word: ::core::primitive::u64)),
                );
                let made = quote! {{
                    #[cfg(target_arch = "amdgpu")]
                    let #pointer: #ty = #private::by_words([#(#words),*]);
                    #pointer
                }};
                Self::by_value(declared, made)
            }
            Passing::ReadSlice(element) => {
                of_slice(quote!(#pointer: &[#element; 0]), quote!(read_slice::<#element>))
            }
            Passing::OwnSlice(element) => {
                let owned = local("owned", i);
                let mut slice = of_slice(quote!(#pointer: ::core::ptr::NonNull<#element>), quote!(own_slice));
                slice.declared.push(quote!(#owned: ::core::primitive::#width));
                slice.made = quote!(#private::own_slice::<#element, _>(#pointer, #len, #owned));
                slice
            }
            Passing::ReadMatrix(element) => {
                of_matrix(quote!(#pointer: &[#element; 0]), quote!(read_matrix::<#element>), true)
            }
            Passing::OwnMatrix(element) => of_matrix(
                quote!(#pointer: ::core::ptr::NonNull<#element>),
                quote!(own_matrix::<#element>),
                false,
            ),
        }
    }

    fn by_value(declared: Vec<TokenStream>, made: TokenStream) -> Self {
        Self { declared, made, by_reference: false, extent: None }
    }
}

/// Two sizes that `requires` holds equal become one name: the optimiser then needs no proof that a test of
/// the one is a test of the other.
fn equal(kernel: &Kernel, condition: &Condition) -> Option<TokenStream> {
    let ConditionKind::Fixed(Fact::Compare { operator: BinOp::Eq(_), left, right }) = &condition.kind else {
        return None;
    };
    let size = |term: &Term| match term {
        Term::Extent { extent, parameter, .. } => {
            let i = kernel.parameters.iter().position(|other| other.name == *parameter)?;
            let name = match extent {
                Extent::Len => "len",
                Extent::Rows => "rows",
                Extent::Cols => "cols",
            };
            Some((name == "len", local(name, i)))
        }
        _ => None,
    };
    let ((left_is_len, left), (right_is_len, right)) = (size(left)?, size(right)?);
    // Lengths are wider than rows and columns.
    (left_is_len == right_is_len).then(|| quote!(let #left = #right;))
}

/// The conditions, in a block of their own so that the names they speak of end with it.
fn conditions(kernel: &Kernel, arguments: &[Argument], values: &[Ident]) -> Option<TokenStream> {
    if kernel.conditions.is_empty() {
        return None;
    }
    let names = kernel.parameters.iter().map(|parameter| &parameter.name);
    let seen = arguments.iter().zip(values).map(|(argument, value)| match &argument.extent {
        Some(extent) => extent.clone(),
        None => quote!(#value),
    });
    let conditions = kernel.conditions.iter().map(|condition| requires::on_the_device(kernel, condition));
    Some(quote! {
        {
            #(let #names = #seen;)*
            #(#conditions)*
        }
    })
}

/// A name that no parameter can have.
fn local(name: &str, i: usize) -> Ident {
    format_ident!("{name}_{i}", span = Span::mixed_site())
}
