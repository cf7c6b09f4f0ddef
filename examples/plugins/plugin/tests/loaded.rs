//! A program with kernels of its own loads the plugin, launches beside it, and unloads it. The two have a copy of Gridwright each: devices,
//! threads and panic hooks of their own.

use gridwright::prelude::*;

/// A kernel of the program's with the name of one of the plugin's.
#[gpu_kernel(requires = x.len() == y.len())]
fn add(t: Thread, by: u32, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()] * by;
    }
}

#[host_only]
mod tests {
    use std::error::Error;
    use std::path::PathBuf;
    use std::thread;

    use gridwright::{Device, LaunchConfig};
    use libloading::{Library, Symbol};

    use super::add;

    type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;
    type Add = unsafe extern "C" fn(i32, f32, *mut f32, usize) -> i32;

    const DONE: i32 = 0;
    const NO_CODE: i32 = 1;
    const PANICKED: i32 = 2;

    /// Elements that the CPU gives to all of its threads.
    const MANY: usize = 1 << 20;

    /// The library that cargo built beside this test.
    fn plugin() -> Result<Library> {
        let name = libloading::library_filename("gridwright_plugin");
        let path: PathBuf = std::env::current_exe()?.with_file_name(name);
        // SAFETY: the library has no initialisers but those of Rust's own.
        Ok(unsafe { Library::new(path)? })
    }

    fn call(plugin: &Library, is_emulated: bool, by: f32, x: &mut [f32]) -> Result<i32> {
        // SAFETY: the plugin's function has this type.
        let add: Symbol<'_, Add> = unsafe { plugin.get(b"gridwright_plugin_add")? };
        // SAFETY: a slice of as many numbers, which is borrowed for the call.
        Ok(unsafe { add(is_emulated.into(), by, x.as_mut_ptr(), x.len()) })
    }

    /// A launch of the program's own kernel.
    fn own(len: usize) -> Result {
        let device = Device::cpu()?;
        let stream = device.stream()?;
        let (x, mut y) = (stream.upload(&vec![7; len])?, stream.alloc_zeroed::<u32>(len)?);
        add::load(&device)?.launch(&stream, LaunchConfig::threads(len), (6, &x, &mut y))?;
        assert!(stream.download(&y)?.iter().all(|&y| y == 42));
        Ok(())
    }

    #[test]
    fn a_plugin_finds_its_kernels() -> Result {
        let plugin = plugin()?;
        for is_emulated in [false, true] {
            let mut x: Vec<f32> = (0..1000_u16).map(f32::from).collect();
            let status = call(&plugin, is_emulated, 0.5, &mut x)?;
            if is_emulated && status == NO_CODE && std::env::var_os("GRIDWRIGHT_REQUIRE_DEVICE").is_none() {
                eprintln!("skipped on the emulator: the plugin was built without GPU code");
                continue;
            }
            assert_eq!(status, DONE, "emulated: {is_emulated}");
            assert!(x.iter().zip(0_u16..).all(|(x, i)| *x == f32::from(i) + 0.5));
        }
        Ok(())
    }

    #[test]
    fn a_panic_in_a_plugins_kernel_is_the_plugins_error() -> Result {
        let plugin = plugin()?;
        let mut x = vec![1.0; 1000];
        x[700] = f32::NAN;
        assert_eq!(call(&plugin, false, 1.0, &mut x)?, PANICKED);
        own(1000)?;
        x[700] = 1.0;
        assert_eq!(call(&plugin, false, 1.0, &mut x)?, DONE);
        assert_eq!(x, [2.0; 1000]);
        Ok(())
    }

    #[test]
    fn program_and_plugin_launch_on_several_threads() -> Result {
        let plugin = plugin()?;
        thread::scope(|scope| {
            let threads: Vec<_> = (0..6)
                .map(|i| {
                    let plugin = &plugin;
                    scope.spawn(move || -> Result {
                        let mut x = vec![0.0; MANY];
                        for _ in 0..4 {
                            if i % 2 == 0 {
                                own(MANY)?;
                            } else {
                                assert_eq!(call(plugin, false, 1.0, &mut x)?, DONE);
                            }
                        }
                        assert!(i % 2 == 0 || x.iter().all(|&x| x == 4.0));
                        Ok(())
                    })
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
        })
    }

    #[test]
    fn a_plugin_is_unloaded_while_its_threads_wait() -> Result {
        for round in 0_u8..8 {
            let plugin = plugin()?;
            let mut x = vec![0.0; MANY];
            // From a thread that ends before the library goes, and from this one.
            thread::scope(|scope| {
                scope.spawn(|| call(&plugin, false, 1.0, &mut x)).join().expect("no thread panics")
            })?;
            assert_eq!(call(&plugin, false, f32::from(round), &mut x)?, DONE);
            assert!(x.iter().all(|&x| x == 1.0 + f32::from(round)));
            plugin.close()?;
            own(MANY)?;
            // Longer than an idle thread of the plugin's looks for work.
            thread::sleep(std::time::Duration::from_millis(5));
        }
        Ok(())
    }
}
