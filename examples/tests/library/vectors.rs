//! Vectors of 8 and 16 bytes, each accessed at once.

use gridwright::memory::Vector;
use gridwright::prelude::*;

/// y = a*x + y, four neighbours a thread.
#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy4(t: Thread, a: f32, x: &[Vector<f32, 4>], mut y: PerThread<[Vector<f32, 4>]>) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()] * a;
    }
}

/// Vectors by value, in workgroup memory, of several widths.
#[gpu_kernel(block = 32)]
fn vector_widths(
    g: &Group,
    by: Vector<u16, 4>,
    x: &[Vector<u16, 4>],
    wide: &[Vector<u64, 2>],
    mut y: PerThread<[Vector<u16, 4>]>,
    mut out: PerThread<[Vector<u8, 16>]>,
    mut tile: Workgroup<[Vector<u16, 4>; 32]>,
) {
    g.load(&mut tile, x, g.origin().x);
    g.each((tile.shared(), y.elements_mut(), out.elements_mut()), |t, (tile, y, out)| {
        if let Some(y) = y {
            *y = tile[31 - t.local().x].zip(by, |x, by| x.wrapping_mul(by));
        }
        if let Some(out) = out {
            let wide = wide.get(t.index()).copied().unwrap_or_default();
            *out = Vector::from(core::array::from_fn(|i| (wide[i / 8] >> (8 * (i % 8))) as u8));
        }
    });
}

