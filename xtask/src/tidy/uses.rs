//! What `use` names.

use syn::UseTree;

/// A path that a `use` names.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The path as it is written; of a glob without `*`, and without `self` at the end.
    pub(super) path: Vec<String>,
    /// The name that is known here. A glob gives none.
    pub(super) name: Option<String>,
}

/// The paths that a `use` names, in their order.
pub(super) fn named(tree: &UseTree) -> Vec<Named> {
    match tree {
        UseTree::Path(path) => {
            let mut inner = named(&path.tree);
            inner.iter_mut().for_each(|named| named.path.insert(0, path.ident.to_string()));
            inner
        }
        UseTree::Name(name) => vec![leaf(&name.ident, &name.ident)],
        UseTree::Rename(name) => vec![leaf(&name.ident, &name.rename)],
        UseTree::Glob(_) => vec![Named::default()],
        UseTree::Group(group) => group.items.iter().flat_map(named).collect(),
    }
}

fn leaf(of: &syn::Ident, name: &syn::Ident) -> Named {
    let path = if of == "self" { Vec::new() } else { vec![of.to_string()] };
    Named { path, name: Some(name.to_string()) }
}
