//! What Python imports.

use gridwright::{Device, Error, LaunchConfig};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::saxpy::saxpy;

fn run(device: &Device, a: f32, x: &[f32], y: &[f32]) -> Result<Vec<f32>, Error> {
    let stream = device.stream()?;
    let (x, mut sums) = (stream.upload(x)?, stream.upload(y)?);
    saxpy::load(device)?.launch(&stream, LaunchConfig::threads(y.len()), (a, &x, &mut sums))?;
    stream.download(&sums)
}

fn python(error: &Error) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// `a * x + y` of lists of one length, on the device that `GRIDWRIGHT_DEVICE` names. Other threads of Python run meanwhile.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python's lists are copied anyway
fn scaled_sum(py: Python<'_>, a: f32, x: Vec<f32>, y: Vec<f32>) -> PyResult<Vec<f32>> {
    if x.len() != y.len() {
        return Err(PyValueError::new_err(format!("x has {} numbers, and y has {}", x.len(), y.len())));
    }
    py.detach(|| Device::from_env().and_then(|device| run(&device, a, &x, &y))).map_err(|e| python(&e))
}

#[pymodule]
fn gridwright_sample(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(scaled_sum, module)?)
}
