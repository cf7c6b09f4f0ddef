//! Every message of the macros: what is wrong, and what to write instead.

use std::fmt::Display;

use proc_macro2::Ident;
use syn::{Path, Type};

use crate::text;

// The attribute's arguments.

const KEYS: &str = "`requires`, `instances`, `index`, `block`, `max_threads`, `min_groups`, `fp_contract`, `cpu` and `crate`";

pub(crate) fn not_a_key() -> String {
    format!("expected one of the keys {KEYS}")
}

pub(crate) fn unknown_key(key: &Ident) -> String {
    format!("`gpu_kernel` has no key `{key}`; it has {KEYS}")
}

pub(crate) fn repeated_key(key: &Ident) -> String {
    format!("`{key}` is given twice; each of {KEYS} is given at most once")
}

pub(crate) const INDEX: &str = "an index is `u32` or `u64`";

pub(crate) const FP_CONTRACT: &str =
    "`fp_contract` is `on`, as without it, or `off`: a product and a sum stay two operations";

pub(crate) const CPU: &str =
    "`cpu` is `on`, as without it, or `off`: the kernel has no code for the CPU, where a launch is refused";

pub(crate) const CPU_OFF_TOGETHER: &str =
    "kernels of clusters and of grids have code for the CPU: remove the `cpu = off`";

pub(crate) const BLOCK: &str = "a block has one to three axes: write `block = 256`, `block = (16, 16)` or `block = (8, 8, 4)`, the first being `x`, the column";

pub(crate) const EMPTY_BLOCK: &str =
    "a block has at least one thread along each axis: leave axes out that it doesn't have, or write 1";

/// The message about a block's axis that launches of so few dimensions don't have.
pub(crate) fn flat_block(kernel: &Ident, rank: usize) -> String {
    let most = if rank == 1 { "one dimension" } else { "at most two dimensions" };
    format!(
        "`{kernel}` is launched in {most}, because of what its threads or groups own, and this axis is one more: remove it, or make it 1"
    )
}

pub(crate) const MAX_THREADS: &str = "a group has at least as many threads as the declared `block`: raise `max_threads`, or leave it out, since the block says it already";

pub(crate) const NO_THREADS: &str = "a group has at least one thread: raise `max_threads`, or leave it out";

pub(crate) const NO_GROUPS: &str =
    "at least one group fits a GPU's core: raise `min_groups`, or leave it out";

pub(crate) fn demand_of_a_parameter(name: &Ident) -> String {
    format!(
        "`{name}` is known at the launch, and this has to be known when the kernel is compiled: write a constant, or leave it to the launch, as in `LaunchConfig::threads(n).block(256)`"
    )
}

pub(crate) fn fixed_in_requires(name: &Ident) -> String {
    format!("`{name}` has a size that its type says, and that no launch changes: write that constant instead")
}

// The item.

pub(crate) fn not_a_function(noun: &str) -> String {
    format!(
        "`#[gpu_kernel]` is put on a function, and this is {noun}; put it on `fn name(t: Thread, ...)` or `fn name(g: &Group, ...)`"
    )
}

pub(crate) const NO_BODY: &str = "a kernel has a body; write `{ ... }` here";

// The signature.

pub(crate) const ASYNC: &str =
    "a kernel can't be `async`: remove the `async`; `launch` itself doesn't wait for the kernel";

pub(crate) const CONST: &str =
    "a kernel can't be `const`: remove the `const`, or compute the value in a function of its own";

pub(crate) const SAFE: &str = "a kernel without `unsafe` is safe: remove the `safe`";

pub(crate) const ABI: &str = "a kernel can't choose its ABI, since the macro does: remove the `extern`";

pub(crate) const RETURN_TYPE: &str = "a kernel can't return a value: remove the return type, and write results to a `PerThread<[T]>` parameter";

pub(crate) const VARIADIC: &str = "a kernel can't be variadic: name each parameter, or take a slice `&[T]`";

pub(crate) const RECEIVER: &str =
    "a kernel can't take `self`: move it out of the `impl` and take what it needs as parameters";

// The thread or the group.

pub(crate) const MISSING_FIRST: &str = "a kernel's first parameter is its thread or its group: put `t: Thread` first for code that each thread runs by itself, or `g: &Group` for code of a whole workgroup";

