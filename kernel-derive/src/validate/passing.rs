//! How kernels get their parameters, by the spelling of their types.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

use super::types;
use crate::model::Passing;

/// The passing of a parameter of a type.
pub(crate) fn passing(ty: &Type) -> Passing {
    match types::plain(ty) {
        Type::Reference(reference) => match types::plain(&reference.elem) {
            Type::Slice(slice) => Passing::ReadSlice((*slice.elem).clone()),
            elem => match shape(elem) {
                Some(Shape::Matrix(element)) => Passing::ReadMatrix(element),
                Some(Shape::Volume(element)) => Passing::ReadVolume(element),
                Some(Shape::Segments(element)) => Passing::ReadSegments(element),
                Some(Shape::Texture) => Passing::Texture,
                _ => Passing::Value,
            },
        },
        Type::Ptr(_) => Passing::Pointer,
        ty if types::is_number(ty) => Passing::Number,
        ty => last(ty).and_then(view).unwrap_or(Passing::Value),
    }
}

/// The passing of a view whose shape is spelled out.
fn view(view: &PathSegment) -> Option<Passing> {
    if let Some(rank) = surface(view) {
        return Some(Passing::Surface(rank));
    }
    let mut arguments = arguments(view);
    let shape = shape(arguments.next()?)?;
    let map = arguments.next().map(|map| Box::new(map.clone()));
    match (view.ident.to_string().as_str(), shape) {
        ("PerThread", Shape::Slice(element)) => Some(Passing::OwnSlice(element, map)),
        ("PerThread", Shape::Matrix(element)) => Some(Passing::OwnMatrix(element, map)),
        ("PerThread", Shape::Volume(element)) => Some(Passing::OwnVolume(element, map)),
        ("PerThread", Shape::Segments(element)) => Some(Passing::OwnSegments(element)),
        ("PerThread", Shape::Scattered(element)) => Some(Passing::OwnScattered(element)),
        ("PerGroup", Shape::Slice(element)) => Some(Passing::GroupSlice(element)),
        ("PerGroup", Shape::Segments(element)) => Some(Passing::GroupSegments(element)),
        ("GridMemory", Shape::Slice(element)) => Some(Passing::GridSlice(element)),
        ("PerGroup", Shape::Matrix(element)) if map.as_deref().is_some_and(is_placed) => {
            Some(Passing::GroupPlaced(element))
        }
        ("PerGroup", Shape::Matrix(element)) => Some(Passing::GroupMatrix(element, map)),
        ("Atomic", Shape::Slice(element)) => Some(Passing::Atomic(element)),
        ("Workgroup" | "ClusterMemory", Shape::Slice(element)) => Some(Passing::Partition(element)),
        ("Workgroup" | "ClusterMemory", Shape::Array(array)) => Some(Passing::Fixed(array)),
        _ => None,
    }
}

/// Whether a map is one of tiles that lie where the launch says.
fn is_placed(map: &Type) -> bool {
    last(map).is_some_and(|last| last.ident == "PlacedTiles")
}

/// The dimensions of a surface.
fn surface(view: &PathSegment) -> Option<usize> {
    Some(match view.ident.to_string().as_str() {
        "Surface1d" => 1,
        "Surface2d" => 2,
        "Surface3d" | "SurfaceLayered2d" => 3,
        // A dimension that isn't spelled out could be one.
        "Surface" => match arguments(view).nth(1).and_then(last)?.ident.to_string().as_str() {
            "D2" => 2,
            "D3" | "D2Layers" => 3,
            _ => 1,
        },
        _ => return None,
    })
}

/// How elements lie; the types are theirs but for the array's, which is its own.
enum Shape {
    Slice(Type),
    Array(Type),
    Matrix(Type),
    Volume(Type),
    Segments(Type),
    Scattered(Type),
    Texture,
}

fn shape(ty: &Type) -> Option<Shape> {
    match types::plain(ty) {
        Type::Slice(slice) => Some(Shape::Slice((*slice.elem).clone())),
        array @ Type::Array(_) => Some(Shape::Array(array.clone())),
        other => {
            let last = last(other)?;
            let element = arguments(last).next()?.clone();
            match last.ident.to_string().as_str() {
                "Matrix" => Some(Shape::Matrix(element)),
                "Volume" => Some(Shape::Volume(element)),
                "Segments" => Some(Shape::Segments(element)),
                "Scattered" => Some(Shape::Scattered(element)),
                "Texture" | "Texture1d" | "Texture2d" | "Texture3d" | "TextureLayered2d" => {
                    Some(Shape::Texture)
                }
                _ => None,
            }
        }
    }
}

/// The first type in a view's brackets.
pub(crate) fn first_argument(ty: &Type) -> Option<Type> {
    arguments(last(ty)?).next().cloned()
}

