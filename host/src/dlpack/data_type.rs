//! Which data type of DLPack's a type is.

use std::fmt;

use gridwright_core::{KernelArg, Kind, Layout};

use super::DataType;

/// Kinds of numbers, and the bytes that they may have.
const NUMBERS: &[(u8, Kind, &[usize])] = &[
    (DataType::INT, Kind::Signed, &[1, 2, 4, 8]),
    (DataType::UINT, Kind::Unsigned, &[1, 2, 4, 8]),
    (DataType::FLOAT, Kind::Float, &[2, 4, 8]),
    (DataType::BFLOAT, Kind::BrainFloat, &[2]),
];

impl DataType {
    /// What a type is in DLPack; none for what isn't a number of up to 64 bits.
    ///
    /// ```
    /// use gridwright::dlpack::DataType;
    ///
    /// assert_eq!(DataType::of::<u8>().map(|of| of.to_string()), Some("uint8".into()));
    /// ```
    pub fn of<T: KernelArg>() -> Option<Self> {
        let size = size_of::<T>();
        let (code, ..) = NUMBERS
            .iter()
            .find(|(_, kind, sizes)| sizes.contains(&size) && T::LAYOUT == Layout::primitive(*kind, size))?;
        Some(Self { code: *code, bits: u8::try_from(8 * size).ok()?, lanes: 1 })
    }
}

impl fmt::Display for DataType {
    /// Writes the type as NumPy names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, bits, lanes } = self;
        match *code {
            Self::INT => write!(f, "int{bits}")?,
            Self::UINT => write!(f, "uint{bits}")?,
            Self::FLOAT => write!(f, "float{bits}")?,
            Self::BFLOAT => write!(f, "bfloat{bits}")?,
            code => write!(f, "DLPack's type {code} of {bits} bits")?,
        }
        if *lanes == 1 { Ok(()) } else { write!(f, ", {lanes} at a time") }
    }
}