pub(crate) const THREAD_NOT_FIRST: &str = "the thread comes first: move this parameter to the front";

pub(crate) const SECOND_THREAD: &str =
    "a kernel has one thread: remove this parameter and use the first one (a `Thread` can be copied)";

pub(crate) const THREAD_REFERENCE: &str = "take the thread by value: `t: Thread`";

pub(crate) const GROUP_NOT_FIRST: &str = "the group comes first: move this parameter to the front";

pub(crate) const SECOND_GROUP: &str = "a kernel has one group: remove this parameter and use the first one";

pub(crate) const GROUP_BY_VALUE: &str = "take the group by reference: `g: &Group`";

pub(crate) const GROUP_ARGUMENTS: &str =
    "a kernel's group is written without generic arguments, which the macro adds: `g: &Group`";

pub(crate) const THREAD_IN_GROUP_KERNEL: &str = "a kernel has either a group or a thread, and this one has a group: remove this parameter; each phase gives its closure the thread, as in `g.each(items, |t, item| ...)`";

pub(crate) const GROUP_IN_THREAD_KERNEL: &str = "a kernel has either a thread or a group, and this one has a thread: remove this parameter, or take `g: &Group` in the thread's place";

pub(crate) const GRID_NOT_FIRST: &str = "the grid comes first: move this parameter to the front";

pub(crate) const GRID_BY_VALUE: &str = "take the grid by reference: `grid: &Grid`";

pub(crate) const GRID_ARGUMENTS: &str =
    "write `&Grid` without generic arguments: the macro adds the lifetime and the shape";

pub(crate) const GRID_AND_ANOTHER: &str = "a kernel is code of one thread, one group or one grid: remove this parameter; a grid's phases give their closures the thread, as in `grid.each(items, |t, item| ...)`, or the group, as in `grid.each_group(items, |g, items| ...)`";

pub(crate) const GRID_MEMORY_IN_ANOTHER_KERNEL: &str = "a `GridMemory` is handed out by the phases of a grid: take `grid: &Grid` first, or take `PerThread<[T]>`, `PerGroup<[T]>` or `Atomic<[T]>`";

pub(crate) const PER_GROUP_IN_GRID_KERNEL: &str = "a kernel of a grid takes `GridMemory<[T]>`, and hands each group its element with `grid.each_group(memory.per_group(), |g, slot| ...)`";

pub(crate) const CLUSTER_NOT_FIRST: &str = "the cluster comes first: move this parameter to the front";

pub(crate) const CLUSTER_BY_VALUE: &str = "take the cluster by reference: `cluster: &Cluster`";

pub(crate) const CLUSTER_ARGUMENTS: &str =
    "write `&Cluster` without generic arguments: the macro adds the lifetime and the shape";

pub(crate) const CLUSTER_AND_ANOTHER: &str = "a kernel is code of one thread, one group, one cluster or one grid: remove this parameter; a cluster gives its closures the group, as in `cluster.each_group(items, |g, items| ...)`";

pub(crate) const CLUSTER_MEMORY_IN_ANOTHER_KERNEL: &str = "a `ClusterMemory` is handed out by a cluster: take `cluster: &Cluster` first, or take `Workgroup` in its place";

pub(crate) const WORKGROUP_IN_CLUSTER_KERNEL: &str = "a kernel of a cluster takes `ClusterMemory` in place of `Workgroup`, and hands each group its part with `cluster.each_group(&mut memory, |g, part| ...)`";

pub(crate) const CLUSTER_MEMORY_SHAPE: &str = "a cluster's memory is a slice whose size a launch gives, `ClusterMemory<[T]>`, or an array of up to three dimensions, such as `ClusterMemory<[[T; N]; M]>`: write one of these out";

// Parameters.

pub(crate) const MAX_PARAMETERS: usize = 24;

pub(crate) const TOO_MANY_PARAMETERS: &str = "a kernel takes at most 24 parameters beside its thread or group and its workgroup memory: put values into a `#[derive(KernelArg)]` struct, which is one parameter, or make several kernels of it";

pub(crate) const MAX_PARTITIONS: usize = 12;

