//! The bytes that a kernel finds its arguments in: the program's, and those that the runtime adds.

use std::ffi::c_void;

use crate::code_object::Kernel;
use crate::error::Error;
use crate::launch::Sizes;
use crate::model::Model;

/// The caller's arguments: an array with the address of each. Null, or as long as the kernel has parameters, each address valid for
/// reads of its parameter's size.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Arguments(*const *const c_void);

impl Arguments {
    /// The parameters' bytes, each at its offset.
    fn gather(self, kernel: &Kernel) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; kernel.argument_bytes];
        if kernel.parameters.is_empty() {
            return Ok(bytes);
        }
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        for (index, &(offset, size)) in kernel.parameters.iter().enumerate() {
            // SAFETY: not null, so with an address for each parameter: the type's invariant.
            let argument = unsafe { *self.0.add(index) };
            let target = bytes.get_mut(offset..offset + size).ok_or(Error::INVALID_VALUE)?;
            if argument.is_null() {
                return Err(Error::INVALID_VALUE);
            }
            // SAFETY: not null, so valid for reads of the parameter's size, which is the target's: the type's invariant.
            unsafe { argument.cast::<u8>().copy_to_nonoverlapping(target.as_mut_ptr(), size) };
        }
        Ok(bytes)
    }
}

/// The other way to give arguments: a list of names and values that say where all bytes are.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Extra(*const *const c_void);

const BUFFER_POINTER: usize = 1;
const BUFFER_SIZE: usize = 2;
const END: usize = 3;

impl Extra {
    pub(crate) const NONE: Self = Self(std::ptr::null());

    fn gather(self, kernel: &Kernel) -> Result<Vec<u8>, Error> {
        let (mut pointer, mut size) = (std::ptr::null::<c_void>(), 0);
        for pair in 0..3 {
            // SAFETY: not null, so a list that ends with `END`; each name but that has a value behind it.
            let name = unsafe { *self.0.add(2 * pair) }.addr();
            if name == END {
                break;
            }
            // SAFETY: the name isn't `END`, so the list has a value behind it.
            let value = unsafe { *self.0.add(2 * pair + 1) };
            match name {
                BUFFER_POINTER => pointer = value,
                // SAFETY: this name's value is the address of a size, or null, which isn't looked at.
                BUFFER_SIZE if !value.is_null() => size = unsafe { *value.cast::<usize>() },
                _ => return Err(Error::INVALID_VALUE),
            }
        }
        let explicit = kernel.parameters.iter().map(|(offset, size)| offset + size).max().unwrap_or(0);
        if pointer.is_null() || size < explicit || size > Model::ARGUMENTS {
            return Err(Error::INVALID_VALUE);
        }
        let mut bytes = vec![0; kernel.argument_bytes];
        // SAFETY: the caller says that `size` bytes are there, and these are no more; `gather` of the metadata found them within
        // the argument bytes.
        unsafe { pointer.cast::<u8>().copy_to_nonoverlapping(bytes.as_mut_ptr(), explicit) };
        Ok(bytes)
    }
}

/// All bytes, of arguments that are given in one way or the other.
///
/// # Errors
/// If they are given in both, or in none.
pub(crate) fn gather(
    kernel: &Kernel,
    arguments: Arguments,
    extra: Extra,
    sizes: &Sizes,
) -> Result<Vec<u8>, Error> {
    let mut bytes = match (arguments.0.is_null(), extra.0.is_null()) {
        (false, false) => return Err(Error::INVALID_VALUE),
        (true, false) => extra.gather(kernel)?,
        _ => arguments.gather(kernel)?,
    };
    for (kind, offset, size) in &kernel.hidden {
        let value = hidden(kind, sizes).to_le_bytes();
        let target = bytes.get_mut(*offset..offset + size).ok_or(Error::INVALID_IMAGE)?;
        let (front, rest) = target.split_at_mut((*size).min(value.len()));
        front.copy_from_slice(&value[..front.len()]);
        rest.fill(0);
    }
    Ok(bytes)
}

/// What the runtime adds. Launches are of whole blocks, so that no remainder is left; what isn't here is zero: offsets of the grid,
/// and services of the host that aren't there.
fn hidden(kind: &str, sizes: &Sizes) -> u64 {
    let [x, y, z] = sizes.grid;
    let [threads_x, threads_y, threads_z] = sizes.block;
    let dimensions = if z > 1 || threads_z > 1 {
        3
    } else if y > 1 || threads_y > 1 {
        2
    } else {
        1
    };
    let value = match kind {
        "hidden_block_count_x" => x,
        "hidden_block_count_y" => y,
        "hidden_block_count_z" => z,
        "hidden_group_size_x" => threads_x,
        "hidden_group_size_y" => threads_y,
        "hidden_group_size_z" => threads_z,
        "hidden_grid_dims" => dimensions,
        "hidden_dynamic_lds_size" => sizes.shared,
        _ => 0,
    };
    value.into()
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Extra, gather};
    use crate::code_object::Kernel;
    use crate::error::Error;
    use crate::launch::Sizes;

    fn kernel() -> Kernel {
        let hidden = [
            ("hidden_block_count_y", 12, 4),
            ("hidden_group_size_x", 16, 2),
            ("hidden_global_offset_x", 24, 8),
        ];
        Kernel {
            parameters: vec![(0, 4), (8, 2)],
            hidden: hidden.map(|(kind, offset, size)| (kind.to_owned(), offset, size)).to_vec(),
            argument_bytes: 32,
            ..Kernel::default()
        }
    }

    const SIZES: Sizes = Sizes { grid: [1, 7, 1], block: [0x140, 1, 1], shared: 0, is_cooperative: false };

    #[test]
    fn arguments_lie_where_the_metadata_says_and_the_hidden_ones_are_added() {
        let (first, second) = (0x0403_0201_u32, 0x0605_u16);
        let addresses = [(&raw const first).cast(), (&raw const second).cast()];
        let bytes = gather(&kernel(), Arguments(addresses.as_ptr()), Extra::NONE, &SIZES);
        let mut expected = vec![0; 32];
        expected[..4].copy_from_slice(&[1, 2, 3, 4]);
        expected[8..10].copy_from_slice(&[5, 6]);
        expected[12] = 7;
        expected[16..18].copy_from_slice(&[0x40, 1]);
        assert_eq!(bytes, Ok(expected.clone()));
        let size = 10_usize;
        let given = &expected[..10];
        let extra = [
            std::ptr::without_provenance(1),
            given.as_ptr().cast(),
            std::ptr::without_provenance(2),
            (&raw const size).cast(),
            std::ptr::without_provenance(3),
        ];
        assert_eq!(
            gather(&kernel(), Arguments(std::ptr::null()), Extra(extra.as_ptr()), &SIZES),
            Ok(expected)
        );
    }

    #[test]
    fn arguments_are_given_in_one_way() {
        let refused =
            |arguments, extra| gather(&kernel(), arguments, extra, &SIZES) == Err(Error::INVALID_VALUE);
        let null = [std::ptr::null(); 2];
        assert!(refused(Arguments(std::ptr::null()), Extra::NONE));
        assert!(refused(Arguments(null.as_ptr()), Extra::NONE));
        assert!(refused(Arguments(null.as_ptr()), Extra(null.as_ptr())));
    }
}
