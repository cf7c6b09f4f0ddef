/// What `requires = …` sees of a slice.
#[derive(Clone, Copy, Debug)]
pub struct SliceExtent {
    /// The number of elements.
    pub len: usize,
}

impl SliceExtent {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// What `requires = …` sees of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct MatrixExtent {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
}

impl MatrixExtent {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
}

/// What `requires = …` sees of a volume.
#[derive(Clone, Copy, Debug)]
pub struct VolumeExtent {
    /// The number of planes.
    pub planes: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
}

impl VolumeExtent {
    /// The number of planes.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
}

/// What `requires = …` sees of a kernel's workgroups.
#[derive(Clone, Copy, Debug)]
pub struct GroupExtent {
    /// The number of threads in a workgroup.
    pub len: usize,
}

#[allow(clippy::len_without_is_empty)] // a workgroup has threads
impl GroupExtent {
    /// The number of threads in a workgroup.
    pub fn len(&self) -> usize {
        self.len
    }
}
