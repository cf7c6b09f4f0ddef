//! A parameter in a kernel's entry on a GPU: what is declared for it, and how it is made of that.

use super::{aliases, lifetimes, local, path_at, quiet};
use crate::messages;
use crate::model::{IndexWidth, Map, Parameter, Passing};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The chunks and the words that an entry declares for a value that isn't a number, as `gridwright-core` has them.
const CHUNKS: usize = 31;
const WORDS: usize = 16;

/// The sizes of a matrix and of a volume.
const MATRIX: &[&str] = &["rows", "cols"];
const VOLUME: &[&str] = &["planes", "rows", "cols"];

/// How many threads of the launch own an element of the `i`th parameter, along each of so many axes.
pub(super) fn owners(i: usize, axes: usize) -> Vec<Ident> {
    ["owners_x", "owners_y", "owners_z"].iter().take(axes).map(|name| local(name, i)).collect()
}

/// A parameter in the entry.
pub(super) struct Argument {
    /// What the entry declares for the parameter.
    pub(super) declared: Vec<TokenStream>,
    /// The parameter, made of what is declared.
    pub(super) made: TokenStream,
    pub(super) by_reference: bool,
    /// What `requires` sees, where that isn't the value.
    pub(super) extent: Option<TokenStream>,
}

impl Argument {
    /// What a launch passes as the `i`th parameter; none for workgroup memory.
    ///
    /// `group` is the number of the group, or of a cluster's first one.
    pub(super) fn new(
        private: &TokenStream,
        width: &Ident,
        group: &TokenStream,
        i: usize,
        parameter: &Parameter,
    ) -> Option<Self> {
        // Wherever a type of the user's is spoken of, an alias is: some of it stands in an `unsafe` block.
        let element = &aliases::element(i);
        let pointer = local("pointer", i);
        let maker = Maker { private, i };
        let linear = quote!(#private::Linear);
        // A reference, so that the compiler may use read-only loads.
        let read = quote!(&[#element; 0]);
        let write = quote!(#private::core::ptr::NonNull<#element>);
        let map = |map: &Option<Map>| {
            let alias = aliases::map(i);
            map.as_ref().map_or_else(|| linear.clone(), |_| quote!(#alias))
        };
        let argument = match &parameter.passing {
            Passing::Number | Passing::Pointer => {
                Self::by_value(vec![quote!(#pointer: #element)], quote!(#pointer))
            }
            Passing::Value => Self::in_parts(private, i, element),
            Passing::ReadSlice(_) => maker.slice(&read, &quote!(read_slice::<#element>)),
            Passing::ReadMatrix(_) => maker.matrix(&read, &quote!(read_matrix::<#element>)).by_reference(),
            Passing::ReadVolume(_) => maker.volume(&read, &quote!(read_volume::<#element>)).by_reference(),
            Passing::ReadSegments(_) => maker.parts(&read, &quote!(read_segments::<#element>)).by_reference(),
            Passing::OwnSegments(_) => {
                maker.parts(&write, &quote!(own_parts::<#private::Segments<#element>>))
            }
            Passing::OwnScattered(_) => {
                maker.parts(&write, &quote!(own_parts::<#private::Scattered<#element>>))
            }
            Passing::GroupSegments(_) => {
                let (len, indices, count) = (local("len", i), local("indices", i), local("count", i));
                let mut segments = maker.parts(&write, &quote!(per_group_segments::<#element>));
                segments.made = quote!(#private::per_group_segments::<#element>(#pointer, #len, #indices, #count, #group));
                segments
            }
            Passing::GroupPlaced(_) => maker.placed(&write, element, group),
            Passing::OwnSlice(_, by) => {
                let (len, owned, map) = (local("len", i), local("owned", i), map(by));
                let mut slice = maker.slice(&write, &quote!(own_slice::<#element, #map, _>));
                slice.declared.push(quote!(#owned: #private::core::primitive::#width));
                slice.made = quote!(#private::own_slice::<#element, #map, _>(#pointer, #len, #owned));
                slice
            }
            Passing::OwnMatrix(_, by) => {
                let map = map(by);
                maker.own_matrix(&write, &quote!(own_matrix::<#element, #map>))
            }
            Passing::OwnVolume(_, by) => {
                let map = map(by);
                maker.own_volume(&write, &quote!(own_volume::<#element, #map>))
            }
            Passing::GroupSlice(_) => {
                let len = local("len", i);
                let mut slice = maker.slice(&write, &quote!(per_group::<#element>));
                slice.made = quote!(#private::per_group::<#element>(#pointer, #len, #group));
                slice
            }
            Passing::GroupMatrix(_, None) => maker.matrix(&write, &quote!(per_group_matrix::<#element>)),
            Passing::GroupMatrix(_, Some(_)) => {
                let tiles = aliases::map(i);
                maker.matrix(&write, &quote!(per_group_tiles::<#element, #tiles>))
            }
            Passing::GridSlice(_) => {
                let (len, grid) = (local("len", i), local("grid", 0));
                let mut slice = maker.slice(&write, &quote!(grid_memory::<#element>));
                slice.made =
                    quote!(#private::grid_memory::<#element>(#pointer, #len, #private::Threads::len(&#grid)));
                slice
            }
            Passing::Atomic(_) => maker.slice(&write, &quote!(atomic::<#element>)),
            Passing::Texture => maker.texture("texture", &quote!(TexelsArgument<'_>)).by_reference(),
            Passing::Surface(_) => maker.texture("surface", &quote!(SurfaceArgument)),
            Passing::Fixed(_) | Passing::Partition(_) => return None,
        };
        Some(argument)
    }

    fn by_value(declared: Vec<TokenStream>, made: TokenStream) -> Self {
        Self { declared, made, by_reference: false, extent: None }
    }

    /// A struct or an array, which NVIDIA gets whole, and AMD in parts. What a GPU has no use for, and what the value is too small for, is declared
    /// with a type of no bytes.
    fn in_parts(private: &TokenStream, i: usize, ty: &Ident) -> Self {
        let (whole, bytes) = (local("pointer", i), value_bytes(i));
        let parts = |name: &str, count| {
            (0..count).map(|part| format_ident!("{}_{part}", local(name, i))).collect::<Vec<_>>()
        };
        let (chunks, words) = (parts("chunk", CHUNKS), parts("word", WORDS));
        let mut declared = vec![quote!(#whole: #private::WholeValue<#ty>)];
        let part = |part: &str, has: &str, names: &[Ident]| {
            let (part, has) = (format_ident!("{part}"), format_ident!("{has}"));
            let declare = |(at, name)| {
                let at = Literal::usize_unsuffixed(at);
                quote!(#name: #private::#part<{ #private::#has(#bytes, #at) }>)
            };
            names.iter().enumerate().map(declare).collect::<Vec<_>>()
        };
        declared.extend(part("ValueChunk", "has_chunk", &chunks));
        declared.extend(part("ValueWord", "has_word", &words));
        let made = quote! {
            #private::value::<#ty>(#whole, || [#(#private::chunk(#chunks)),*], [#(#private::word(#words)),*])
        };
        Self::by_value(declared, made)
    }

    fn by_reference(self) -> Self {
        Self { by_reference: true, ..self }
    }
}

/// Makes parameters of a pointer and sizes, by a function of the device crate.
struct Maker<'a> {
    private: &'a TokenStream,
    i: usize,
}

impl Maker<'_> {
    fn slice(&self, pointer: &TokenStream, function: &TokenStream) -> Argument {
        let len = local("len", self.i);
        let private = self.private;
        let declared = vec![quote!(#len: #private::core::primitive::usize)];
        self.sized(pointer, function, declared, &[&len], quote!(#private::SliceExtent { len: #len }))
    }

    fn matrix(&self, pointer: &TokenStream, function: &TokenStream) -> Argument {
        self.halves(pointer, function, "MatrixExtent", MATRIX, &[])
    }

    fn own_matrix(&self, pointer: &TokenStream, function: &TokenStream) -> Argument {
        self.halves(pointer, function, "MatrixExtent", MATRIX, &owners(self.i, MATRIX.len()))
    }

    fn volume(&self, pointer: &TokenStream, function: &TokenStream) -> Argument {
        self.halves(pointer, function, "VolumeExtent", VOLUME, &[])
    }

    fn own_volume(&self, pointer: &TokenStream, function: &TokenStream) -> Argument {
        self.halves(pointer, function, "VolumeExtent", VOLUME, &owners(self.i, VOLUME.len()))
    }

    /// A slice, and a list of indices with the number of parts.
    fn parts(&self, pointer: &TokenStream, function: &TokenStream) -> Argument {
        let [len, indices, count] = ["len", "indices", "count"].map(|name| local(name, self.i));
        let private = self.private;
        let declared = vec![
            quote!(#len: #private::core::primitive::usize),
            quote!(#indices: &[#private::core::primitive::u32; 0]),
            quote!(#count: #private::core::primitive::usize),
        ];
        let extent = quote!(#private::SliceExtent { len: #count });
        self.sized(pointer, function, declared, &[&len, &indices, &count], extent)
    }

    /// A matrix, the place of its tiles, and a list of their numbers.
    fn placed(&self, pointer: &TokenStream, element: &Ident, group: &TokenStream) -> Argument {
        let private = self.private;
        let mut matrix = self.matrix(pointer, &quote!(per_group_placed));
        let [row, col, numbers, count] = ["row", "col", "numbers", "count"].map(|name| local(name, self.i));
        matrix.declared.extend([
            quote!(#row: #private::core::primitive::u32),
            quote!(#col: #private::core::primitive::u32),
            quote!(#numbers: &[#private::core::primitive::u32; 0]),
            quote!(#count: #private::core::primitive::usize),
        ]);
        let [pointer, rows, cols] = ["pointer", "rows", "cols"].map(|name| local(name, self.i));
        matrix.made = quote! {
            #private::per_group_placed::<#element, _, _, _>(
                #pointer, #rows, #cols, #row, #col, #numbers, #count, #group
            )
        };
        matrix
    }

    /// A texture, made of two numbers that say where the texels are, sizes, and how they are sampled.
    /// The body's parameter says the rest.
    fn texture(&self, function: &str, argument: &TokenStream) -> Argument {
        let private = self.private;
        let function = format_ident!("{function}");
        let (texels, fetched) = (local("pointer", self.i), local("fetched", self.i));
        let sizes = ["width", "height", "depth", "sampling"].map(|name| local(name, self.i));
        let [width, height, depth, _] = &sizes;
        let mut declared =
            vec![quote!(#texels: #private::#argument), quote!(#fetched: #private::core::primitive::u64)];
        declared.extend(sizes.iter().map(|size| quote!(#size: #private::core::primitive::u32)));
        Argument {
            declared,
            made: quote!(#private::#function(#texels, #fetched, #(#sizes),*)),
            by_reference: false,
            extent: Some(quote!(#private::TextureExtent { extent: [#width, #height, #depth] })),
        }
    }

    /// A parameter of a pointer, sizes of 32 bits, and how many threads own an element along each axis, where threads do.
    fn halves(
        &self,
        pointer: &TokenStream,
        function: &TokenStream,
        extent: &str,
        fields: &[&str],
        owners: &[Ident],
    ) -> Argument {
        let private = self.private;
        let extent = format_ident!("{extent}");
        let sizes: Vec<_> = fields.iter().map(|field| local(field, self.i)).collect();
        let fields = fields.iter().map(|field| format_ident!("{field}"));
        let numbers: Vec<_> = sizes.iter().chain(owners).collect();
        let declared = numbers.iter().map(|number| quote!(#number: #private::core::primitive::u32)).collect();
        let extent = quote!(#private::#extent { #(#fields: #sizes as #private::core::primitive::usize),* });
        self.sized(pointer, function, declared, &numbers, extent)
    }

    fn sized(
        &self,
        pointer_type: &TokenStream,
        function: &TokenStream,
        sizes_declared: Vec<TokenStream>,
        sizes: &[&Ident],
        extent: TokenStream,
    ) -> Argument {
        let private = self.private;
        let pointer = local("pointer", self.i);
        let mut declared = vec![quote!(#pointer: #pointer_type)];
        declared.extend(sizes_declared);
        Argument {
            declared,
            made: quote!(#private::#function(#pointer, #(#sizes),*)),
            by_reference: false,
            extent: Some(extent),
        }
    }
}

/// The bytes of the `i`th parameter, by value, in its entry.
fn value_bytes(i: usize) -> Ident {
    format_ident!("__BYTES{i}", span = Span::call_site())
}

/// The constants that what entries declare speaks of.
pub(super) fn constants(private: &TokenStream, parameters: &[Parameter]) -> TokenStream {
    let values =
        parameters.iter().enumerate().filter(|(_, parameter)| matches!(parameter.passing, Passing::Value));
    values
        .map(|(i, _)| {
            let (bytes, ty) = (value_bytes(i), aliases::element(i));
            quote! {
                const #bytes: #private::core::primitive::usize = #private::core::mem::size_of::<#ty>();
            }
        })
        .collect()
}

/// A test that a parameter by value isn't larger than an entry's can be.
pub(super) fn fits(private: &TokenStream, parameter: &Parameter) -> Option<TokenStream> {
    if !matches!(parameter.passing, Passing::Value) {
        return None;
    }
    // On the user's type, whose line an error then has.
    let Parameter { name, ty, .. } = parameter;
    let (ty, message, private) =
        (lifetimes::launched(ty), messages::too_large(name), path_at(private, ty.span()));
    Some(quote_spanned! {quiet(parameter.ty.span())=>
        const _: () =
            #private::core::assert!(#private::core::mem::size_of::<#ty>() <= #private::MOST_VALUE_BYTES, #message);
    })
}

/// Adds the sizes of what the entry declares for a parameter in PTX, and the place of one that a code object has in parts.
pub(super) fn sizes(
    private: &TokenStream,
    parameter: &Parameter,
    index: IndexWidth,
    sizes: &mut Vec<TokenStream>,
    values: &mut Vec<usize>,
) {
    let Parameter { ty, passing, .. } = parameter;
    let numbers: &[usize] = match passing {
        Passing::Number | Passing::Pointer | Passing::Value => {
            if matches!(passing, Passing::Value) {
                values.push(sizes.len());
            }
            sizes.push(quote!(#private::core::mem::size_of::<#ty>()));
            return;
        }
        Passing::ReadSlice(_) | Passing::GroupSlice(_) | Passing::GridSlice(_) | Passing::Atomic(_) => {
            &[8, 8]
        }
        Passing::OwnSlice(..) => &[8, 8, index.bytes()],
        Passing::ReadMatrix(_) | Passing::GroupMatrix(..) => &[8, 4, 4],
        Passing::ReadVolume(_) => &[8, 4, 4, 4],
        Passing::OwnMatrix(..) => &[8, 4, 4, 4, 4],
        Passing::OwnVolume(..) => &[8, 4, 4, 4, 4, 4, 4],
        Passing::ReadSegments(_)
        | Passing::OwnSegments(_)
        | Passing::OwnScattered(_)
        | Passing::GroupSegments(_) => &[8, 8, 8, 8],
        Passing::GroupPlaced(_) => &[8, 4, 4, 4, 4, 8, 8],
        Passing::Texture | Passing::Surface(_) => &[8, 8, 4, 4, 4, 4],
        // Behind everything else.
        Passing::Fixed(_) | Passing::Partition(_) => &[],
    };
    sizes.extend(numbers.iter().map(|&bytes| Literal::usize_unsuffixed(bytes).into_token_stream()));
}
