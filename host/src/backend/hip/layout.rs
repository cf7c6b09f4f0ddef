use gridwright_core::Image;
use gridwright_image::code_object::CodeObject;

/// How a kernel's parameters in a code object differ from those of the table that the program was built with.
pub(super) fn difference(image: &Image, symbol: &str) -> Option<String> {
    let expected = image.entry(symbol)?;
    let object = match CodeObject::read(image.bytes) {
        Ok(object) => object,
        Err(error) => return Some(error.to_string()),
    };
    let kernel = object.kernel(symbol)?;
    let found = kernel.parameters().map(|parameter| (parameter.offset, parameter.size));
    let expected = expected.parameters.iter().map(|parameter| (parameter.offset, parameter.size));
    (!found.eq(expected)).then(|| "the image's entry has other parameters than its table".into())
}
