//! A driver's stream and addresses for other libraries: here the driver's own library, which is looked up by name.

#![allow(clippy::unwrap_used)]

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use gridwright::launch::DriverStream;
use gridwright::prelude::*;
use gridwright::{DeviceKind, Error};
use libloading::{Library, Symbol};

type Result<T = ()> = std::result::Result<T, Error>;

/// `cuMemsetD8Async`, and `hipMemsetD8Async`.
type Set = unsafe extern "C" fn(u64, u8, usize, *mut c_void) -> c_int;

/// `cuMemcpyDtoDAsync_v2`, and `hipMemcpyDtoDAsync`.
type Copy = unsafe extern "C" fn(u64, u64, usize, *mut c_void) -> c_int;

/// Another library: the driver's.
struct Driver {
    library: Library,
    kind: DeviceKind,
}

impl Driver {
    fn of(kind: DeviceKind) -> Self {
        let names: &[_] = match kind {
            DeviceKind::Cuda => &["libcuda.so.1"],
            _ => &["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"],
        };
        // SAFETY: the device's driver, which is loaded already.
        let library = names.iter().find_map(|name| unsafe { Library::new(*name) }.ok()).unwrap();
        Self { library, kind }
    }

    /// # Safety
    /// The functions are of this type.
    unsafe fn get<F>(&self, cuda: &str, hip: &str) -> Symbol<'_, F> {
        let name = if self.kind == DeviceKind::Cuda { cuda } else { hip };
        // SAFETY: the caller says that it is of this type.
        unsafe { self.library.get(name) }.unwrap()
    }

    /// # Safety
    /// The elements are lent to be written, on this stream.
    unsafe fn set(&self, stream: DriverStream<'_>, to: *mut [u8], value: u8) {
        assert_eq!(stream.kind(), self.kind);
        // SAFETY: both have this signature.
        let set = unsafe { self.get::<Set>("cuMemsetD8Async", "hipMemsetD8Async") };
        let address = to.cast::<u8>().expose_provenance() as u64;
        // SAFETY: the caller says that there are as many elements, for this stream.
        let status = unsafe { set(address, value, to.len(), stream.handle()) };
        assert_eq!(status, 0);
    }

    /// # Safety
    /// The elements are lent on this stream, to be read, and to be written.
    unsafe fn copy(&self, stream: DriverStream<'_>, from: *const [u8], to: *mut [u8]) {
        // SAFETY: both have this signature.
        let copy = unsafe { self.get::<Copy>("cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync") };
        let (from, to, len) = (from.cast::<u8>(), to.cast::<u8>(), from.len().min(to.len()));
        let addresses = (to.expose_provenance() as u64, from.expose_provenance() as u64);
        // SAFETY: the caller says that there are as many elements, for this stream.
        assert_eq!(unsafe { copy(addresses.0, addresses.1, len, stream.handle()) }, 0);
    }
}

fn of_driver(device: &Device) -> bool {
    matches!(device.kind(), DeviceKind::Cuda | DeviceKind::Hip)
}

/// Runs a test on each device of a driver's, of which there may be none.
fn each(test: impl Fn(&Device, &Driver) -> Result) -> Result {
    let mut devices = Device::all()?;
    devices.retain(of_driver);
    let is_required = ["CUDA", "HIP"].map(|kind| std::env::var_os(format!("GRIDWRIGHT_REQUIRE_{kind}")));
    assert!(!devices.is_empty() || is_required == [None, None], "there is no device");
    if devices.is_empty() {
        println!("SKIPPED: there is no driver");
    }
    devices.iter().try_for_each(|device| test(device, &Driver::of(device.kind())))
}

#[test]
fn the_work_comes_between_that_of_other_streams() -> Result {
    each(|device, driver| {
        let (a, b, c) = (device.stream()?, device.stream()?, device.stream()?);
        let mut x = a.alloc_zeroed::<u8>(1000)?;
        let mut copied = c.alloc_zeroed::<u8>(1000)?;
        for round in 0..20 {
            a.fill(&mut x, round)?;
            let (mut low, mut high) = x.split_at_mut(300)?;
            // SAFETY: it writes what it is lent, on this stream.
            unsafe {
                b.with_driver((&mut low, ()), |stream, (low, ())| driver.set(stream, low, 100 + round))
            }?;
            a.fill(&mut high, 50)?;
            c.copy(&x, &mut copied)?;
            // What is only read waits for no reader, and writers wait for it.
            let mut y = b.alloc_unset::<u8>(1000)?;
            // SAFETY: it reads and writes what it is lent to read and to write, on this stream.
            unsafe { b.with_driver((&x, &mut y), |stream, (x, y)| driver.copy(stream, x, y)) }?;
            a.fill(&mut x, 0)?;
            let expected: Vec<u8> = [vec![100 + round; 300], vec![50; 700]].concat();
            assert_eq!(a.download(&y)?, expected);
            assert_eq!(c.download(&copied)?, expected);
        }
        Ok(())
    })
}

