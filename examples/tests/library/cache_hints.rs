//! Loads and stores with hints for caches.

use gridwright::cache::{self, Hint};
use gridwright::memory::Vector;
use gridwright::prelude::*;

/// 12 bytes that lie at multiples of four.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Point {
    at: [f32; 3],
}

/// Each is copied with one hint and back with another, reversed.
#[gpu_kernel(requires = bytes.len() >= to_bytes.len())]
fn hinted(
    t: Thread,
    bytes: &[u8],
    halves: &[u16],
    words: &[f32],
    doubles: &[f64],
    points: &[Point],
    vectors: &Matrix<Vector<f32, 4>>,
    mut to_bytes: PerThread<[u8]>,
    mut to_halves: PerThread<[u16]>,
    mut to_words: PerThread<[f32]>,
    mut to_doubles: PerThread<[f64]>,
    mut to_points: PerThread<[Point]>,
    mut to_vectors: PerThread<[Vector<f32, 4>]>,
) {
    let from = bytes.len().wrapping_sub(1).wrapping_sub(t.index());
    if let Some(to) = to_bytes.get_mut(t) {
        cache::store(to, cache::load(&bytes[from], Hint::Streaming), Hint::Level2);
    }
    if let Some(to) = to_halves.get_mut(t) {
        cache::store(to, cache::load(&halves[from], Hint::LastUse), Hint::Streaming);
    }
    if let Some(to) = to_words.get_mut(t) {
        cache::store(to, cache::load(&words[from], Hint::Level2), Hint::LastUse);
    }
    if let Some(to) = to_doubles.get_mut(t) {
        cache::store(to, cache::load(&doubles[from], Hint::Streaming), Hint::Streaming);
    }
    if let Some(to) = to_points.get_mut(t) {
        // Also of memory that isn't the device's: the value is a thread's own.
        let own = cache::load(&points[from], Hint::Streaming);
        let mut own = Point { at: own.at.map(|x| x + 1.0) };
        let first = cache::load(&own.at[t.index() % 3], Hint::LastUse);
        cache::store(&mut own.at[t.index() % 2], first, Hint::Streaming);
        cache::store(to, own, Hint::Streaming);
    }
    if let Some(to) = to_vectors.get_mut(t) {
        cache::store(to, cache::load(&vectors.row(0)[from], Hint::Streaming), Hint::Level2);
    }
}

/// y = a*x, each touched once.
#[gpu_kernel(requires = x.len() == y.len())]
fn scale(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        cache::store(y, a * cache::load(&x[t.index()], Hint::Streaming), Hint::Streaming);
    }
}

/// Reads beyond the end.
#[gpu_kernel]
fn beyond(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    let (len, index) = (x.len(), t.index());
    if let Some(y) = y.get_mut(t) {
        *y = cache::load(&x[index + len], Hint::Streaming);
    }
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::Error;

    use super::*;
    use crate::device;
    use crate::ptx::entry;

    #[test]
    fn values_are_those_of_ordinary_accesses() -> Result<(), Error> {
        const N: usize = 70;
        let device = device()?;
        let stream = device.stream()?;
        let bytes: [u8; N] = core::array::from_fn(|i| i as u8);
        let halves: [u16; N] = core::array::from_fn(|i| i as u16 * 901);
        let words: [f32; N] = core::array::from_fn(|i| i as f32);
        let doubles: [f64; N] = core::array::from_fn(|i| i as f64 / 3.0);
        let points: [Point; N] = core::array::from_fn(|i| Point { at: [i as f32, -1.0, 0.5] });
        let vectors: [Vector<f32, 4>; N] = core::array::from_fn(|i| [i as f32, 1.0, 2.0, 3.0].into());
        let mut out = (
            stream.alloc_zeroed::<u8>(N)?,
            stream.alloc_zeroed::<u16>(N)?,
            stream.alloc_zeroed::<f32>(N)?,
            stream.alloc_zeroed::<f64>(N)?,
            stream.alloc_zeroed::<Point>(N)?,
            stream.alloc_zeroed::<Vector<f32, 4>>(N)?,
        );
        let arguments = (
            &stream.upload(&bytes)?,
            &stream.upload(&halves)?,
            &stream.upload(&words)?,
            &stream.upload(&doubles)?,
            &stream.upload(&points)?,
            &stream.upload_matrix(1, N, &vectors)?,
            &mut out.0,
            &mut out.1,
            &mut out.2,
            &mut out.3,
            &mut out.4,
            &mut out.5,
        );
        hinted::load(&device)?.launch(&stream, LaunchConfig::threads(N), arguments)?;
        fn reversed<T: Copy>(values: &[T]) -> Vec<T> {
            values.iter().rev().copied().collect()
        }
        assert_eq!(stream.download(&out.0)?, reversed(&bytes));
        assert_eq!(stream.download(&out.1)?, reversed(&halves));
        assert_eq!(stream.download(&out.2)?, reversed(&words));
        assert_eq!(stream.download(&out.3)?, reversed(&doubles));
        let changed = |(thread, point): (usize, &Point)| {
            let mut point = Point { at: point.at.map(|x| x + 1.0) };
            point.at[thread % 2] = point.at[thread % 3];
            point
        };
        let expected: Vec<Point> = reversed(&points).iter().enumerate().map(changed).collect();
        assert_eq!(stream.download(&out.4)?, expected);
        assert_eq!(stream.download(&out.5)?, reversed(&vectors));
        Ok(())
    }

    #[test]
    fn an_index_beyond_the_end_is_a_panic() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let (x, mut y) = (stream.upload(&[1.0; 3])?, stream.alloc_zeroed(3)?);
        beyond::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&x, &mut y))?;
        assert!(matches!(stream.synchronize(), Err(Error::KernelPanic { .. })));
        Ok(())
    }

    #[test]
    fn hints_are_in_the_instructions() {
        let (Some(hinted), Some(scale)) = (entry("hinted"), entry("scale")) else { return };
        for instruction in [
            "ld.global.cs.b8",
            "st.global.cg.b8",
            "ld.global.lu.b16",
            "st.global.cs.b16",
            "ld.global.cg.b32",
            "st.global.cs.b32",
            "ld.global.cs.b64",
            "st.global.cs.b64",
            "ld.global.cs.v2.b64",
            "st.global.cg.v2.b64",
        ] {
            assert!(hinted.contains(instruction), "{instruction}: {hinted}");
        }
        // Of parameters the compiler knows where they are: nothing is asked, and nothing is accessed twice.
        assert!(!scale.contains("isspacep"), "{scale}");
        assert_eq!(scale.matches("ld.global").count(), 1, "{scale}");
        assert_eq!(scale.matches("st.global").count(), 1, "{scale}");
    }
}
