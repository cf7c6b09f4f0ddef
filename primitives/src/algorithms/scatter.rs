//! Elements to places.

use gridwright::memory::{BufferSlice, BufferSliceMut};
use gridwright::prelude::*;

use crate::input::Ready;
use crate::kernels::collect::{BLOCK, TILE};
use crate::source::{Fused, Index, Source};
use crate::workspace::Bytes;
use crate::{Error, Input, Primitives, Scatter, cpu};

/// What the look at places finds where nothing is wrong.
const NOTHING: u64 = u64::MAX;

impl<K> Primitives<'_, K> {
    /// Writes each element at its place: `output[places[i]] = input[i]`. Elements of the output that are no places stay. The places are looked at
    /// before anything is written, and this waits for that.
    ///
    /// - Time: *n*; each element is read once and written once, each place read twice.
    /// - Workspace: on a GPU a `u32` for each 32 elements of the output, and 16 bytes; on a CPU 16 bytes.
    /// - Deterministic.
    ///
    /// # Errors
    /// [`Error::Index`] for a place beyond the output, [`Error::Repeated`] for one that is there twice, [`Error::Lengths`] where there are
    /// not as many places as elements, and those of the input, of the workspace, and of a launch. Nothing is written then.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives::{self as primitives, Error};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let stream = Device::cpu()?.stream()?;
    /// let (x, places) = (stream.upload(&[10_u32, 20])?, stream.upload(&[2_u32, 0])?);
    /// let mut y = stream.alloc_zeroed(3)?;
    /// let p = primitives::on(&stream);
    /// p.scatter(&x, &places, &mut y)?;
    /// assert_eq!(stream.download(&y)?, [20, 0, 10]);
    ///
    /// let twice = stream.upload(&[1_u32, 1])?;
    /// assert!(matches!(p.scatter(&x, &twice, &mut y), Err(Error::Repeated { index: 1 })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `thrust::scatter`, of which the author says that the map is one to one.
    pub fn scatter<'b, 'p, 'o, I, P: Index>(
        &self,
        input: I,
        places: impl Into<BufferSlice<'p, P>>,
        output: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        K: Scatter<I::Source, P>,
    {
        let (places, output) = (places.into(), output.into());
        if self.is_cpu() {
            return self.scatter_on_cpu(input, places, output, Places::ToBeChecked);
        }
        self.check_places(places.clone(), output.len())?;
        // SAFETY: seen just now.
        unsafe { self.scatter_unchecked(input, places, output) }
    }

    /// As [`scatter`](Self::scatter), without a look at the places and without waiting.
    ///
    /// - Time: *n*; each element and each place is read once, and each element written once.
    /// - Workspace: none on a GPU; 16 bytes on a CPU.
    /// - Deterministic.
    ///
    /// # Safety
    /// When the work runs, no place is there twice.
    ///
    /// # Errors
    /// [`Error::Lengths`], and those of the input and of a launch. A place beyond the output is a panic of the kernel.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright_primitives as primitives;
    /// # let stream = Device::cpu()?.stream()?;
    /// let (x, places) = (stream.upload(&[10_u32, 20])?, stream.upload(&[1_u32, 0])?);
    /// let mut y = stream.alloc_zeroed(2)?;
    /// // SAFETY: the two differ.
    /// unsafe { primitives::on(&stream).scatter_unchecked(&x, &places, &mut y)? };
    /// assert_eq!(stream.download(&y)?, [20, 10]);
    /// # Ok::<(), primitives::Error>(())
    /// ```
    pub unsafe fn scatter_unchecked<'b, 'p, 'o, I, P: Index>(
        &self,
        input: I,
        places: impl Into<BufferSlice<'p, P>>,
        output: impl Into<BufferSliceMut<'o, <I::Source as Source>::Item>>,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
        K: Scatter<I::Source, P>,
    {
        let (places, output) = (places.into(), output.into());
        if self.is_cpu() {
            return self.scatter_on_cpu(input, places, output, Places::Distinct);
        }
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        if places.len() != len {
            return Err(Error::Lengths { what: "the places", expected: len, given: places.len() });
        }
        if self.is_measured() || len == 0 {
            return Ok(());
        }
        let config = LaunchConfig::grid(len.div_ceil(TILE), BLOCK);
        // SAFETY: the input has as many elements; the places differ, as the caller promises.
        unsafe { self.launch::<K::All, _, _>(config, (source, len, a, b, c, places, output)) }
    }

    /// Looks whether places are below `end` and differ, and waits for it.
    fn check_places<S, P: Index>(&self, places: BufferSlice<'_, P>, end: usize) -> Result<(), Error>
    where
        S: Fused<Item: KernelArg>,
        K: Scatter<S, P>,
    {
        let (len, words) = (places.len(), end.div_ceil(32));
        let needed = Bytes::default().and::<u32>(words).and::<u64>(2);
        let Some(mut temporary) = self.memory.take(self.stream, needed)? else { return Ok(()) };
        if len == 0 {
            return Ok(());
        }
        let mut parts = temporary.parts();
        let (mut taken, mut wrong) = (parts.take::<u32>(words)?, parts.take::<u64>(2)?);
        self.stream.fill(&mut taken, 0)?;
        self.stream.fill(&mut wrong, NOTHING)?;
        let config = LaunchConfig::grid(len.div_ceil(TILE), BLOCK);
        let kernel = Kernel::<K::Check>::load(self.stream.device())?;
        kernel.launch(self.stream, config, (len, end as u64, places, taken, wrong.reborrow()))?;
        self.found(&wrong, end)
    }

    /// What was found wrong, when the stream has come there.
    fn found(&self, wrong: &BufferSliceMut<'_, u64>, end: usize) -> Result<(), Error> {
        let mut found = [NOTHING; 2];
        self.stream.copy_to_slice(wrong, &mut found)?;
        match found {
            [NOTHING, NOTHING] => Ok(()),
            [NOTHING, index] => Err(Error::Repeated { index }),
            [at, _] => Err(Error::Index { at, len: end }),
        }
    }

    /// Scatters by code for the CPU, and waits if the places are to be checked.
    fn scatter_on_cpu<'b, I, P: Index>(
        &self,
        input: I,
        places: BufferSlice<'_, P>,
        output: BufferSliceMut<'_, <I::Source as Source>::Item>,
        checked: Places,
    ) -> Result<(), Error>
    where
        I: Input<'b, Source: Fused<Item: KernelArg>>,
    {
        let none = self.stream.alloc_unset(0)?;
        let Ready { len, source, a, b, c } = Ready::new(input, &none)?;
        if places.len() != len {
            return Err(Error::Lengths { what: "the places", expected: len, given: places.len() });
        }
        let Some(mut temporary) = self.memory.take(self.stream, Bytes::default().and::<u64>(2))? else {
            return Ok(());
        };
        let (mut wrong, end) = (temporary.parts().take::<u64>(2)?, output.len());
        let (input, arguments) = (Ready { len, source, a, b, c }, (places, output, wrong.reborrow()));
        self.on_cpu(input, arguments, move |workers, input, (places, output, wrong)| {
            // SAFETY: the input has as many elements as there are places.
            let scattered =
                unsafe { cpu::scatter(workers, input, places, output, checked == Places::ToBeChecked) };
            match scattered {
                Ok(()) => wrong.fill(NOTHING),
                Err(cpu::IndexError::OutOfBounds { place, .. }) => wrong[0] = place as u64,
                Err(cpu::IndexError::Repeated { index, .. }) => {
                    wrong.copy_from_slice(&[NOTHING, index as u64]);
                }
            }
            // Nobody looks for it who said that the places are right.
            assert!(
                checked == Places::ToBeChecked || wrong[0] == NOTHING,
                "a place of a scatter is beyond the last element"
            );
        })?;
        if checked == Places::ToBeChecked { self.found(&wrong, end) } else { Ok(()) }
    }
}

/// What is known of places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    /// No two are the same.
    Distinct,
    /// Nothing.
    ToBeChecked,
}
