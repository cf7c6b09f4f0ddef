//! Memory as bytes, for functions of the program that move elements of any type.

use std::slice;

use gridwright_core::KernelArg;

use crate::cpu_arguments::{CpuArguments, CpuDestination, RawElements};
use crate::driver_arguments::{DriverArguments, DriverDestination};
use crate::staging::Old;
use crate::transfer::Region;
use crate::{Error, ReadFrom, WriteTo};

/// The bytes of memory that is read, as an argument of [`Stream::on_cpu`](crate::Stream::on_cpu) and [`Stream::on_host`](crate::Stream::on_host): a `&[u8]` there.
/// [`Stream::with_driver`](crate::Stream::with_driver) takes it too.
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

/// The bytes of memory that is written, as an argument of [`Stream::on_cpu`](crate::Stream::on_cpu) and [`Stream::on_host`](crate::Stream::on_host): a `&mut [u8]`
/// there. [`Stream::with_driver`](crate::Stream::with_driver) takes it too.
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
pub struct MemoryBytesMut<'b> {
    region: Region<'b>,
    old: Old,
}

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
        Self { region: bytes::<B::Element>(memory.region_mut()), old: Old::Seen }
    }

    /// The bytes of memory that is written whole: what lies there before may be any bytes, as for [`Overwritten`](crate::Overwritten).
    ///
    /// ```
    /// use gridwright::launch::MemoryBytesMut;
    ///
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut x = stream.alloc_unset::<u32>(2)?;
    /// stream.on_host(MemoryBytesMut::overwritten(&mut x), |bytes: &mut [u8]| bytes.fill(0))?;
    /// assert_eq!(stream.download(&x)?, [0, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn overwritten<B: WriteTo>(memory: &'b mut B) -> Self {
        Self { old: Old::Unseen, ..Self::of(memory) }
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
        self.region.len
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
        self.region.len == 0
    }
}

/// A region of elements as one of bytes, which are all initialised: a `KernelArg` has no padding that isn't.
fn bytes<T: KernelArg>(mut region: Region<'_>) -> Region<'_> {
    // No overflow: as many bytes are there.
    region.len *= size_of::<T>();
    region
}

// SAFETY: the argument borrows the region, which `slice` adds to the accesses.
unsafe impl CpuArguments for MemoryBytes<'_> {
    type Raw = RawElements<u8>;
    type Views<'v> = &'v [u8];

    #[inline]
    fn pass(self, to: &mut CpuDestination<'_>) -> Result<RawElements<u8>, Error> {
        to.slice(&self.0, Old::Seen)
    }

    #[inline]
    unsafe fn views<'v>(raw: &RawElements<u8>, staging: *mut u8) -> &'v [u8] {
        // SAFETY: `pass` took as many bytes; the caller says that they are there for `'v`, and that nobody writes them.
        unsafe { slice::from_raw_parts(raw.first(staging), raw.len) }
    }
}

// SAFETY: the argument borrows the region mutably, and `slice` adds it to the accesses.
unsafe impl CpuArguments for MemoryBytesMut<'_> {
    type Raw = RawElements<u8>;
    type Views<'v> = &'v mut [u8];

    #[inline]
    fn pass(self, to: &mut CpuDestination<'_>) -> Result<RawElements<u8>, Error> {
        to.slice(&self.region, self.old)
    }

    #[inline]
    unsafe fn views<'v>(raw: &RawElements<u8>, staging: *mut u8) -> &'v mut [u8] {
        // SAFETY: `pass` took as many bytes; the caller says that they are there for `'v`, and that nobody else uses them.
        unsafe { slice::from_raw_parts_mut(raw.first(staging), raw.len) }
    }
}

impl DriverArguments for MemoryBytes<'_> {
    type Addresses = *const [u8];

    fn lend(self, to: &mut DriverDestination<'_>) -> Result<*const [u8], Error> {
        Ok(to.lend(&self.0)?.cast_const())
    }
}

impl DriverArguments for MemoryBytesMut<'_> {
    type Addresses = *mut [u8];

    fn lend(self, to: &mut DriverDestination<'_>) -> Result<*mut [u8], Error> {
        to.lend(&self.region)
    }
}
