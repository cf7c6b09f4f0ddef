//! Types that are refused by their spelling, with a reason of their own. All others are left to the
//! trait bounds.

use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypePath, TypeReference};

use crate::messages;
use crate::model::VIEWS;
use crate::report::Report;

const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// Types that a kernel reads through a reference, beside slices.
const READABLE: [&str; 8] =
    ["Matrix", "Volume", "Segments", "Texture", "Texture1d", "Texture2d", "Texture3d", "TextureLayered2d"];

/// Reports what is wrong with the type of a parameter, which may be a raw pointer unless there is a message against it.
pub(super) fn parameter(ty: &Type, against_pointers: Option<&str>, report: &mut Report) {
    match (plain(ty), against_pointers) {
        (Type::Ptr(pointer), None) => self::pointee(&pointer.elem, report),
        (pointer @ Type::Ptr(_), Some(message)) => report.error(pointer, message),
        (other, _) => of_no_pointer(other, report),
    }
}

fn of_no_pointer(ty: &Type, report: &mut Report) {
    match ty {
        Type::Reference(reference) => self::reference(reference, report),
        Type::Slice(slice) => report.error(slice, messages::SLICE_BY_VALUE),
        other => value(other, Place::Parameter, report),
    }
}

/// Reports what is wrong with a field's type, and tells whether nothing is.
pub(super) fn field(ty: &Type, report: &mut Report) -> bool {
    let mut found = Report::default();
    value(ty, Place::Field, &mut found);
    let is_plain = found.is_empty();
    report.append(found);
    is_plain
}

/// What a type is part of.
#[derive(Clone, Copy)]
enum Place {
    Parameter,
    Field,
}

fn reference(reference: &TypeReference, report: &mut Report) {
    let inner = plain(&reference.elem);
    match inner {
        Type::Slice(_) if reference.mutability.is_some() => {
            report.error(reference, messages::MUT_SLICE);
        }
        Type::Slice(slice) => value(&slice.elem, Place::Parameter, report),
        Type::Path(path) if is_any(path, &READABLE) => {
            if reference.mutability.is_some() {
                report.error(reference, messages::MUT_REFERENCE);
            } else {
                value(inner, Place::Parameter, report);
            }
        }
        _ if let Some(view) = view(inner) => report.error(reference, messages::view_reference(view)),
        // Of `&str` and `&Vec<T>` the type is the larger mistake, not the reference.
        Type::Path(path) if named(path).and_then(refused).is_some() => {
            value(inner, Place::Parameter, report);
        }
        Type::TraitObject(_) | Type::ImplTrait(_) => {
            value(inner, Place::Parameter, report);
        }
        _ if reference.mutability.is_some() => report.error(reference, messages::MUT_REFERENCE),
        Type::Array(_) => report.error(reference, messages::REFERENCE_TO_ARRAY),
        _ => report.error(reference, messages::REFERENCE_TO_VALUE),
    }
}

/// Reports what is wrong with what a raw pointer is to.
fn pointee(ty: &Type, report: &mut Report) {
    match plain(ty) {
        Type::Slice(slice) => report.error(slice, messages::POINTER_TO_SLICE),
        other => value(other, Place::Parameter, report),
    }
}

/// Reports what no argument can hold, at any depth.
fn value(ty: &Type, place: Place, report: &mut Report) {
    let message = match plain(ty) {
        Type::Array(array) => return value(&array.elem, place, report),
        Type::Slice(slice) => return value(&slice.elem, place, report),
        Type::Path(path) => return self::path(path, place, report),
        Type::Reference(_) => match place {
            Place::Parameter => messages::NESTED_REFERENCE,
            Place::Field => messages::FIELD_REFERENCE,
        },
        Type::FnPtr(_) => messages::FN_POINTER,
        Type::ImplTrait(_) => messages::IMPL_TRAIT,
        Type::Infer(_) => messages::INFERRED,
        Type::Macro(_) => messages::MACRO_TYPE,
        Type::Never(_) => messages::NEVER,
        Type::Ptr(_) => match place {
            Place::Parameter => messages::NESTED_POINTER,
            Place::Field => messages::FIELD_POINTER,
        },
        Type::TraitObject(_) => messages::TRAIT_OBJECT,
        Type::Tuple(_) => messages::TUPLE,
        _ => return,
    };
    report.error(ty, message);
}

