//! Memory as bytes, for functions of the program that move elements of any type.

use gridwright_core::KernelArg;

use crate::on_cpu::{CpuArguments, CpuDestination, RawElements};
use crate::transfer::Region;
use crate::{Error, ReadFrom, WriteTo};

/// The bytes of memory that is read, as an argument of [`Stream::on_cpu`](crate::Stream::on_cpu): a `&[u8]` there.
///
/// ```
/// use gridwright::launch::MemoryBytes;
///
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let x = stream.upload(&[1_u32, 2])?;
/// stream.on_cpu(MemoryBytes::of(&x), |_, bytes: &[u8]| assert_eq!(bytes.len(), 8))?;
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Debug)]
pub struct MemoryBytes<'b>(Region<'b>);

/// The bytes of memory that is written, as an argument of [`Stream::on_cpu`](crate::Stream::on_cpu): a `&mut [u8]` there.
///
/// ```
/// use gridwright::launch::MemoryBytesMut;
///
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let mut x = stream.upload(&[1_u32, 2])?;
/// stream.on_cpu(MemoryBytesMut::of(&mut x), |_, bytes: &mut [u8]| bytes.fill(0))?;
/// assert_eq!(stream.download(&x)?, [0, 0]);
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Debug)]
pub struct MemoryBytesMut<'b>(Region<'b>);

impl<'b> MemoryBytes<'b> {
    /// The bytes of a buffer, a matrix, a volume or a part of a buffer.
    ///
    /// ```
    /// use gridwright::launch::MemoryBytes;
    ///
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let bytes = MemoryBytes::of(&stream.upload(&[1.0_f64; 3])?).len();
    /// assert_eq!(bytes, 24);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn of<B: ReadFrom>(memory: &'b B) -> Self {
        Self(bytes::<B::Element>(memory.region()))
    }

    /// The number of bytes.
    ///
    /// ```
    /// # use gridwright::launch::MemoryBytes;
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(MemoryBytes::of(&stream.upload(&[1_u8; 3])?).len(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Whether there are none.
    ///
    /// ```
    /// # use gridwright::launch::MemoryBytes;
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(MemoryBytes::of(&stream.upload::<u32>(&[])?).is_empty());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }
}

impl<'b> MemoryBytesMut<'b> {
    /// The bytes of a buffer, a matrix, a volume or a part of a buffer.
    ///
    /// ```
    /// use gridwright::launch::MemoryBytesMut;
    ///
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let bytes = MemoryBytesMut::of(&mut stream.upload(&[1.0_f64; 3])?).len();
    /// assert_eq!(bytes, 24);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn of<B: WriteTo>(memory: &'b mut B) -> Self {
        Self(bytes::<B::Element>(memory.region_mut()))
    }

    /// The number of bytes.
    ///
    /// ```
    /// # use gridwright::launch::MemoryBytesMut;
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(MemoryBytesMut::of(&mut stream.upload(&[1_u8; 3])?).len(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Whether there are none.
    ///
    /// ```
    /// # use gridwright::launch::MemoryBytesMut;
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(MemoryBytesMut::of(&mut stream.upload::<u32>(&[])?).is_empty());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }
}

/// A region of elements as one of bytes, which are all initialised: a `KernelArg` has no padding that isn't.
fn bytes<T: KernelArg>(region: Region<'_>) -> Region<'_> {
    // No overflow: as many bytes are there.
    Region { len: region.len * size_of::<T>(), ..region }
}

// SAFETY: the argument borrows the region, which `slice` adds to the accesses.
unsafe impl CpuArguments for MemoryBytes<'_> {
    type Raw = RawElements<u8>;
    type Views<'v> = &'v [u8];

    fn pass(self, to: &mut CpuDestination<'_>) -> Result<RawElements<u8>, Error> {
        to.slice(&self.0)
    }

    unsafe fn views<'v>(raw: &RawElements<u8>) -> &'v [u8] {
        // SAFETY: the caller says that the memory is there for `'v`, and that nobody writes it.
        unsafe { raw.read() }
    }
}

// SAFETY: the argument borrows the region mutably, and `slice` adds it to the accesses.
unsafe impl CpuArguments for MemoryBytesMut<'_> {
    type Raw = RawElements<u8>;
    type Views<'v> = &'v mut [u8];

    fn pass(self, to: &mut CpuDestination<'_>) -> Result<RawElements<u8>, Error> {
        to.slice(&self.0)
    }

    unsafe fn views<'v>(raw: &RawElements<u8>) -> &'v mut [u8] {
        // SAFETY: the caller says that the memory is there for `'v`, and that nobody else uses it.
        unsafe { raw.write() }
    }
}

// SAFETY: each element's own promise.
unsafe impl<A: CpuArguments> CpuArguments for Vec<A> {
    type Raw = Vec<A::Raw>;
    type Views<'v> = Vec<A::Views<'v>>;

    fn pass(self, to: &mut CpuDestination<'_>) -> Result<Vec<A::Raw>, Error> {
        self.into_iter().map(|argument| argument.pass(to)).collect()
    }

    unsafe fn views<'v>(raw: &Vec<A::Raw>) -> Vec<A::Views<'v>> {
        // SAFETY: the caller says it of all elements.
        raw.iter().map(|raw| unsafe { A::views(raw) }).collect()
    }
}