/// Arrays aren't aligned to their size, but begin at multiples of it.
#[gpu_kernel(requires = rows.len() == sums.len() && pairs.len() == sums.len())]
fn arrays(t: Thread, rows: &[[f32; 4]], pairs: &[[u16; 2]], mut sums: PerThread<[[f32; 4]]>) {
    if let Some(sums) = sums.get_mut(t) {
        let ([a, b, c, d], [x, y]) = (rows[t.index()], pairs[t.index()]);
        *sums = [a + f32::from(x), b + a, c + f32::from(y), d + c];
    }
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::Error;

    use super::*;
    use crate::device;
    use crate::ptx::entry;

    #[test]
    fn a_buffer_of_numbers_is_one_of_vectors() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let x: Vec<f32> = (0..1024).map(|i| i as f32).collect();
        let (on_device, mut y) = (stream.upload(&x)?, stream.upload(&[1.0_f32; 1024])?);
        let kernel = saxpy4::load(&device)?;
        kernel.launch(&stream, LaunchConfig::threads(256), (2.0, on_device.vectors()?, y.vectors_mut()?))?;
        let (part, mut of_y) = (on_device.slice(4..12)?.vectors()?, y.slice_mut(8..16)?.vectors_mut()?);
        kernel.launch(&stream, LaunchConfig::threads(2), (1.0, part, &mut of_y))?;
        let expected: Vec<f32> = (0..1024_usize)
            .map(|i| 1.0 + 2.0 * x[i] + if (8..16).contains(&i) { x[i - 4] } else { 0.0 })
            .collect();
        assert_eq!(stream.download(&y)?, expected);
        Ok(())
    }

    #[test]
    fn arrays_are_read_and_written_whole() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let rows: Vec<[f32; 4]> =
            (0..100_u8).map(|i| [0, 1, 2, 3].map(|k| f32::from(4 * (i % 9) + k))).collect();
        let pairs: Vec<[u16; 2]> = (0..100).map(|i| [i, 2 * i]).collect();
        let (on_device, of_pairs) = (stream.upload(&rows)?, stream.upload(&pairs)?);
        let (mut sums, mut nothing) =
            (stream.alloc_zeroed::<[f32; 4]>(100)?, stream.alloc_zeroed::<[f32; 4]>(0)?);
        let kernel = arrays::load(&device)?;
        // Parts begin at whole elements, and so does nothing.
        let parts = (on_device.slice(1..100)?, of_pairs.slice(1..100)?, sums.slice_mut(1..100)?);
        kernel.launch(&stream, LaunchConfig::threads(99), parts)?;
        let parts = (on_device.slice(7..7)?, of_pairs.slice(3..3)?, &mut nothing);
        kernel.launch(&stream, LaunchConfig::threads(40), parts)?;
        let of =
            |([a, b, c, d], [x, y]): ([f32; 4], [u16; 2])| [a + f32::from(x), b + a, c + f32::from(y), d + c];
        let expected: Vec<[f32; 4]> = rows.into_iter().zip(pairs).map(of).collect();
        assert_eq!((stream.download(&sums)?[0], &stream.download(&sums)?[1..]), ([0.0; 4], &expected[1..]));
        if let Some(text) = entry("arrays") {
            let accesses =
                text.lines().filter(|line| line.contains("ld.global") || line.contains("st.global"));
            let accesses: Vec<&str> = accesses.collect();
            assert!(accesses.len() == 3 && text.matches(".v4.").count() == 2, "{text}");
        }
        Ok(())
    }

    #[test]
    fn what_isnt_whole_vectors_is_an_error() -> Result<(), Error> {
        let stream = device()?.stream()?;
        let mut buffer = stream.alloc_zeroed::<f32>(10)?;
        let of = |result: Result<(), Error>| match result {
            Err(Error::UnevenVectors { len, vector, beyond }) => Some((len, vector, beyond)),
            _ => None,
        };
        assert_eq!(of(buffer.vectors::<4>().map(drop)), Some((10, 4, 0)));
        assert_eq!(of(buffer.vectors::<2>().map(drop)), None);
        assert_eq!(of(buffer.slice(1..9)?.vectors::<4>().map(drop)), Some((8, 4, 4)));
        assert_eq!(of(buffer.slice_mut(2..6)?.vectors_mut::<4>().map(drop)), Some((4, 4, 8)));
        assert_eq!(of(buffer.slice_mut(2..6)?.vectors_mut::<2>().map(drop)), None);
        assert_eq!(of(buffer.vectors_mut::<4>().map(drop)), Some((10, 4, 0)));
        let error = buffer.slice(1..9)?.vectors::<4>().map(drop).unwrap_err().to_string();
        assert_eq!(
            error,
            "8 elements that begin 4 bytes beyond a vector's place don't make vectors of 4: take a part that begins and ends \
             where a vector does"
        );
        let nothing = stream.alloc_zeroed::<f32>(0)?;
        assert!(nothing.vectors::<4>()?.is_empty());
        Ok(())
    }

    #[test]
    fn vectors_of_several_widths() -> Result<(), Error> {
        let device = device()?;
        let stream = device.stream()?;
        let x: Vec<u16> = (0..128).map(|i: u16| i.wrapping_mul(911)).collect();
        let wide: Vec<u64> = (0..40).map(|i: u64| i.wrapping_mul(0x0123_4567_89ab_cdef)).collect();
        let by = Vector::from([1, 2, 3, 4]);
        let (on_x, on_wide) = (stream.upload(&x)?, stream.upload(&wide)?);
        let (mut y, mut out) = (stream.alloc_zeroed::<u16>(128)?, stream.alloc_zeroed::<u8>(512)?);
        let arguments = (by, on_x.vectors()?, on_wide.vectors()?, y.vectors_mut()?, out.vectors_mut()?);
        vector_widths::load(&device)?.launch(&stream, LaunchConfig::threads(32), arguments)?;
        let expected: Vec<u16> =
            (0..128_usize).map(|i| x[(31 - i / 4) * 4 + i % 4].wrapping_mul(by[i % 4])).collect();
        assert_eq!(stream.download(&y)?, expected);
        let mut expected: Vec<u8> = wide.iter().flat_map(|wide| wide.to_le_bytes()).collect();
        expected.resize(512, 0);
        assert_eq!(stream.download(&out)?, expected);
        Ok(())
    }

    #[test]
    fn a_vector_is_accessed_at_once() {
        let (Some(saxpy), Some(widths)) = (entry("saxpy4"), entry("vector_widths")) else { return };
        assert!(saxpy.contains("ld.global.nc.v4.b32"), "{saxpy}");
        assert!(saxpy.contains("ld.global.v4.b32") && saxpy.contains("st.global.v4.b32"), "{saxpy}");
        assert!(widths.contains("ld.global.nc.v2.b64"), "{widths}");
        assert!(!widths.contains(".local"), "{widths}");
    }
}
