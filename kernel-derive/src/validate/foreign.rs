//! Declared kernels, and whether the images have them.

use std::{env, fs, path::PathBuf};

use gridwright_image::{Image, ImageError};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{
    Attribute, Expr, ExprLit, FnArg, ForeignItem, ForeignItemFn, ItemForeignMod, Lit, LitStr, Meta,
    ReturnType, Safety, Type,
};

use super::{parameters, passing, types};
use crate::messages;
use crate::model::{Foreign, ForeignImage, ForeignKernel, ForeignParameter, Passing};
use crate::parse::ForeignArguments;
use crate::report::Report;

/// What a path starts with that a build script wrote to.
const OUT_DIR: &str = "$OUT_DIR/";

/// The variable that `gridwright-build` sets where it compiles for devices, on which nothing is launched.
const DEVICE_BUILD: &str = "GRIDWRIGHT_INNER";

/// The model of a block, whole unless there is an error in the report.
pub(crate) fn foreign(arguments: ForeignArguments, block: ItemForeignMod, report: &mut Report) -> Foreign {
    if block.unsafety.is_none() {
        report.error(&block.abi, messages::FOREIGN_UNSAFE);
    }
    if block.abi.name.as_ref().is_some_and(|name| name.value() != "C") {
        report.error(&block.abi, messages::FOREIGN_ABI);
    }
    let mut images = Vec::new();
    let is_launched = env::var_os(DEVICE_BUILD).is_none();
    if is_launched {
        images.extend(arguments.images.iter().filter_map(|written| read(written, report)));
    }
    let is_whole = images.len() == arguments.images.len();
    let mut kernels = Vec::new();
    for item in block.items {
        match item {
            ForeignItem::Fn(function) => kernels.extend(kernel(function, report)),
            other => report.error(other, messages::FOREIGN_ITEM),
        }
    }
    if is_whole {
        for kernel in &kernels {
            compare(kernel, &images, report);
        }
    }
    let attributes = block.attrs.into_iter().filter(|attribute| !attribute.path().is_ident("doc")).collect();
    Foreign { root: arguments.root, attributes, images, kernels }
}

/// Reads an image.
fn read(written: &LitStr, report: &mut Report) -> Option<ForeignImage> {
    let text = written.value();
    let (variable, rest) = match text.strip_prefix(OUT_DIR) {
        Some(rest) => ("OUT_DIR", rest),
        None => ("CARGO_MANIFEST_DIR", &*text),
    };
    let path = env::var_os(variable).map_or_else(PathBuf::new, PathBuf::from).join(rest);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            report.error(written, messages::unreadable_image(&text, error));
            return None;
        }
    };
    let Some(path) = path.to_str().map(str::to_owned) else {
        report.error(written, messages::unreadable_image(&text, "its path isn't UTF-8"));
        return None;
    };
    match Image::read(&bytes) {
        Ok(image) => Some(ForeignImage { written: text, path, image }),
        Err(reason) => {
            let message = match reason {
                ImageError::CodeObjectsLeftOut => messages::code_object_without_hip(&text),
                reason => messages::not_an_image(&text, reason),
            };
            report.error(written, message);
            None
        }
    }
}

fn kernel(function: ForeignItemFn, report: &mut Report) -> Option<ForeignKernel> {
    let ForeignItemFn { attrs, vis: visibility, sig: signature, .. } = function;
    if let Safety::Safe(token) = signature.safety {
        report.error(token, messages::FOREIGN_SAFE);
    }
    if let Some(variadic) = &signature.variadic {
        report.error(variadic, messages::VARIADIC);
    }
    if let ReturnType::Type(..) = signature.output {
        report.error(&signature.output, messages::FOREIGN_RETURN_TYPE);
    }
    if !signature.generics.params.is_empty() {
        report.error(&signature.generics, messages::FOREIGN_GENERICS);
    }
    let mut entry = signature.ident.unraw().to_string();
    let mut attributes = Vec::new();
    for attribute in attrs {
        if attribute.path().is_ident("link_name") {
            match text(&attribute) {
                Some(name) => entry = name,
                None => report.error(&attribute, messages::FOREIGN_LINK_NAME),
            }
        } else if ["doc", "deprecated", "allow", "warn", "deny", "forbid"]
            .iter()
            .any(|name| attribute.path().is_ident(name))
        {
            attributes.push(attribute);
        } else {
            report.error(&attribute, messages::FOREIGN_ATTRIBUTE);
        }
    }
    let mut parameters = Vec::new();
    let mut memory: Option<(Ident, Type)> = None;
    for input in &signature.inputs {
        let FnArg::Typed(parameter) = input else {
            report.error(input, messages::RECEIVER);
            continue;
        };
        let Some(name) = parameters::name(parameter, report) else { continue };
        let ty = &parameter.ty;
        match passing::passing(ty) {
            Passing::Partition(_) if memory.is_some() => report.error(parameter, messages::FOREIGN_MEMORY),
            Passing::Partition(element) => memory = Some((name, element)),
            _ if matches!(types::plain(ty), Type::Reference(_)) => {
                report.error(ty, messages::FOREIGN_REFERENCE);
            }
            _ if types::view(ty).is_some() => report.error(ty, messages::FOREIGN_VIEW),
            _ => {
                types::parameter(ty, None, report);
                parameters.push(ForeignParameter { name, ty: types::plain(ty).clone() });
            }
        }
    }
    if let Some(parameter) = signature.inputs.iter().nth(messages::MAX_PARAMETERS)
        && parameters.len() > messages::MAX_PARAMETERS
    {
        report.error(parameter, messages::TOO_MANY_PARAMETERS);
    }
    let name = signature.ident;
    Some(ForeignKernel { attributes, visibility, name, entry, parameters, memory })
}

/// The text of `link_name = "..."`.
fn text(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    match &meta.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// Reports a kernel that no image has, or that one has with another number of parameters. Sizes are compared by the
/// compiler.
fn compare(kernel: &ForeignKernel, images: &[ForeignImage], report: &mut Report) {
    let declared = kernel.parameters.len();
    let mut is_found = false;
    for image in images {
        let Some(entry) = image.image.entry(&kernel.entry) else { continue };
        is_found = true;
        let found = entry.parameters.len();
        if found != declared {
            let message = messages::entry_parameters(&image.written, &kernel.entry, found, declared);
            report.error(&kernel.name, message);
        }
    }
    if !is_found {
        let mut found: Vec<_> =
            images.iter().flat_map(|image| &image.image.entries).map(|entry| &*entry.name).collect();
        found.sort_unstable();
        found.dedup();
        report.error(&kernel.name, messages::no_entry(&kernel.entry, &found));
    }
}