pub(crate) const TOO_MANY_PARTITIONS: &str = "a kernel takes at most 12 `Workgroup<[T]>`: take one for several and split it with `split_at_mut`, or give them their sizes, `Workgroup<[T; N]>`";

pub(crate) const WORKGROUP_IN_THREAD_KERNEL: &str = "workgroup memory is a group's, and this kernel's code is a thread's: take `g: &Group` first, in place of the thread, and use the memory in phases, as in `g.each(memory.elements_mut(), |t, slot| ...)`";

pub(crate) const PER_GROUP_IN_THREAD_KERNEL: &str = "an element of a `PerGroup` is a group's, and this kernel's code is a thread's: take `g: &Group` first, in place of the thread, or take `PerThread<[T]>`";

pub(crate) const WORKGROUP_SHAPE: &str = "workgroup memory is a slice whose size a launch gives, `Workgroup<[T]>`, or an array of up to three dimensions, such as `Workgroup<[[T; N]; M]>`: write one of these out";

pub(crate) const PATTERN: &str = "a kernel's parameter is a plain name: write `name: Type` (`_name` if it isn't used), and take it apart in the body";

pub(crate) const PARAMETER_CFG: &str = "a kernel's parameter can't be conditional: put `#[cfg]` on the whole kernel, and write one kernel for each case";

pub(crate) const PARAMETER_ATTRIBUTE: &str =
    "only lint attributes such as `#[allow]` can stand on a kernel's parameter: remove this one";

// The function's attributes.

pub(crate) fn conflicting_attribute(name: &str) -> String {
    let fix = match name {
        "no_mangle" | "export_name" | "link_section" => "the macro names and places the kernel itself",
        "target_feature" => "the device's features are set for the whole build",
        "inline" | "track_caller" => "a kernel isn't called as a function",
        "test" | "bench" => "launch the kernel from a test function",
        "gpu_kernel" => "one is enough",
        _ => "the two conflict",
    };
    format!("a kernel can't have `#[{name}]`: {fix}, so remove the attribute")
}

// Types, in parameters and in fields.

pub(crate) const BOOL: &str = "a kernel can't take a `bool`, which must be 0 or 1 while bytes from a buffer need not be: take `u8` or `u32` and compare it with 0";

pub(crate) const CHAR: &str =
    "a kernel can't take a `char`, which not every number is: take `u32` and use `char::from_u32`";

pub(crate) const STRING: &str = "a kernel can't take a string: take its bytes, `&[u8]`";

pub(crate) fn collection(name: &Ident) -> String {
    format!(
        "a kernel can't take a `{name}`, whose memory is the host's: upload its elements to a buffer and take `&[T]`"
    )
}

pub(crate) fn pointer_type(name: &Ident) -> String {
    format!(
        "a kernel can't take a `{name}`, which points into the host's memory: take the value itself, or a slice `&[T]`"
    )
}

pub(crate) fn wrapper(name: &Ident) -> String {
    format!(
        "a kernel can't take a `{name}`, whose layout in memory isn't fixed: take the value itself, and a `u32` that says what it means"
    )
}

pub(crate) fn cell(name: &Ident) -> String {
    format!(
        "a kernel can't take a `{name}`, since its threads run at the same time: take `PerThread<[T]>` to write, or `Atomic<[T]>` to update what others update too"
    )
}

pub(crate) fn atomic(name: &Ident, integer: &str) -> String {
    format!(
        "a kernel can't take an `{name}`, which is the host's: take `Atomic<[{integer}]>`, which every thread updates"
    )
}

pub(crate) const TRAIT_OBJECT: &str = "a kernel can't take a trait object, whose methods are the host's: take a concrete type, or a generic one with `instances(...)`";

pub(crate) const IMPL_TRAIT: &str =
    "a kernel can't take `impl Trait`: name a generic parameter and list its types with `instances(...)`";

pub(crate) const POINTER_IN_PHASES: &str = "raw pointers are for kernels that are code of a thread: take `t: Thread` first, or take `&[T]` to read, and `PerThread<[T]>` to write, whose method `anywhere` is for writes at any place";

