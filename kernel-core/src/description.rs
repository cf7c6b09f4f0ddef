use core::any::Any;
use core::fmt;

/// An argument as an error message shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Description {
    /// An integer.
    Integer(i128),
    /// A slice.
    Slice {
        /// The number of elements.
        len: usize,
    },
    /// A matrix.
    Matrix {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
    },
    /// A volume.
    Volume {
        /// The number of planes.
        planes: usize,
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
    },
    /// A texture or a surface.
    Texture {
        /// Width, height, and depth or layers.
        extent: [u32; 3],
    },
    /// A value that no requirement is about.
    Other,
}

impl Description {
    /// The description of a value: its number, if it is an integer.
    pub fn of_value<T: 'static>(value: &T) -> Self {
        let value: &dyn Any = value;
        macro_rules! first_integer {
            ($($integer:ty)*) => {
                $(if let Some(&value) = value.downcast_ref::<$integer>() {
                    return Self::Integer(value as i128);
                })*
            };
        }
        first_integer!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
        Self::Other
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Slice { len } => write!(f, "{len} elements"),
            Self::Matrix { rows, cols } => write!(f, "{rows} rows of {cols}"),
            Self::Volume { planes, rows, cols } => write!(f, "{planes} planes of {rows} rows of {cols}"),
            Self::Texture { extent: [width, height, depth] } => {
                write!(f, "{width} by {height} by {depth} texels")
            }
            Self::Other => f.write_str("a value"),
        }
    }
}