#[test]
fn lists_and_parts_are_lent_with_their_lengths() -> Result {
    each(|device, driver| {
        let stream = device.stream()?;
        let mut buffers =
            [stream.alloc_zeroed::<u8>(5)?, stream.alloc_zeroed::<u8>(0)?, stream.alloc_zeroed(9)?];
        // SAFETY: it writes what it is lent, on this stream.
        let lengths = unsafe {
            stream.with_driver(buffers.iter_mut().collect::<Vec<_>>(), |stream, all| {
                all.iter().filter(|one| one.len() > 0).for_each(|one| driver.set(stream, *one, 3));
                all.iter().map(|one| (one.len(), one.is_null())).collect::<Vec<_>>()
            })
        }?;
        assert_eq!(lengths, [(5, false), (0, true), (9, false)]);
        let part = buffers[2].slice_mut(2..4)?;
        // SAFETY: it writes what it is lent, on this stream.
        unsafe { stream.with_driver(part, |stream, part| driver.set(stream, part, 4)) }?;
        assert_eq!(stream.download(&buffers[0])?, [3; 5]);
        assert_eq!(stream.download(&buffers[2])?, [3, 3, 4, 4, 3, 3, 3, 3, 3]);
        Ok(())
    })
}

#[test]
fn the_device_is_the_threads_own_meanwhile() -> Result {
    each(|device, driver| {
        let stream = device.stream()?;
        let is_current = std::thread::spawn({
            let (stream, kind) = (stream.clone(), driver.kind);
            move || {
                let driver = Driver::of(kind);
                // SAFETY: nothing is given to the stream; both functions write to one address.
                unsafe {
                    stream.with_driver((), |_, ()| {
                        let mut current = usize::MAX;
                        let get = driver.get::<unsafe extern "C" fn(*mut usize) -> c_int>(
                            "cuCtxGetCurrent",
                            "hipGetDevice",
                        );
                        get(&raw mut current) == 0 && current != 0
                    })
                }
            }
        });
        assert!(is_current.join().unwrap()?);
        Ok(())
    })
}

#[test]
fn what_was_given_before_a_panic_counts() -> Result {
    each(|device, driver| {
        let (stream, other) = (device.stream()?, device.stream()?);
        let mut x = stream.alloc_zeroed::<u8>(100)?;
        for _ in 0..10 {
            stream.fill(&mut x, 0)?;
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                // SAFETY: it writes what it is lent, on this stream.
                unsafe {
                    stream.with_driver(&mut x, |stream, x| {
                        driver.set(stream, x, 7);
                        std::panic::resume_unwind(Box::new(()));
                    })
                }
            }));
            assert!(panicked.is_err());
            assert_eq!(other.download(&x)?, [7; 100]);
        }
        Ok(())
    })
}

#[test]
fn memory_that_others_may_use_meanwhile_is_refused() -> Result {
    each(|device, _| {
        let stream = device.stream()?;
        let mut x = stream.alloc_zeroed::<u8>(4)?;
        let graph = stream.capture(|stream| stream.fill(&mut x, 1))?;
        let mapped = stream.alloc_mapped::<u8>(4)?;
        let foreign = Device::cpu()?.stream()?.upload(&[1_u8])?;
        // SAFETY: nothing is given to the stream.
        let errors = unsafe {
            [
                stream.with_driver(&x, |_, _| ()).unwrap_err(),
                stream.with_driver(&mapped, |_, _| ()).unwrap_err(),
                stream.with_driver((&foreign,), |_, _| ()).unwrap_err(),
                stream.capture(|stream| stream.with_driver((), |_, ()| ())).unwrap_err(),
            ]
        };
        assert!(
            matches!(&errors[0], Error::Interop { call: "with_driver", reason } if reason.contains("graph"))
        );
        assert!(
            matches!(&errors[1], Error::Interop { call: "with_driver", reason } if reason.contains("host"))
        );
        assert!(matches!(&errors[2], Error::ForeignBuffer { .. }));
        assert!(matches!(&errors[3], Error::CaptureBroken { call: "with_driver" }));
        drop(graph);
        Ok(())
    })
}

#[test]
fn a_device_without_a_driver_says_so() -> Result {
    let mut devices = vec![Device::cpu()?];
    #[cfg(feature = "emulator")]
    devices.push(Device::emulator()?);
    for device in devices {
        let stream = device.stream()?;
        let x = stream.upload(&[1_u8])?;
        // SAFETY: nothing is given to the stream.
        let error = unsafe { stream.with_driver::<_, ()>(&x, |_, _| unreachable!()) }.unwrap_err();
        let Error::Interop { call: "with_driver", reason } = &error else { panic!("{error}") };
        assert!(reason.contains(device.name()), "{error}");
    }
    Ok(())
}
