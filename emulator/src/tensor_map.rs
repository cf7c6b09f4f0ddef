//! Tensor maps: what a driver encodes of a tensor, and kernels hand to `cp.async.bulk.tensor`, as 128 bytes that only both know.

/// Dimensions of the largest tensor.
const MOST: usize = 5;
/// The first bytes of a map: other bytes were never encoded.
const MARK: [u8; 4] = *b"GWTM";

/// Bytes that a map takes.
pub const TENSOR_MAP_BYTES: usize = 128;

/// What a tensor is made of, by the numbers of PTX and of `cuda.h`, which are the same but for the floats'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TensorElement {
    /// An unsigned integer of so many bytes: 1, 2, 4 or 8.
    Unsigned(u8),
    /// A signed integer of so many bytes: 4 or 8.
    Signed(u8),
    /// `f16`.
    Half,
    /// `f32`, and those of which hardware makes something else on the way: subnormals are kept, and so are all bits of `tf32`.
    Single,
    /// `f64`.
    Double,
    /// `bf16`.
    Brain,
}

impl TensorElement {
    /// Bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Unsigned(bytes) | Self::Signed(bytes) => bytes.into(),
            Self::Half | Self::Brain => 2,
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    fn number(self) -> u8 {
        match self {
            Self::Unsigned(1) => 0,
            Self::Unsigned(2) => 1,
            Self::Unsigned(4) => 2,
            Self::Signed(4) => 3,
            Self::Unsigned(_) => 4,
            Self::Signed(_) => 5,
            Self::Half => 6,
            Self::Single => 7,
            Self::Double => 9,
            Self::Brain => 10,
        }
    }

    /// The element of a number of `tensormap.replace`.
    pub(crate) fn of_number(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Unsigned(1),
            1 => Self::Unsigned(2),
            2 => Self::Unsigned(4),
            3 => Self::Signed(4),
            4 => Self::Unsigned(8),
            5 => Self::Signed(8),
            6 => Self::Half,
            7 | 8 | 11 | 12 => Self::Single,
            9 => Self::Double,
            10 => Self::Brain,
            _ => return None,
        })
    }
}

/// How rows of a tile lie in workgroup memory: pieces of 16 bytes change places within spans of so many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swizzle {
    /// As they are.
    None,
    /// Within 32 bytes.
    Bytes32,
    /// Within 64 bytes.
    Bytes64,
    /// Within 128 bytes.
    Bytes128,
}

impl Swizzle {
    /// The mode of a number of `cuda.h` and PTX.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Self> {
        [Self::None, Self::Bytes32, Self::Bytes64, Self::Bytes128].get(number as usize).copied()
    }

    /// Bytes of a span.
    #[must_use]
    pub fn span(self) -> u64 {
        match self {
            Self::None => 16,
            Self::Bytes32 => 32,
            Self::Bytes64 => 64,
            Self::Bytes128 => 128,
        }
    }

    /// Where the byte of an address lies, in a pattern that begins so many 128 bytes behind a multiple of 1024.
    pub(crate) fn place(self, address: u64, base: u64) -> u64 {
        let line = (address >> 7).wrapping_sub(base) & (self.span() / 16 - 1);
        address ^ line << 4
    }
}

/// A tensor in device memory, and the tile of it that a copy moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorMap {
    /// What it is made of.
    pub element: TensorElement,
    /// Its first byte.
    pub address: u64,
    /// Number of dimensions, 1 to 5.
    pub rank: usize,
    /// Elements along each, the fastest first: 1 to 2³².
    pub dimensions: [u64; MOST],
    /// Bytes from one to the next along all dimensions but the fastest.
    pub strides: [u64; MOST - 1],
    /// Elements that a tile spans along each dimension.
    pub tile: [u32; MOST],
    /// A tile has one of so many elements along each dimension.
    pub steps: [u32; MOST],
    /// How the tile lies in workgroup memory.
    pub swizzle: Swizzle,
    /// Whether elements beyond the tensor are read as NaN, not as zeros.
    pub fills_nan: bool,
}

