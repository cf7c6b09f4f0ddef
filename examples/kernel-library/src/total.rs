//! A function of the host that is generic itself.

#[cfg(not(gridwright_device))]
use gridwright::Error;
use gridwright::prelude::*;

/// Threads of a group.
const BLOCK: usize = 128;

/// The total of each group's elements.
#[gpu_kernel(block = BLOCK)]
pub fn total_of_groups<T, O>(g: &Group, operator: O, neutral: T, x: &[T], mut totals: PerGroup<[T]>)
where
    T: KernelArg,
    O: Operator<(T, T), Output = T>,
{
    let own = g.map(x.elements_from(g.origin().x), |_, x| x.copied().unwrap_or(neutral));
    totals.set(g, g.reduce(&own, |a, b| operator.call((a, b))));
}

// ANCHOR: trait
kernel_trait! {
    /// An operator by which elements of type `T` are totalled: what [`total`] launches for it.
    pub trait Total<T: KernelArg>: Operator<(T, T), Output = T> {
        /// The total of each group's elements.
        type OfGroups = crate::total_of_groups<T, Self>;
    }
}

/// The total of all elements, by an operator that is associative; `neutral` if there are none.
///
/// # Errors
/// Those of a launch and of a download.
#[cfg(not(gridwright_device))]
pub fn total<T, O>(stream: &Stream, operator: O, neutral: T, x: &Buffer<T>) -> Result<T, Error>
where
    T: KernelArg,
    O: Total<T>,
{
    let kernel = Kernel::<O::OfGroups>::load(stream.device())?;
    let mut totals = stream.alloc_zeroed(x.len().div_ceil(BLOCK))?;
    if !x.is_empty() {
        kernel.launch(stream, LaunchConfig::threads(x.len()), (operator, neutral, x, &mut totals))?;
    }
    let totals = stream.download(&totals)?;
    Ok(totals.into_iter().fold(neutral, |a, b| operator.call((a, b))))
}
// ANCHOR_END: trait