fn path(path: &TypePath, place: Place, report: &mut Report) {
    if let Some(message) = named(path).and_then(refused) {
        return report.error(path, message);
    }
    for segment in &path.path.segments {
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
            for argument in &arguments.args {
                if let GenericArgument::Type(ty) = argument {
                    value(ty, place, report);
                }
            }
        }
    }
}

/// The last segment of a path that may be one of the standard library's.
fn named(path: &TypePath) -> Option<&PathSegment> {
    let segments = &path.path.segments;
    let standard =
        segments.first().is_some_and(|first| ["std", "core", "alloc"].iter().any(|name| first.ident == name));
    if path.qself.is_some() || (segments.len() > 1 && !standard) {
        return None;
    }
    segments.last()
}

/// The message about a type of the standard library.
fn refused(segment: &PathSegment) -> Option<String> {
    let name = &segment.ident;
    match name.to_string().as_str() {
        "bool" => return Some(messages::BOOL.to_owned()),
        "char" => return Some(messages::CHAR.to_owned()),
        "str" | "String" => return Some(messages::STRING.to_owned()),
        _ => {}
    }
    if let Some(integer) = name.to_string().strip_prefix("Atomic").map(str::to_ascii_lowercase)
        && INTEGERS.contains(&integer.as_str())
    {
        return Some(messages::atomic(name, &integer));
    }
    // Without arguments it can't be the standard library's.
    if segment.arguments.is_none() {
        return None;
    }
    match name.to_string().as_str() {
        "Vec" | "VecDeque" | "LinkedList" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet"
        | "BinaryHeap" => Some(messages::collection(name)),
        "Box" | "Rc" | "Arc" | "Cow" | "Weak" | "NonNull" => Some(messages::pointer_type(name)),
        "Option" | "Result" => Some(messages::wrapper(name)),
        "Cell" | "RefCell" | "UnsafeCell" | "OnceCell" | "Mutex" | "RwLock" => Some(messages::cell(name)),
        _ => None,
    }
}

/// The type without parentheses and without what `macro_rules` leaves around it.
pub(super) fn plain(ty: &Type) -> &Type {
    match ty {
        Type::Paren(paren) => plain(&paren.elem),
        Type::Group(group) => plain(&group.elem),
        _ => ty,
    }
}

/// What a type refers to, or the type itself.
pub(super) fn referent(ty: &Type) -> &Type {
    match plain(ty) {
        Type::Reference(reference) => plain(&reference.elem),
        other => other,
    }
}

pub(super) fn is_thread(ty: &Type) -> bool {
    matches!(plain(ty), Type::Path(path) if is_any(path, &["Thread"]))
}

pub(super) fn is_group(ty: &Type) -> bool {
    matches!(plain(ty), Type::Path(path) if is_any(path, &["Group"]))
}

pub(super) fn is_grid(ty: &Type) -> bool {
    matches!(plain(ty), Type::Path(path) if is_any(path, &["Grid"]))
}

pub(super) fn is_cluster(ty: &Type) -> bool {
    matches!(plain(ty), Type::Path(path) if is_any(path, &["Cluster"]))
}

/// The name of the view that a type is.
pub(super) fn view(ty: &Type) -> Option<&Ident> {
    match plain(ty) {
        Type::Path(path) if is_any(path, &VIEWS) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

/// The name of the integer type that a type is.
pub(super) fn integer(ty: &Type) -> Option<&Ident> {
    match plain(ty) {
        Type::Path(path) if path.qself.is_none() => {
            path.path.get_ident().filter(|name| INTEGERS.iter().any(|integer| *name == integer))
        }
        _ => None,
    }
}

/// Whether a type is one of Rust's numbers that a GPU has.
pub(super) fn is_number(ty: &Type) -> bool {
    let is_float =
        matches!(plain(ty), Type::Path(path) if path.path.is_ident("f32") || path.path.is_ident("f64"));
    is_float || integer(ty).is_some()
}

/// Whether the last segment of a path is one of some names.
fn is_any(path: &TypePath, names: &[&str]) -> bool {
    path.path.segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name))
}
