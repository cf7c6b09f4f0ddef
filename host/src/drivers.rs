//! The drivers that there are, and their devices.

use crate::{DriverInfo, Error};

impl DriverInfo {
    /// NVIDIA's driver.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] where there is none, or it doesn't start; [`Error::NoDevice`] without the feature `cuda`;
    /// [`Error::Backend`].
    ///
    /// ```
    /// let devices = gridwright::DriverInfo::cuda().map_or(0, |driver| driver.devices);
    /// println!("{devices} NVIDIA GPUs");
    /// ```
    ///
    /// # From CUDA
    /// `cudaDriverGetVersion` and `cudaGetDeviceCount`.
    pub fn cuda() -> Result<Self, Error> {
        #[cfg(feature = "cuda")]
        return crate::backend::Cuda::driver_info();
        #[cfg(not(feature = "cuda"))]
        Err(lacks_feature("cuda"))
    }

    /// HIP's runtime.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] where there is none, or it doesn't start; [`Error::NoDevice`] without the feature `hip`;
    /// [`Error::Backend`].
    ///
    /// ```
    /// let devices = gridwright::DriverInfo::hip().map_or(0, |driver| driver.devices);
    /// println!("{devices} AMD GPUs");
    /// ```
    pub fn hip() -> Result<Self, Error> {
        #[cfg(feature = "hip")]
        return crate::backend::Hip::driver_info();
        #[cfg(not(feature = "hip"))]
        Err(lacks_feature("hip"))
    }
}

/// CUDA's devices; none without the feature, or a driver.
pub(crate) fn cuda_devices() -> usize {
    #[cfg(feature = "cuda")]
    return crate::backend::Cuda::count();
    #[cfg(not(feature = "cuda"))]
    0
}

/// HIP's devices; none without the feature, or a driver.
pub(crate) fn hip_devices() -> usize {
    #[cfg(feature = "hip")]
    return crate::backend::Hip::count();
    #[cfg(not(feature = "hip"))]
    0
}

/// The devices present, as `GRIDWRIGHT_DEVICE` takes them.
fn available() -> String {
    let cuda = (0..cuda_devices()).map(|index| format!("cuda:{index}"));
    let hip = (0..hip_devices()).map(|index| format!("hip:{index}"));
    cuda.chain(hip).chain(["cpu".to_owned()]).collect::<Vec<_>>().join(", ")
}

/// The error of what needs a feature that gridwright is built without.
#[cfg(not(all(feature = "cuda", feature = "hip")))]
fn lacks_feature(feature: &str) -> Error {
    no_device(feature, &format!("gridwright is built without its feature `{feature}`"))
}

/// The error of a device that isn't there, with those that are.
pub(crate) fn no_device(asked: &str, reason: &str) -> Error {
    Error::NoDevice { asked: asked.into(), reason: reason.into(), available: available() }
}
