//! What the macros know of a kernel and of an argument struct once they are validated.

use proc_macro2::{Group, Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Member, Path, Signature, Type, Visibility};

use crate::requires::Condition;

/// The views that a kernel writes through; each has a lifetime as its first generic parameter.
pub(crate) const VIEWS: [&str; 1] = ["PerThread"];

/// A validated `#[gpu_kernel]` function.
pub(crate) struct Kernel {
    /// Where `gridwright` is.
    pub(crate) root: Path,
    pub(crate) attributes: Attributes,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// The signature as written, for the body.
    pub(crate) signature: Signature,
    /// The braces and all between them, as written.
    pub(crate) body: Group,
    pub(crate) index: IndexWidth,
    /// The parameters after the thread.
    pub(crate) parameters: Vec<Parameter>,
    /// Type and const parameters; lifetimes play no part.
    pub(crate) generics: Vec<Generic>,
    /// One for each kernel that a generic function stands for; empty without generics.
    pub(crate) instances: Vec<Instance>,
    pub(crate) conditions: Vec<Condition>,
}

impl Kernel {
    /// The path of everything that an expansion refers to.
    pub(crate) fn private(&self) -> TokenStream {
        let root = &self.root;
        quote!(#root::__private)
    }

    /// The most dimensions of a launch in which no two threads own one element.
    pub(crate) fn rank(&self) -> usize {
        let ranks = self.parameters.iter().map(|parameter| match parameter.passing {
            Passing::OwnSlice(_) => 1,
            Passing::OwnMatrix(_) => 2,
            _ => 3,
        });
        ranks.min().unwrap_or(3)
    }

    /// The names of the generic parameters that are types.
    pub(crate) fn types(&self) -> impl Iterator<Item = &Ident> {
        self.generics.iter().filter_map(|generic| match generic {
            Generic::Type(name) => Some(name),
            Generic::Const(..) => None,
        })
    }
}

/// A function's attributes, sorted by what they are put on.
#[derive(Default)]
pub(crate) struct Attributes {
    /// On the struct that stands for the kernel.
    pub(crate) item: Vec<Attribute>,
    /// On the block around everything else.
    pub(crate) block: Vec<Attribute>,
    /// On the body.
    pub(crate) body: Vec<Attribute>,
}

/// How wide a thread's index is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum IndexWidth {
    Bits32,
    Bits64,
}

/// One parameter after the thread.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    /// The type as written.
    pub(crate) ty: Type,
    pub(crate) role: Role,
    pub(crate) passing: Passing,
}

/// How an argument reaches a GPU, as far as its type's spelling tells. The types are the elements'.
pub(crate) enum Passing {
    /// One of Rust's numbers.
    Number,
    /// Anything else by value.
    Value,
    ReadSlice(Type),
    ReadMatrix(Type),
    OwnSlice(Type),
    OwnMatrix(Type),
}

/// What `requires` may do with a parameter, as far as its type's spelling tells.
pub(crate) enum Role {
    /// One of Rust's integers.
    Integer(Ident),
    /// A slice, a matrix or a view of one: something with a length.
    Extent,
    /// Anything else.
    Other,
}

/// A generic parameter that instances give a value to.
pub(crate) enum Generic {
    Type(Ident),
    Const(Ident, Box<Type>),
}

impl Generic {
    pub(crate) fn name(&self) -> &Ident {
        match self {
            Generic::Type(name) | Generic::Const(name, _) => name,
        }
    }
}

/// One entry of `instances(...)`.
pub(crate) struct Instance {
    /// A type or a const expression for each generic parameter, in order.
    pub(crate) arguments: Vec<TokenStream>,
    /// The arguments as a reader writes them: `f32, 4`.
    pub(crate) text: String,
}

/// A validated `#[derive(KernelArg)]` struct.
pub(crate) struct KernelArg {
    /// Where `gridwright` is.
    pub(crate) root: Path,
    pub(crate) name: Ident,
    pub(crate) fields: Vec<(Member, Type)>,
    /// There is neither a generic parameter nor a field of a refused type.
    pub(crate) is_sound: bool,
    /// The user has implemented `Pod` and `Zeroable`.
    pub(crate) is_pod: bool,
}

impl KernelArg {
    /// The path of everything that an expansion refers to.
    pub(crate) fn private(&self) -> TokenStream {
        let root = &self.root;
        quote!(#root::__private)
    }
}
