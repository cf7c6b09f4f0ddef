//! Whether a code object takes what the program passes. No release of HIP tells a kernel's parameters, so they are read from the code
//! object's own note.

#[cfg(test)]
mod tests;

use gridwright_core::Image;
use gridwright_image::code_object::CodeObject;

/// How the parameters of the kernel at a path differ in the code object from those of the image's table, if they do.
pub(super) fn difference(image: &Image, path: &str) -> Option<String> {
    // Without a table nothing was promised, and nothing would have been chosen.
    let (kernel, table) = image.entry(path).map_or((path, &[][..]), |entry| (entry.name, entry.parameters));
    let object = match CodeObject::read(image.bytes) {
        Ok(object) => object,
        Err(error) => return Some(format!("the image is corrupted: {error}")),
    };
    let Some(found) = object.kernel(kernel) else {
        return Some(format!("the code object has no kernel `{kernel}`"));
    };
    let found: Vec<_> = found.parameters().collect();
    for (index, (found, expected)) in found.iter().zip(table).enumerate() {
        if (found.offset, found.size) != (expected.offset, expected.size) {
            return Some(format!(
                "parameter {index} of the image's entry has {} bytes at offset {}, not {} at {}",
                found.size, found.offset, expected.size, expected.offset
            ));
        }
    }
    let (has, expected) = (found.len(), table.len());
    (has != expected).then(|| format!("the image's entry has {has} parameters, not {expected}"))
}
