//! The helper attribute `#[kernel_arg(...)]`.

use syn::{Attribute, Path};

use crate::messages;
use crate::report::Report;

/// What the helper attributes of a struct say.
pub(crate) struct Options {
    pub(crate) root: Path,
    pub(crate) is_pod: bool,
}

/// Parses every `#[kernel_arg(...)]` among a struct's attributes.
pub(crate) fn options(attributes: &[Attribute], report: &mut Report) -> Options {
    let mut options = Options { root: super::default_root(), is_pod: false };
    for attribute in attributes {
        if !attribute.path().is_ident("kernel_arg") {
            continue;
        }
        let parsed = attribute.parse_nested_meta(|option| {
            if option.path.is_ident("crate") {
                options.root = option.value()?.call(Path::parse_mod_style)?;
                Ok(())
            } else if option.path.is_ident("pod") {
                options.is_pod = true;
                Ok(())
            } else {
                Err(option.error(messages::UNKNOWN_OPTION))
            }
        });
        if let Err(error) = parsed {
            report.push(error);
        }
    }
    options
}
