//! The bytes that a kernel finds its arguments in: the program's, and those that the runtime adds.

use crate::code_object::Kernel;
use crate::error::Error;
use crate::launch::Sizes;
use crate::model::Model;
use crate::shared::arguments::{self, Arguments, Parameters};

pub(crate) type Extra = arguments::Extra<3>;

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
    let given = kernel.parameters.iter().map(|(offset, size)| offset + size).max().unwrap_or(0);
    let bytes = kernel.argument_bytes;
    let parameters = Parameters { each: &kernel.parameters, bytes, given, most: Model::ARGUMENTS };
    let mut bytes = parameters.gather(arguments, extra)?;
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
        let bytes = gather(&kernel(), Arguments::new(addresses.as_ptr()), Extra::NONE, &SIZES);
        let mut expected = vec![0; 32];
        expected[..4].copy_from_slice(&[1, 2, 3, 4]);
        expected[8..10].copy_from_slice(&[5, 6]);
        expected[12] = 7;
        expected[16..18].copy_from_slice(&[0x40, 1]);
        assert_eq!(bytes, Ok(expected));
    }
}
