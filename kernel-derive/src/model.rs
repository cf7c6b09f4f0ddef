//! What the macros know of a kernel and of an argument struct once they are validated.

use gridwright_image::Image;
use proc_macro2::{Group, Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Expr, Member, Path, Safety, Signature, Type, Visibility};

use crate::requires::Condition;

/// The views that a kernel writes through; each has a lifetime as its first generic parameter.
pub(crate) const VIEWS: [&str; 11] = [
    "PerThread",
    "PerGroup",
    "Atomic",
    "GridMemory",
    "Workgroup",
    "ClusterMemory",
    "Surface",
    "Surface1d",
    "Surface2d",
    "Surface3d",
    "SurfaceLayered2d",
];

/// A validated `#[gpu_kernel]` function.
pub(crate) struct Kernel {
    /// The path of `gridwright`.
    pub(crate) root: Path,
    pub(crate) attributes: Attributes,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// The signature as written, for the body.
    pub(crate) signature: Signature,
    /// The braces and all between them, as written.
    pub(crate) body: Group,
    pub(crate) level: Level,
    pub(crate) index: IndexWidth,
    pub(crate) contraction: Contraction,
    /// Whether the kernel runs on the CPU.
    pub(crate) has_cpu_code: bool,
    pub(crate) demands: Demands,
    /// The parameters after the thread, the group or the grid, as the user ordered them.
    pub(crate) parameters: Vec<Parameter>,
    /// Type and const parameters; lifetimes play no part.
    pub(crate) generics: Vec<Generic>,
    /// Instances: one for each kernel that a generic function stands for; empty without generics.
    pub(crate) instances: Vec<Instance>,
    /// Instances may be made elsewhere, in other crates too.
    pub(crate) is_open: bool,
    /// The generic kernel that this one is an instance of, made elsewhere.
    pub(crate) origin: Option<Origin>,
    pub(crate) conditions: Vec<Condition>,
    /// A number that no other kernel has of those which this compiler run expands.
    pub(crate) number: usize,
}

impl Kernel {
    /// The path of everything that an expansion refers to.
    pub(crate) fn private(&self) -> TokenStream {
        let root = &self.root;
        quote!(#root::__private)
    }

    /// Whether the kernel's launches are the caller's responsibility.
    pub(crate) fn is_unsafe(&self) -> bool {
        matches!(self.signature.safety, Safety::Unsafe(_))
    }

    /// The most dimensions of a launch in which no two threads, or groups, own one element. Where nothing is
    /// owned by its position, the declared block says what the kernel was written for, and then a slice that groups own.
    /// An unsafe kernel's author knows: CUDA's grids often have more axes than their blocks.
    pub(crate) fn rank(&self) -> usize {
        if matches!(self.level, Level::Cluster | Level::Grid) {
            return 1;
        }
        let owned = self.parameters.iter().filter_map(|parameter| match parameter.passing {
            Passing::OwnSlice(..) | Passing::OwnSegments(_) | Passing::OwnScattered(_) => Some(1),
            Passing::OwnMatrix(..) | Passing::GroupMatrix(..) | Passing::GroupPlaced(_) => Some(2),
            Passing::OwnVolume(..) => Some(3),
            Passing::Surface(rank) => Some(rank),
            _ => None,
        });
        let least = owned.min();
        if matches!(self.level, Level::UnsafeThread) {
            return least.unwrap_or(3);
        }
        let declared = self.demands.block.as_ref().map(|block| block.axes.len());
        let in_a_row = || {
            let slices = self
                .parameters
                .iter()
                .any(|other| matches!(other.passing, Passing::GroupSlice(_) | Passing::GroupSegments(_)));
            slices.then_some(1)
        };
        least.or(declared).or_else(in_a_row).unwrap_or(3)
    }

    /// The parameters that a launch passes, each with its place among all.
    pub(crate) fn passed(&self) -> impl Iterator<Item = (usize, &Parameter)> {
        let all = self.parameters.iter().enumerate();
        all.filter(|(_, parameter)| !matches!(parameter.passing, Passing::Fixed(_) | Passing::Partition(_)))
    }

    /// The workgroup memory of fixed size: its place among the parameters, and the array.
    pub(crate) fn fixed(&self) -> impl Iterator<Item = (usize, &Type)> {
        self.parameters.iter().enumerate().filter_map(|(i, parameter)| match &parameter.passing {
            Passing::Fixed(array) => Some((i, array)),
            _ => None,
        })
    }

    /// The workgroup memory that launches size: its place among the parameters, and the element.
    pub(crate) fn partitions(&self) -> impl Iterator<Item = (usize, &Type)> {
        self.parameters.iter().enumerate().filter_map(|(i, parameter)| match &parameter.passing {
            Passing::Partition(element) => Some((i, element)),
            _ => None,
        })
    }

    /// The names of the generic parameters that are types.
    pub(crate) fn types(&self) -> impl Iterator<Item = &Ident> {
        self.generics.iter().filter_map(|generic| match generic {
            Generic::Type(name) => Some(name),
            Generic::Const(..) => None,
        })
    }
}

/// What an instance has of its generic kernel, which may be another crate's.
pub(crate) struct Origin {
    /// Names for the generic kernel and for what its parameters' types are made of: items in front of the body.
    pub(crate) names: TokenStream,
    /// The element that the body begins with.
    pub(crate) first_element: Option<FirstElement>,
}

/// The element that a body begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FirstElement {
    /// It is of a slice: a thread beyond the launch is told that it has none.
    OfSlice,
    /// It is of a matrix or a volume, which the `parameter`th owns along so many axes: whether a thread is in the launch and
    /// has an element is one test.
    At { parameter: usize, axes: usize },
}