pub(crate) const RAW_POINTER: &str = "a safe kernel can't take a raw pointer: take `&[T]` to read, or `PerThread<[T]>` to write; or make the kernel an `unsafe fn`, which may take it";

pub(crate) const POINTER_TO_SLICE: &str = "a kernel's raw pointer is to the first element: take `*const T` or `*mut T`, and the length as a `usize`";

pub(crate) const NESTED_POINTER: &str = "a kernel can't follow a raw pointer inside an argument, which is an address on the host: store an index into another argument";

pub(crate) const FN_POINTER: &str = "a kernel can't take a function pointer, which is an address on the host: call the function by name, or choose it by a `u32`";

pub(crate) const TUPLE: &str = "a kernel can't take a tuple, whose layout isn't fixed: take its parts one by one, or a `#[derive(KernelArg)]` struct";

pub(crate) const NEVER: &str = "a kernel can't take `!`, which has no values: remove the parameter";

pub(crate) const INFERRED: &str = "a kernel's types are written out: put a type in place of `_`";

pub(crate) const MACRO_TYPE: &str =
    "a kernel's types are written out: put the type itself in place of the macro";

// References in parameters.

pub(crate) const MUT_SLICE: &str = "a kernel can't take `&mut [T]`, which every thread would share: take `PerThread<[T]>`, where each thread writes its own element, or `Atomic<[T]>`, which all update";

pub(crate) const MUT_REFERENCE: &str = "a kernel can't take `&mut T`, which every thread would share: take `PerThread<[T]>`, where each thread writes its own element, or `Atomic<[T]>`, which all update";

pub(crate) const REFERENCE_TO_VALUE: &str = "a kernel's reference is a slice `&[T]`, `&Matrix<T>`, `&Volume<T>` or a texture such as `&Texture2d<T>`: take a single value without the `&`";

pub(crate) fn view_reference(name: &Ident) -> String {
    format!("a kernel takes a view by value: remove the reference and write `mut name: {name}<...>`")
}

pub(crate) const REFERENCE_TO_ARRAY: &str =
    "a kernel can't take a reference to an array: take the array by value, `[T; N]`, or a slice, `&[T]`";

pub(crate) const NESTED_REFERENCE: &str = "a kernel can't follow a reference inside an argument, which is an address on the host: store the value itself, or an index into another slice";

pub(crate) const SLICE_BY_VALUE: &str =
    "a slice has no fixed size: take `&[T]` to read it, or `PerThread<[T]>` to write it";

// Generics and instances.

pub(crate) const GENERIC_DEFAULT: &str =
    "a kernel's generic parameter has no default: remove it, and name each instance in `instances(...)`";

pub(crate) fn needless_instances(name: &Ident) -> String {
    format!(
        "`{name}` has no generic parameters to instantiate: remove `instances(...)`, or add a generic parameter"
    )
}

pub(crate) const EMPTY_INSTANCES: &str = "`instances()` names no instance: name at least one, or leave it out, and make instances by `instance!` where they are used";

pub(crate) const OPEN_NOT_LAST: &str = "`..` is the last of `instances(...)`: behind it nothing is named, and `instance!` makes others where they are used";

pub(crate) fn instance_count(name: &Ident, generics: &str, wanted: usize, given: usize) -> String {
    let wanted = match wanted {
        1 => "1 generic parameter".to_owned(),
        _ => format!("{wanted} generic parameters"),
    };
    format!(
        "`{name}` has {wanted}, `{generics}`, and this instance gives {given}: give one argument for each, with several in parentheses"
    )
}

pub(crate) fn repeated_instance(instance: impl Display) -> String {
    format!("the instance `{instance}` is given twice: remove one")
}

pub(crate) fn instance_not_a_type(parameter: &Ident) -> String {
    format!("`{parameter}` is a type, and this is a value: give a type")
}

pub(crate) fn instance_not_a_value(parameter: &Ident) -> String {
    format!("`{parameter}` is a constant, and this is a type: give a value")
}

// `#[foreign_kernels]`.

pub(crate) const FOREIGN_ARGUMENT: &str = "`foreign_kernels` takes paths of images, PTX, cubins or code objects, and `crate = path`: write `#[foreign_kernels(\"kernels/saxpy.ptx\")]`";

