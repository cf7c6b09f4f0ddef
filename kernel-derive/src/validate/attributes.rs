//! The attributes of a kernel's function: which conflict, and where the others go.

use syn::{Attribute, Meta, Path, parse_quote};

use crate::messages;
use crate::model::Attributes;
use crate::report::Report;

const CONFLICTING: [&str; 9] = [
    "no_mangle",
    "export_name",
    "link_section",
    "target_feature",
    "track_caller",
    "inline",
    "test",
    "bench",
    "gpu_kernel",
];

/// Sorts the attributes by what they are put on.
pub(crate) fn sort(attributes: Vec<Attribute>, report: &mut Report) -> Attributes {
    let mut sorted = Attributes::default();
    for attribute in attributes {
        let name = name(&attribute);
        match name.as_str() {
            "doc" => sorted.item.push(attribute),
            "deprecated" => {
                sorted.item.push(attribute);
                // What the macro writes uses the kernel as well.
                sorted.block.push(parse_quote!(#[allow(deprecated)]));
            }
            // What is inside the block inherits its lint levels.
            "cfg" | "cfg_attr" | "allow" | "warn" | "deny" | "forbid" => {
                sorted.item.push(attribute.clone());
                sorted.block.push(attribute);
            }
            // On two items, one of them would be unfulfilled.
            "expect" => sorted.block.push(attribute),
            name if CONFLICTING.contains(&name) => {
                report.error(&attribute, messages::conflicting_attribute(name));
            }
            _ => sorted.body.push(attribute),
        }
    }
    sorted
}

/// The last word of an attribute's path, within `unsafe(...)` too.
fn name(attribute: &Attribute) -> String {
    let last =
        |path: &Path| path.segments.last().map_or_else(String::new, |segment| segment.ident.to_string());
    if attribute.path().is_ident("unsafe")
        && let Ok(meta) = attribute.parse_args::<Meta>()
    {
        return last(meta.path());
    }
    last(attribute.path())
}
