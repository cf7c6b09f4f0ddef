use std::sync::Arc;

use cudarc::driver::CudaStream;
use gridwright::{Error, Stream, interop};

use crate::Report;

/// A stream as one of CUDA's libraries takes it. Where the library can't run there, a row tells why, and there is none.
///
/// `is_there` says whether the library is installed, and is asked where the device is CUDA's.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_examples::{Report, cudarc_stream};
///
/// # fn main() -> anyhow::Result<()> {
/// let (device, report) = (Device::cpu()?, Report::new("cuBLAS"));
/// assert!(cudarc_stream(&device.stream()?, "cuBLAS", || true, report)?.is_none());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of the device, and of the row.
pub fn cudarc_stream(
    stream: &Stream,
    library: &str,
    is_there: impl FnOnce() -> bool,
    report: Report,
) -> anyhow::Result<Option<Arc<CudaStream>>> {
    let stream = match interop::cudarc_stream(stream) {
        Err(Error::Interop { reason, .. }) => {
            report.row(library, format_args!("not run: {reason}"))?;
            return Ok(None);
        }
        stream => stream?,
    };
    if is_there() {
        return Ok(Some(stream));
    }
    report.row(library, format_args!("not run: there is no lib{}.so", library.to_lowercase()))?;
    Ok(None)
}