pub(crate) const NO_FOREIGN_IMAGE: &str =
    "no image: write where it is, `#[foreign_kernels(\"kernels/saxpy.ptx\")]`";

pub(crate) const NOT_A_FOREIGN_BLOCK: &str =
    "`foreign_kernels` is for a block of declarations: write `unsafe extern \"C\" { fn saxpy(...); }`";

pub(crate) const FOREIGN_UNSAFE: &str = "nobody checks what a foreign kernel does: write `unsafe extern`";

pub(crate) const FOREIGN_ABI: &str = "a foreign kernel's parameters lie as in C: write `extern \"C\"`";

pub(crate) const FOREIGN_ITEM: &str = "only functions are kernels: remove this";

pub(crate) const FOREIGN_SAFE: &str =
    "a foreign kernel can't be `safe`, since nobody checks what it does: remove the `safe`";

pub(crate) const FOREIGN_RETURN_TYPE: &str =
    "a kernel can't return a value: remove the return type, and take a `*mut T` that the kernel writes to";

pub(crate) const FOREIGN_GENERICS: &str = "a foreign kernel is one entry of an image: remove the generic parameters, and declare each instance with a `link_name` of its own";

pub(crate) const FOREIGN_ATTRIBUTE: &str =
    "a foreign kernel takes documentation, lint levels, `deprecated` and `link_name` only: remove this";

pub(crate) const FOREIGN_LINK_NAME: &str = "the entry's name is a text: write `#[link_name = \"...\"]`";

pub(crate) const FOREIGN_REFERENCE: &str = "a foreign kernel takes raw pointers: `*const T` for memory that it reads, `*mut T` for memory that it writes; a length is a parameter of its own";

pub(crate) const FOREIGN_VIEW: &str = "a foreign kernel takes no views: write `*mut T` for memory that it writes, and `Workgroup<[T]>` for `extern __shared__` memory";

pub(crate) const FOREIGN_MEMORY: &str = "a kernel has one `extern __shared__` memory: remove this parameter";

pub(crate) fn unreadable_image(path: &str, error: impl Display) -> String {
    format!(
        "`{path}` can't be read: {error}; a path starts at the package's folder, or with `$OUT_DIR/` for what a build script made"
    )
}

pub(crate) fn not_an_image(path: &str, reason: impl Display) -> String {
    format!("`{path}` is no image: {reason}")
}

pub(crate) fn code_object_without_hip(path: &str) -> String {
    format!("`{path}` is a code object for AMD's GPUs: enable the feature `hip` of `gridwright`")
}

pub(crate) fn no_entry(entry: &str, found: &[&str]) -> String {
    let found = match found {
        [] => "there are none".to_owned(),
        found => format!("there are `{}`", found.join("`, `")),
    };
    format!(
        "no image has an entry `{entry}`: {found}; give the entry's name with `#[link_name = \"...\"]`, or declare the kernel `extern \"C\"` where it is compiled"
    )
}

pub(crate) fn entry_parameters(path: &str, entry: &str, found: usize, declared: usize) -> String {
    format!("in `{path}` the entry `{entry}` has {found} parameters, and here are {declared}")
}

/// The message of an assertion, which is about a type that the macro can't look into.
pub(crate) fn entry_size(path: &str, entry: &str, number: usize, bytes: u64) -> String {
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    format!("in `{path}` parameter {number} of `{entry}` has {bytes} {unit}: declare a type of as many")
}

// `#[derive(KernelArg)]`.

pub(crate) const UNKNOWN_OPTION: &str = "`kernel_arg` has no such option; it has `pod` and `crate = path`";

pub(crate) const ENUM: &str = "an enum can't be a kernel argument, since not every number is one of its variants: use a `u32` with a constant for each variant";

pub(crate) const UNION: &str =
    "a union can't be a kernel argument, since nothing says which field is valid: use a struct";

pub(crate) const MISSING_REPR: &str =
    "a kernel argument has the same layout on host and device: add `#[repr(C)]` to the struct";

pub(crate) const PACKED: &str = "a kernel argument can't be packed: remove `packed`, and order the fields from the largest to the smallest";