impl TensorMap {
    /// The map as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; TENSOR_MAP_BYTES] {
        let mut bytes = Vec::with_capacity(TENSOR_MAP_BYTES);
        bytes.extend(MARK);
        let swizzle = [Swizzle::None, Swizzle::Bytes32, Swizzle::Bytes64, Swizzle::Bytes128];
        let swizzle = swizzle.iter().position(|one| *one == self.swizzle).unwrap_or(0) as u8;
        bytes.extend([self.element.number(), self.rank as u8, swizzle, u8::from(self.fills_nan)]);
        bytes.extend(self.address.to_le_bytes());
        self.strides.iter().for_each(|stride| bytes.extend(stride.to_le_bytes()));
        // 2³² elements don't fit: one less than there are.
        self.dimensions.iter().for_each(|size| bytes.extend((size.wrapping_sub(1) as u32).to_le_bytes()));
        self.tile.iter().for_each(|size| bytes.extend((*size as u16).to_le_bytes()));
        self.steps.iter().for_each(|step| bytes.push(*step as u8));
        let mut all = [0; TENSOR_MAP_BYTES];
        all.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        all
    }

    /// The map of bytes, if they are one.
    #[must_use]
    pub fn decode(bytes: &[u8; TENSOR_MAP_BYTES]) -> Option<Self> {
        let (mark, rest) = bytes.split_at(MARK.len());
        if mark != MARK {
            return None;
        }
        let mut rest = rest.iter().copied();
        let mut number = |bytes: u32| {
            (0..bytes).fold(0_u64, |all, byte| all | u64::from(rest.next().unwrap_or(0)) << (8 * byte))
        };
        let element = TensorElement::of_number(number(1) as u32)?;
        let rank = number(1) as usize;
        let swizzle = Swizzle::of_number(number(1) as u32)?;
        let fills_nan = number(1) == 1;
        let address = number(8);
        let strides = std::array::from_fn(|_| number(8));
        let dimensions = std::array::from_fn(|_| number(4) + 1);
        let tile = std::array::from_fn(|_| number(2) as u32);
        let steps = std::array::from_fn(|_| number(1) as u32);
        let is_whole = (1..=MOST).contains(&rank);
        let map = Self { element, address, rank, dimensions, strides, tile, steps, swizzle, fills_nan };
        is_whole.then_some(map)
    }

    /// Elements of a tile along a dimension.
    pub(crate) fn elements(&self, axis: usize) -> u32 {
        let (tile, step) = (self.tile.get(axis), self.steps.get(axis));
        // The fastest dimension has no steps.
        let step = if axis == 0 { 1 } else { step.copied().unwrap_or(1).max(1) };
        tile.map_or(1, |tile| tile.div_ceil(step))
    }

    /// Bytes of a tile.
    #[must_use]
    pub fn tile_bytes(&self) -> usize {
        let elements = (0..self.rank).map(|axis| self.elements(axis) as usize);
        elements.product::<usize>() * self.element.bytes()
    }

    /// The parts of a tile that lie in the tensor: where each begins in the tile, its address, and its bytes.
    pub(crate) fn parts(&self, at: &[i32]) -> Vec<(usize, u64, usize)> {
        let bytes = self.element.bytes();
        let row = self.elements(0) as usize;
        let first = i64::from(at.first().copied().unwrap_or(0));
        let size = i64::try_from(self.dimensions[0]).unwrap_or(i64::MAX);
        let begin = (-first).clamp(0, row as i64);
        let end = (size - first).clamp(begin, row as i64);
        let rows: usize = (1..self.rank).map(|axis| self.elements(axis) as usize).product();
        let mut parts = Vec::new();
        for number in 0..rows {
            let mut rest = number;
            let mut address = self.address.wrapping_add((first + begin).wrapping_mul(bytes as i64) as u64);
            let mut is_inside = begin < end;
            for axis in 1..self.rank {
                let count = self.elements(axis) as usize;
                let place = i64::from(at.get(axis).copied().unwrap_or(0))
                    + (rest % count.max(1)) as i64 * i64::from(self.steps[axis].max(1));
                rest /= count.max(1);
                is_inside &= (0..i64::try_from(self.dimensions[axis]).unwrap_or(i64::MAX)).contains(&place);
                address = address.wrapping_add(self.strides[axis - 1].wrapping_mul(place as u64));
            }
            if is_inside {
                let begin = begin as usize;
                parts.push(((number * row + begin) * bytes, address, (end as usize - begin) * bytes));
            }
        }
        parts
    }

    /// What stands in a tile beyond the tensor.
    pub(crate) fn filling(&self) -> Vec<u8> {
        let bytes = self.element.bytes();
        let is_float = !matches!(self.element, TensorElement::Unsigned(_) | TensorElement::Signed(_));
        let mut element = vec![if self.fills_nan && is_float { 0xff } else { 0 }; bytes];
        if let Some(last) = element.last_mut() {
            *last &= 0x7f;
        }
        element.repeat(self.tile_bytes() / bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Swizzle, TensorElement, TensorMap};

    fn map() -> TensorMap {
        TensorMap {
            element: TensorElement::Half,
            address: 0x1234_5670,
            rank: 3,
            dimensions: [100, 1 << 32, 3, 1, 1],
            strides: [208, 1 << 39, 0, 0],
            tile: [64, 256, 4, 1, 1],
            steps: [1, 2, 8, 1, 1],
            swizzle: Swizzle::Bytes64,
            fills_nan: true,
        }
    }

    #[test]
    fn a_map_is_what_was_encoded() {
        assert_eq!(TensorMap::decode(&map().encode()), Some(map()));
        assert_eq!(TensorMap::decode(&[0; 128]), None);
    }

    #[test]
    fn a_tile_has_each_step_of_what_it_spans() {
        assert_eq!(map().tile_bytes(), 64 * 128 * 2);
        let parts = map().parts(&[60, -2, 0]);
        // The first row lies in front of the tensor, and the rows' ends beyond.
        assert_eq!(parts[0], (128, 0x1234_5670 + 120, 80));
        assert_eq!(parts.len(), 127);
    }

    #[test]
    fn pieces_of_16_bytes_change_places() {
        assert_eq!(Swizzle::None.place(0x3f8, 0), 0x3f8);
        assert_eq!(Swizzle::Bytes128.place(0x80, 0), 0x90);
        assert_eq!(Swizzle::Bytes128.place(0x3f8, 0), 0x388);
        assert_eq!(Swizzle::Bytes64.place(0x180, 0), 0x1b0);
        assert_eq!(Swizzle::Bytes32.place(0x180, 0), 0x190);
        assert_eq!(Swizzle::Bytes128.place(0x80, 1), 0x80);
    }
}
