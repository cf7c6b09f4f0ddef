//! Kernels of one name in several modules.

#[cfg(not(gridwright_device))]
use gridwright::Error;
use gridwright::prelude::*;

#[cfg(not(gridwright_device))]
use super::device;

/// Adds to each element.
#[gpu_kernel]
fn added(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x += 1;
    }
}

mod tens {
    use gridwright::prelude::*;

    /// Adds to each element.
    #[gpu_kernel]
    pub(super) fn added(t: Thread, mut x: PerThread<[u32]>) {
        if let Some(x) = x.get_mut(t) {
            *x += 10;
        }
    }

    pub(super) mod hundreds {
        use gridwright::prelude::*;

        /// Adds to each element, by another level.
        #[gpu_kernel]
        pub(in super::super) fn added(g: &Group, mut x: PerThread<[u32]>) {
            g.each(x.elements_mut(), |_, x| {
                if let Some(x) = x {
                    *x += 100;
                }
            });
        }
    }
}

mod joined {
    use gridwright::prelude::*;

    /// Its name is what the path of [`tens::added`](super::tens::added) would be in an image.
    #[gpu_kernel]
    pub(super) fn paths_tens_added(t: Thread, mut x: PerThread<[u32]>) {
        if let Some(x) = x.get_mut(t) {
            *x += 20_000;
        }
    }
}

mod uncontracted {
    use gridwright::prelude::*;

    /// In an image of its own, on NVIDIA.
    #[gpu_kernel(fp_contract = off)]
    pub(super) fn added(t: Thread, mut x: PerThread<[u32]>) {
        if let Some(x) = x.get_mut(t) {
            *x += 1000;
        }
    }
}

#[test]
fn kernels_of_one_name_in_several_modules_are_several() -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let config = LaunchConfig::threads(100);
    let mut x = stream.alloc_zeroed::<u32>(100)?;
    joined::paths_tens_added::load(&device)?.launch(&stream, config, (&mut x,))?;
    added::load(&device)?.launch(&stream, config, (&mut x,))?;
    tens::added::load(&device)?.launch(&stream, config, (&mut x,))?;
    tens::hundreds::added::load(&device)?.launch(&stream, config, (&mut x,))?;
    uncontracted::added::load(&device)?.launch(&stream, config, (&mut x,))?;
    assert_eq!(stream.download(&x)?, [21_111; 100]);
    Ok(())
}

/// Where the program has images, they tell which names are taken.
#[test]
fn messages_name_kernels_by_their_paths_where_names_are_not_enough() -> Result<(), Error> {
    let device = device()?;
    let one = format!("{:?}", tens::added::load(&device)?);
    assert!(["\"added\"", "\"paths::tens::added\""].iter().any(|name| one.contains(name)), "{one}");
    let alone = format!("{:?}", joined::paths_tens_added::load(&device)?);
    assert!(alone.contains("\"paths_tens_added\""), "{alone}");
    Ok(())
}