/// A function's attributes, sorted by what they are put on.
#[derive(Default)]
pub(crate) struct Attributes {
    /// Attributes on the struct that stands for the kernel.
    pub(crate) item: Vec<Attribute>,
    /// Attributes on the block around everything else.
    pub(crate) block: Vec<Attribute>,
    /// Attributes on the body.
    pub(crate) body: Vec<Attribute>,
}

impl Attributes {
    /// The conditions under which the kernel is there at all.
    pub(crate) fn cfg(&self) -> impl Iterator<Item = &Attribute> {
        self.block.iter().filter(|attribute| attribute.path().is_ident("cfg"))
    }
}

/// How wide a thread's index is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum IndexWidth {
    Bits32,
    Bits64,
}

impl IndexWidth {
    pub(crate) fn bytes(self) -> usize {
        match self {
            IndexWidth::Bits32 => 4,
            IndexWidth::Bits64 => 8,
        }
    }

    /// The integer's name.
    pub(crate) fn integer(self) -> &'static str {
        match self {
            IndexWidth::Bits32 => "u32",
            IndexWidth::Bits64 => "u64",
        }
    }
}

/// Whether a product and a sum of it may become one operation that rounds once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Contraction {
    On,
    Off,
}

/// The level whose code a kernel's body is.
pub(crate) enum Level {
    /// Code of each thread.
    Thread,
    /// Code of a group; this is the parameter's name, where it has one.
    Group(Option<Ident>),
    /// Code of a cluster.
    Cluster,
    /// Code of a grid.
    Grid,
    /// Code of each thread, in whole groups whose threads share memory and wait for each other as they like.
    UnsafeThread,
}

/// What a kernel demands of a launch, by its attribute.
#[derive(Default)]
pub(crate) struct Demands {
    pub(crate) block: Option<Block>,
    /// The most threads of a group.
    pub(crate) max_threads: Option<Expr>,
    /// The groups that a GPU's core shall hold at a time.
    pub(crate) min_groups: Option<Expr>,
}

/// The threads of a group along each axis: one to three.
pub(crate) struct Block {
    pub(crate) axes: Vec<Expr>,
}

/// One parameter after the thread or the group.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    /// The type as written.
    pub(crate) ty: Type,
    pub(crate) role: Role,
    pub(crate) passing: Passing,
}

/// How a kernel gets a parameter, as far as its type's spelling tells. The types are the elements' unless said
/// otherwise.
pub(crate) enum Passing {
    /// One of Rust's numbers.
    Number,
    /// Anything else by value.
    Value,
    ReadSlice(Type),
    ReadMatrix(Type),
    ReadVolume(Type),
    ReadSegments(Type),
    OwnSlice(Type, Option<Map>),
    OwnMatrix(Type, Option<Map>),
    OwnVolume(Type, Option<Map>),
    OwnSegments(Type),
    OwnScattered(Type),
    GroupSlice(Type),
    GroupSegments(Type),
    GroupMatrix(Type, Option<Map>),
    /// Tiles of a matrix, where the launch says.
    GroupPlaced(Type),
    GridSlice(Type),
    Atomic(Type),
    /// A texture, whose type the body says.
    Texture,
    /// A surface, whose type the body says: the dimensions in which each thread has a texel of its own.
    Surface(usize),
    /// A raw pointer.
    Pointer,
    /// Workgroup memory of a size that the type says: the array.
    Fixed(Type),
    /// Workgroup memory whose size a launch gives.
    Partition(Type),
}

/// The map by which threads or groups own elements, as written.
pub(crate) type Map = Box<Type>;

/// What `requires` may do with a name, as far as its type's spelling tells.
pub(crate) enum Role {
    /// One of Rust's integers.
    Integer(Ident),
    /// A slice, a matrix, a volume or a view of one: something with a length.
    Extent,
    /// The group, which has a number of threads.
    Group,
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
    /// The path of `gridwright`.
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

/// Kernels that were compiled elsewhere.
pub(crate) struct Foreign {
    /// The path of `gridwright`.
    pub(crate) root: Path,
    /// Attributes of the block, without its documentation: conditions and lint levels.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) images: Vec<ForeignImage>,
    pub(crate) kernels: Vec<ForeignKernel>,
}

impl Foreign {
    /// The path of everything that an expansion refers to.
    pub(crate) fn private(&self) -> TokenStream {
        let root = &self.root;
        quote!(#root::__private)
    }
}

/// An image, where it is and what is in it.
pub(crate) struct ForeignImage {
    /// The path as the user wrote it.
    pub(crate) written: String,
    /// The whole path.
    pub(crate) path: String,
    pub(crate) image: Image,
}

/// A declared kernel.
pub(crate) struct ForeignKernel {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// The entry's name in the images.
    pub(crate) entry: String,
    pub(crate) parameters: Vec<ForeignParameter>,
    /// The name and the element of the launch-sized workgroup memory, if the kernel has some.
    pub(crate) memory: Option<(Ident, Type)>,
}

/// A parameter of a declared kernel.
pub(crate) struct ForeignParameter {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
}
