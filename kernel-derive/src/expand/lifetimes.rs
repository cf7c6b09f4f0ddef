//! A parameter's type with one lifetime in place of each: `'static` as a launch knows it, or one that nobody knows anything of.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    AngleBracketedGenericArguments, Expr, FnArg, GenericArgument, GenericParam, Lifetime, LifetimeParam,
    PatType, PathArguments, Signature, Type, TypePath, TypeReference,
};

use crate::model::VIEWS;

/// The type with `'static` for each lifetime, written or left out.
pub(super) fn launched(ty: &Type) -> Type {
    let mut ty = ty.clone();
    replace(&mut ty, "'static");
    ty
}

/// Puts a lifetime in place of each, written or left out.
pub(super) fn replace(ty: &mut Type, lifetime: &str) {
    Everywhere { lifetime }.visit_type_mut(ty);
}

/// Gives the pieces of workgroup memory whose lifetimes are left out one lifetime, so that a kernel can swap two of them.
pub(super) fn share_memory(signature: &mut Signature) {
    const SHARED: &str = "'__workgroup";
    let mut is_shared = false;
    for input in &mut signature.inputs {
        let FnArg::Typed(PatType { ty, .. }) = input else { continue };
        if let Some(memory) = workgroup(ty) {
            let given = memory.args.first_mut().and_then(|first| match first {
                GenericArgument::Lifetime(lifetime) => Some(lifetime),
                _ => None,
            });
            let shared = Lifetime::new(SHARED, Span::call_site());
            match given {
                Some(lifetime) if lifetime.ident == "_" => *lifetime = shared,
                Some(_) => continue,
                None => memory.args.insert(0, GenericArgument::Lifetime(shared)),
            }
            is_shared = true;
        }
    }
    if is_shared {
        let shared = LifetimeParam::new(Lifetime::new(SHARED, Span::call_site()));
        signature.generics.params.insert(0, GenericParam::Lifetime(shared));
    }
}

/// The arguments of a `Workgroup`, if a type is one.
fn workgroup(ty: &mut Type) -> Option<&mut AngleBracketedGenericArguments> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last_mut().filter(|last| last.ident == "Workgroup")?;
    match &mut last.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments),
        _ => None,
    }
}

struct Everywhere<'l> {
    lifetime: &'l str,
}

impl Everywhere<'_> {
    fn at(&self, span: Span) -> Lifetime {
        Lifetime::new(self.lifetime, super::quiet(span))
    }
}

impl VisitMut for Everywhere<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = self.at(lifetime.span());
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        let span = reference.and_token.span;
        reference.lifetime.get_or_insert_with(|| self.at(span));
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        if let Some(last) = path.path.segments.last_mut()
            && VIEWS.iter().any(|view| last.ident == view)
            && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
            && !matches!(arguments.args.first(), Some(GenericArgument::Lifetime(_)))
        {
            let lifetime = GenericArgument::Lifetime(self.at(last.ident.span()));
            arguments.args.insert(0, lifetime);
        }
        visit_mut::visit_type_path_mut(self, path);
    }

    /// An array's length has no lifetimes of ours in it.
    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

#[cfg(test)]
mod tests {
    use crate::text;

    #[test]
    fn every_lifetime_becomes_static() {
        for (written, launched) in [
            ("f32", "f32"),
            ("&[f32]", "&'static [f32]"),
            ("&'a Matrix<f32>", "&'static Matrix<f32>"),
            ("PerThread<[f32]>", "PerThread<'static, [f32]>"),
            ("PerThread<'_, [f32]>", "PerThread<'static, [f32]>"),
            ("PerThread<[f32], Reversed>", "PerThread<'static, [f32], Reversed>"),
            ("PerGroup<Matrix<f32>>", "PerGroup<'static, Matrix<f32>>"),
            ("Atomic<[u32]>", "Atomic<'static, [u32]>"),
            ("Workgroup<'_, [[f32; N]; M]>", "Workgroup<'static, [[f32; N]; M]>"),
            ("&Volume<f32>", "&'static Volume<f32>"),
            ("g::PerThread<[u32]>", "g::PerThread<'static, [u32]>"),
            ("[Borrowed<'a>; 4]", "[Borrowed<'static>; 4]"),
            ("PerThread", "PerThread"),
        ] {
            let ty = syn::parse_str(written).expect("test input parses");
            assert_eq!(text::types(super::launched(&ty)), launched);
        }
    }
}