/// The last word of a path.
pub(crate) fn last(ty: &Type) -> Option<&PathSegment> {
    match types::plain(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The generic arguments that are types.
fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(types::plain(ty)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::passing;
    use crate::model::Passing;

    #[test]
    fn by_spelling() {
        for (ty, expected) in [
            ("f32", "number"),
            ("usize", "number"),
            ("[f32; 4]", "value"),
            ("glam::Vec3", "value"),
            ("Body", "value"),
            ("&[f32]", "read slice"),
            ("&'a [Body]", "read slice"),
            ("&Matrix<u8>", "read matrix"),
            ("&g::Matrix<u8>", "read matrix"),
            ("PerThread<[f32]>", "own slice"),
            ("PerThread<'_, [[f32; 2]]>", "own slice"),
            ("g::PerThread<Matrix<f32>>", "own matrix"),
            ("PerThread<[f32], Reversed>", "own slice by a map"),
            ("PerThread<'_, Matrix<f32>, g::Transposed>", "own matrix by a map"),
            ("PerThread<Volume<f32>>", "own volume"),
            ("&Volume<[f32; 2]>", "read volume"),
            ("PerGroup<[[f32; 2]]>", "slice of groups"),
            ("GridMemory<[f32]>", "slice of the grid"),
            ("PerGroup<'k, Matrix<f32>>", "matrix of groups"),
            ("PerGroup<Matrix<f32>, Tiles<64, 32>>", "matrix of groups by a map"),
            ("PerGroup<Matrix<f32>, g::PlacedTiles<64, 32, Offset>>", "placed matrix of groups"),
            ("&Segments<f32>", "read segments"),
            ("PerThread<Segments<f32>>", "own segments"),
            ("PerThread<g::Scattered<f32>>", "own scattered"),
            ("PerGroup<Segments<f32>>", "segments of groups"),
            ("PerGroup<[f32; 2]>", "value"),
            ("Atomic<[u32]>", "atomic"),
            ("*const f32", "pointer"),
            ("(*mut [f32; 4])", "pointer"),
            ("Workgroup<[f32]>", "partition"),
            ("Workgroup<[[f32; 2]]>", "partition"),
            ("Workgroup<[f32; 4]>", "fixed"),
            ("g::Workgroup<'_, [[[f32; 4]; N]; { M }]>", "fixed"),
            ("&g::Texture2d<[f32; 4]>", "texture"),
            ("&Texture1d<f32>", "texture"),
            ("&Texture<f32, D2>", "texture"),
            ("Surface<f32, g::D2>", "surface of 2"),
            ("Surface<'_, f32, Mine>", "surface of 1"),
            ("Texture3d<f32>", "value"),
            ("Surface1d<f32>", "surface of 1"),
            ("g::Surface2d<'_, [u8; 4]>", "surface of 2"),
            ("SurfaceLayered2d<f32>", "surface of 3"),
            ("Workgroup<Tile>", "value"),
            ("Workgroup", "value"),
            ("Matrix<f32>", "value"),
        ] {
            let ty = syn::parse_str(ty).expect("test input parses");
            let found = match passing(&ty) {
                Passing::Number => "number",
                Passing::Value => "value",
                Passing::ReadSlice(_) => "read slice",
                Passing::ReadMatrix(_) => "read matrix",
                Passing::ReadVolume(_) => "read volume",
                Passing::ReadSegments(_) => "read segments",
                Passing::OwnSegments(_) => "own segments",
                Passing::OwnScattered(_) => "own scattered",
                Passing::GroupSegments(_) => "segments of groups",
                Passing::GroupPlaced(_) => "placed matrix of groups",
                Passing::OwnSlice(_, None) => "own slice",
                Passing::OwnSlice(_, Some(_)) => "own slice by a map",
                Passing::OwnMatrix(_, None) => "own matrix",
                Passing::OwnMatrix(_, Some(_)) => "own matrix by a map",
                Passing::OwnVolume(..) => "own volume",
                Passing::GroupSlice(_) => "slice of groups",
                Passing::GridSlice(_) => "slice of the grid",
                Passing::GroupMatrix(_, None) => "matrix of groups",
                Passing::GroupMatrix(_, Some(_)) => "matrix of groups by a map",
                Passing::Atomic(_) => "atomic",
                Passing::Texture => "texture",
                Passing::Surface(1) => "surface of 1",
                Passing::Surface(2) => "surface of 2",
                Passing::Surface(_) => "surface of 3",
                Passing::Pointer => "pointer",
                Passing::Fixed(_) => "fixed",
                Passing::Partition(_) => "partition",
            };
            assert_eq!(found, expected, "{}", crate::text::types(ty));
        }
    }
}
