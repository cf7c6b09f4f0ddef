//! What a row asks of its contestants.

/// A row: the same memory and the same question for all.
pub(crate) struct Problem {
    /// What peers' sources call it.
    pub(crate) subject: &'static str,
    /// The number of elements, or of a matrix's rows and columns.
    pub(crate) size: usize,
    /// Launches of a call, of which only the last is waited for.
    pub(crate) launches: u32,
    /// The kernel's memory, as it is at the start. The last ones are results.
    pub(crate) arrays: Vec<Array>,
    pub(crate) results: usize,
    pub(crate) scalars: Vec<f32>,
    /// What one call makes of the results, one after the other.
    pub(crate) expected: Vec<f64>,
    /// How far off a contestant's results may be: the sum of the differences by the sum of what they should be.
    pub(crate) tolerance: f64,
    /// What a call does, and in what that is counted.
    pub(crate) work: (f64, Unit),
}

/// What work is counted in.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// Read or written, if each element is read and written once.
    Bytes,
    /// Sums and products.
    Operations,
    Options,
    /// Of two bodies.
    Interactions,
    Launches,
    Pixels,
}

impl Unit {
    /// As records have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bytes => "B",
            Self::Operations => "FLOP",
            Self::Options => "options",
            Self::Interactions => "interactions",
            Self::Launches => "launches",
            Self::Pixels => "pixels",
        }
    }
}

/// Numbers of one type.
#[derive(Clone)]
pub(crate) enum Array {
    F32(Vec<f32>),
    U32(Vec<u32>),
    U8(Vec<u8>),
}

impl Array {
    /// An array of `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        Self::F32(vec![0.0; len])
    }

    /// NumPy's name of the type.
    pub(crate) fn numpy(&self) -> &'static str {
        match self {
            Self::F32(_) => "float32",
            Self::U32(_) => "uint32",
            Self::U8(_) => "uint8",
        }
    }

    /// Bytes in memory.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::F32(numbers) => size_of_val(&numbers[..]),
            Self::U32(numbers) => size_of_val(&numbers[..]),
            Self::U8(numbers) => numbers.len(),
        }
    }

    /// As this machine has them in memory.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::F32(numbers) => numbers.iter().flat_map(|number| number.to_ne_bytes()).collect(),
            Self::U32(numbers) => numbers.iter().flat_map(|number| number.to_ne_bytes()).collect(),
            Self::U8(numbers) => numbers.clone(),
        }
    }

    /// Numbers of this array's type, from memory. Bytes that are no whole number are left out.
    pub(crate) fn of_same_type(&self, bytes: &[u8]) -> Self {
        match self {
            Self::F32(_) => Self::F32(bytes.as_chunks().0.iter().copied().map(f32::from_ne_bytes).collect()),
            Self::U32(_) => Self::U32(bytes.as_chunks().0.iter().copied().map(u32::from_ne_bytes).collect()),
            Self::U8(_) => Self::U8(bytes.to_vec()),
        }
    }
}

/// Numbers of any type as `f64`, which all of these types fit.
pub(crate) trait Values {
    fn values(&self) -> Vec<f64>;
}

impl<T: Copy + Into<f64>> Values for [T] {
    fn values(&self) -> Vec<f64> {
        self.iter().map(|&number| number.into()).collect()
    }
}

impl Values for Array {
    fn values(&self) -> Vec<f64> {
        match self {
            Self::F32(numbers) => numbers.values(),
            Self::U32(numbers) => numbers.values(),
            Self::U8(numbers) => numbers.values(),
        }
    }
}

/// How far off numbers are: the sum of the differences by the sum of what they should be. Infinite where the numbers of them differ, or one is
/// none.
pub(crate) fn distance(found: &[f64], expected: &[f64]) -> f64 {
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let (off, all) = found.iter().zip(expected).fold((0.0, 0.0), |(off, all), (found, expected)| {
        (off + (found - expected).abs(), all + expected.abs())
    });
    match off / all {
        _ if off == 0.0 => 0.0,
        distance if distance.is_nan() => f64::INFINITY,
        distance => distance,
    }
}
