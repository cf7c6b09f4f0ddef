//! A probe: a small function that a compiler is known to get wrong, or one of its kind, in a kernel and on the host.
//!
//! A kernel has all functions of a module, an arm of a `match` each: apart as in kernels of their own, since no arm shares code with
//! others, and one kernel takes a hundredth of the time that a hundred do to compile.

/// How many numbers the table has that functions may read.
pub(crate) const TABLE: usize = 256;

/// What a function gets: two numbers of its own, one that is the same for all threads, and a table.
#[cfg(not(gridwright_device))]
pub(crate) type Function = fn(u64, u64, u64, &[u64; TABLE]) -> u64;

/// A function of a module.
#[cfg(not(gridwright_device))]
pub(crate) struct Probe {
    pub(crate) name: &'static str,
    pub(crate) function: Function,
    /// Whether the common number is looked at.
    pub(crate) is_of_common: bool,
}

/// A module's functions, in the order of the kernel's arms, and how the kernel is launched.
#[cfg(not(gridwright_device))]
pub(crate) struct Family {
    pub(crate) probes: &'static [Probe],
    pub(crate) launch:
        fn(&gridwright::Device, u32, &crate::run::Arguments<'_>) -> crate::run::Result<Vec<u64>>,
}

/// Functions of two numbers, then perhaps of the common one and the table: the kernel `$kernel` of all of them, and `FAMILY`.
macro_rules! probes {
    (
        $kernel:ident:
        $($(#[$note:meta])* fn $name:ident($a:ident, $b:ident $(, $n:ident $(, $m:ident)?)?) $body:block)*
    ) => {
        $(
            $(#[$note])*
            #[inline(always)]
            #[allow(unused_variables, reason = "few look at all")]
            fn $name($a: u64, $b: u64, n: u64, m: &[u64; $crate::probe::TABLE]) -> u64 {
                $(let $n = n; $(let $m = m;)?)?
                $body
            }
        )*

        /// The functions' numbers.
        #[allow(non_camel_case_types, reason = "they are the functions' names")]
        enum Which {
            $($name),*
        }

        #[gridwright::prelude::gpu_kernel(fp_contract = off)]
        fn $kernel(
            t: gridwright::prelude::Thread,
            which: u32,
            n: u64,
            m: &[[u64; $crate::probe::TABLE]],
            x: &[[u64; 2]],
            mut y: gridwright::prelude::PerThread<[u64]>,
        ) {
            if let Some(y) = y.get_mut(t) {
                let [a, b] = x[t.index()];
                match which {
                    $(which if which == Which::$name as u32 => *y = $name(a, b, n, &m[0]),)*
                    _ => {}
                }
            }
        }

        #[cfg(not(gridwright_device))]
        pub(crate) const FAMILY: $crate::probe::Family = $crate::probe::Family {
            probes: &[$($crate::probe::Probe {
                name: stringify!($name),
                function: $name,
                is_of_common: !stringify!($($n)?).is_empty(),
            }),*],
            launch: |device, which, arguments| {
                let mut y = arguments.stream.alloc_zeroed::<u64>(arguments.x.len())?;
                let config = gridwright::LaunchConfig::threads(arguments.x.len());
                let values = (which, arguments.n, arguments.m, arguments.x, &mut y);
                $kernel::load(device)?.launch(arguments.stream, config, values)?;
                arguments.stream.download(&y)
            },
        };
    };
}

pub(crate) use probes;
