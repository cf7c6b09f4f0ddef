use core::fmt;

/// A size in up to three dimensions: of a block in threads, or of a grid in workgroups.
///
/// `x` is the column, `y` the row, `z` the plane. A number is one-dimensional; pairs and triples
/// give the other axes.
///
/// ```
/// use gridwright_core::Dim;
///
/// assert_eq!(Dim::from(256), Dim { x: 256, y: 1, z: 1 });
/// assert_eq!(Dim::from((16, 8)).to_string(), "(16, 8)");
/// ```
///
/// # From CUDA
/// `dim3`. A number or a tuple becomes one: `256`, `(16, 16)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim {
    /// The size along x: columns.
    pub x: usize,
    /// The size along y: rows.
    pub y: usize,
    /// The size along z: planes.
    pub z: usize,
}

impl Dim {
    /// The three axes in the order x, y, z.
    ///
    /// ```
    /// assert_eq!(gridwright_core::Dim::from((4, 2)).axes(), [4, 2, 1]);
    /// ```
    pub const fn axes(self) -> [usize; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<usize> for Dim {
    fn from(x: usize) -> Self {
        Self { x, y: 1, z: 1 }
    }
}

impl From<(usize, usize)> for Dim {
    fn from((x, y): (usize, usize)) -> Self {
        Self { x, y, z: 1 }
    }
}

impl From<(usize, usize, usize)> for Dim {
    fn from((x, y, z): (usize, usize, usize)) -> Self {
        Self { x, y, z }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { x, y: 1, z: 1 } => write!(f, "{x}"),
            Self { x, y, z: 1 } => write!(f, "({x}, {y})"),
            Self { x, y, z } => write!(f, "({x}, {y}, {z})"),
        }
    }
}