pub(crate) const GENERIC_STRUCT: &str = "a kernel argument can't be generic, since padding can't be looked for before its types are known: write one struct for each instance";

pub(crate) const STRUCT_LIFETIME: &str = "a kernel argument can't borrow, since the device can't follow a host reference: remove the lifetime, and pass slices as kernel parameters of their own";

pub(crate) const FIELD_REFERENCE: &str = "a kernel argument can't hold a reference, which is an address on the host: store the value itself, or pass `&[T]` as a kernel parameter of its own";

pub(crate) const FIELD_POINTER: &str = "a kernel argument can't hold a raw pointer, which is an address on the host: store an index into a slice that the kernel takes as well";

pub(crate) fn padding(name: &Ident) -> String {
    format!(
        "`{name}` has padding between or behind its fields: order the fields from the largest to the smallest, or fill the gap with a field such as `_pad: u32`"
    )
}

pub(crate) fn alignment(name: &Ident) -> String {
    format!(
        "`{name}` is aligned to more than 64 bytes, and a buffer needn't begin at a multiple of more: take a smaller `align`"
    )
}

// `#[host_only]`.

pub(crate) const HOST_ONLY_ARGUMENTS: &str = "`host_only` takes no arguments: write `#[host_only]`";

// `format!` in kernels.
pub(crate) const FORMAT_OF_NOTHING: &str =
    "`format!` takes a literal and its arguments: write `format!(\"x = {}\", x)`";

// `gpu_println!`.

pub(crate) const PRINTS_NOTHING: &str =
    "`gpu_println!` takes the thread, a format and its arguments: write `gpu_println!(t, \"x = {}\", x)`";

pub(crate) const NO_WITNESS: &str = "`gpu_println!` takes the thread first, which shows that this is the code of one thread: write `gpu_println!(t, \"x = {}\", x)`";

pub(crate) const FORMAT_NOT_TEXT: &str =
    "the format of `gpu_println!` is a literal: write `gpu_println!(t, \"{}\", ...)`";

pub(crate) const LONE_BRACE: &str = "a brace of a format that is printed is written twice: `{{` or `}}`";

pub(crate) fn placeholder_with_more(name: &str, placeholder: &str) -> String {
    format!("`{name}` knows `{{}}` only: write `{{}}` for `{placeholder}`, and give the value as an argument")
}

pub(crate) fn placeholders(count: usize, arguments: usize) -> String {
    format!(
        "the format has {count} `{{}}`, and {arguments} {} given: each `{{}}` takes one",
        if arguments == 1 { "argument is" } else { "arguments are" }
    )
}

pub(crate) fn too_many_printed(count: usize, most: usize) -> String {
    format!("a line has at most {most} arguments, and this one has {count}: print several lines")
}

// Why a program has no device images.

pub(crate) const NO_BUILD_SCRIPT: &str = "its crate doesn't compile kernels for GPUs: add `gridwright-build` to the [build-dependencies] in Cargo.toml, and a build.rs with `fn main() { gridwright_build::compile_kernels() }`; or set GRIDWRIGHT_DEVICE=cpu";

pub(crate) const NEW_TARGET: &str = "its file wasn't there when the crate's build script ran: touch build.rs, and build again; or set GRIDWRIGHT_DEVICE=cpu";

// Documentation that an expansion carries.

/// The documentation of a kernel's `load`, line by line.
pub(crate) const LOAD_DOCS: [&str; 6] = [
    " Prepares this kernel for `device`, and checks that both agree on its parameters.",
    "",
    " # Errors",
    "",
    " When the program holds no image of the kernel for the device, when the image differs from",
    " the host's idea of the parameters, and when the device refuses it.",
];

// `unroll!`.

pub(crate) const UNROLL_BOUNDS: &str = "`unroll!` writes out the turns of a range between two numbers, as in `0..8`; of other bounds it has to be said how many turns at a time: `unroll!(4; for i in 0..n { … })`";

pub(crate) const UNROLL_RANGE: &str = "`unroll!` takes a range with a start and an end, as in `0..n`";

pub(crate) fn unroll_too_much(most: usize) -> String {
    format!(
        "`unroll!` writes out at most {most} turns: say how many at a time, as in `unroll!(16; for i in 0..4096 {{ … }})`"
    )
}

pub(crate) fn unroll_factor(most: usize) -> String {
    format!("`unroll!` writes out from 1 to {most} turns at a time")
}

/// The message about a value that is larger than an entry's parameters can be.
pub(crate) fn too_large(name: &Ident) -> String {
    format!(
        "`{name}` is too large: all parameters of a kernel take at most 4096 bytes; put it into a buffer, and take a slice of it (`&[T]`)"
    )
}

/// The message about a parameter that is spelled as a value and isn't one.
pub(crate) fn alias(name: &Ident) -> String {
    format!(
        "`{name}` isn't a value, as its type is spelled: behind another name there is a slice, a matrix, a view or a pointer. Write \
         that itself, since how a kernel gets a parameter follows from how its type is spelled"
    )
}

/// The message about a parameter that is spelled as one of the library's types and has another.
pub(crate) fn namesake(name: &Ident, ty: &Type) -> String {
    format!(
        "the type of `{name}`, `{}`, is spelled as one of Gridwright's or of Rust's own, and is another of that name",
        text::types(ty)
    )
}

// Instances elsewhere.

pub(crate) const INSTANCE_FORM: &str = "an instance is written `pub kernel name = library::kernel<f32>;`, or `impl library::Trait for Type;` for all that a trait names";

pub(crate) const INSTANCE_END: &str = "an instance ends with `;`";

pub(crate) fn instance_without_arguments(kernel: &Path) -> String {
    let kernel = text::types(kernel);
    format!(
        "an instance says what the generic kernel is used with: `{kernel}<f32>`; a kernel that isn't generic is loaded as it is, by `{kernel}::load`"
    )
}

pub(crate) const ANOTHER_DESCRIPTION: &str =
    "the macro of this name is another kernel's than the type: name the kernel by the path of its own module";

pub(crate) fn closed_list(kernel: &str) -> String {
    format!(
        "the instances of `{kernel}` are listed where it stands: in its crate, end the list with `..`, as in `instances(f32, ..)`, or leave it out"
    )
}

pub(crate) fn trait_kernel_path(kernel: &Path) -> String {
    let kernel = text::types(kernel);
    format!(
        "instances are made in other crates, where this name means nothing: write the path from the crate's root, as in `crate::{kernel}`"
    )
}

pub(crate) fn trait_arguments(path: &Path, expected: usize, given: usize) -> String {
    let path = text::types(path);
    format!("the trait of `{path}` has {expected} generic parameters, and {given} are given")
}

// Operators.

pub(crate) const OPERATOR_FORM: &str = "an operator is written `struct Affine { by: f32 } = |x: f32| -> f32 { x * by };`: what it captures, and a closure over that";

pub(crate) const OPERATOR_GENERIC_STRUCT: &str = "what an operator captures has no generic types, since a kernel argument has none: write `for<T>` in front of the closure, whose arguments may be generic";

pub(crate) const OPERATOR_MOVE: &str = "an operator always captures by value: remove the `move`";

pub(crate) const OPERATOR_ASYNC: &str =
    "an operator runs in a kernel, where nothing is awaited: remove the `async`";

pub(crate) const OPERATOR_OUTPUT: &str =
    "an operator says what it gives, since nothing tells its type: write `-> f32` behind the arguments";

pub(crate) const OPERATOR_BODY: &str =
    "an operator's body stands in braces, as that of a closure with `->` does";

pub(crate) const OPERATOR_ARGUMENT_TYPE: &str =
    "an operator's argument has a type, since nothing else tells it: write `x: f32`";

pub(crate) const OPERATOR_WITHOUT_ARGUMENTS: &str = "an operator has at least one argument: for a value that is the same everywhere, take it as a parameter of the kernel";

pub(crate) fn captured_reference(name: Option<&Ident>, to: &Type) -> String {
    let name = name.map_or_else(|| "it".to_owned(), |name| format!("`{name}`"));
    let to = text::types(to);
    format!(
        "an operator is copied to the GPU with what it captures, and what a reference points to isn't: capture numbers or a `#[derive(KernelArg)]` struct, or take {name} as a parameter of the kernel, as in `{name}: &{to}`",
        name = name,
    )
}
