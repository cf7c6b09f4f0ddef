//! Textures and surfaces: every dimension, filter, address mode and kind of texel, against the definition in 64-bit floats.

use gridwright::prelude::*;

#[gpu_kernel]
fn sample_1d(t: Thread, texture: &Texture1d<f32>, at: &[[f32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([x, ..])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.sample(x);
    }
}

#[gpu_kernel]
fn sample_2d(t: Thread, texture: &Texture2d<f32>, at: &[[f32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([x, y, _])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.sample(x, y);
    }
}

#[gpu_kernel]
fn sample_3d(t: Thread, texture: &Texture3d<f32>, at: &[[f32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([x, y, z])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.sample(x, y, z);
    }
}

/// The third coordinate is the layer.
#[gpu_kernel]
fn sample_layered(t: Thread, texture: &TextureLayered2d<f32>, at: &[[f32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([x, y, layer])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.sample(layer as usize, x, y);
    }
}

#[gpu_kernel]
fn fetch_1d(t: Thread, texture: &Texture1d<f32>, at: &[[i32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([col, ..])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.fetch(col);
    }
}

#[gpu_kernel]
fn fetch_2d(t: Thread, texture: &Texture2d<f32>, at: &[[i32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([col, row, _])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.fetch(col, row);
    }
}

#[gpu_kernel]
fn fetch_3d(t: Thread, texture: &Texture3d<f32>, at: &[[i32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([col, row, plane])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.fetch(col, row, plane);
    }
}

#[gpu_kernel]
fn fetch_layered(t: Thread, texture: &TextureLayered2d<f32>, at: &[[i32; 3]], mut out: PerThread<[f32]>) {
    let i = t.index();
    if let (Some(out), Some([col, row, layer])) = (out.get_mut(t), at.get(i).copied()) {
        *out = texture.fetch(layer as usize, col, row);
    }
}

/// Each texel of a texture, by both ways of reading one, which have to agree.
macro_rules! kinds_of_texel {
    ($($kernel:ident: $texel:ty => $value:ty;)*) => {$(
        #[gpu_kernel]
        fn $kernel(t: Thread, texture: &Texture2d<$texel>, mut out: PerThread<Matrix<[$value; 2]>>) {
            let (row, col) = (t.row(), t.col());
            if let Some(out) = out.get_mut(t) {
                *out = [texture.fetch(col as i32, row as i32), texture.sample(col as f32 + 0.5, row as f32 + 0.5)];
            }
        }
    )*};
}

kinds_of_texel! {
    read_u8: u8 => u8;
    read_i8x2: [i8; 2] => [i8; 2];
    read_u16x4: [u16; 4] => [u16; 4];
    read_i16: i16 => i16;
    read_u32x2: [u32; 2] => [u32; 2];
    read_i32x4: [i32; 4] => [i32; 4];
    read_unorm8x4: [Norm<u8>; 4] => [f32; 4];
    read_snorm8: Norm<i8> => f32;
    read_unorm16x2: [Norm<u16>; 2] => [f32; 2];
    read_snorm16: Norm<i16> => f32;
    read_f32x4: [f32; 4] => [f32; 4];
}

#[gpu_kernel]
fn blend(t: Thread, image: &Texture2d<[Norm<u8>; 4]>, at: &[[f32; 2]], mut out: PerThread<[[f32; 4]]>) {
    let i = t.index();
    if let (Some(out), Some([x, y])) = (out.get_mut(t), at.get(i).copied()) {
        *out = image.sample(x, y);
    }
}

#[gpu_kernel]
fn write_1d(t: Thread, line: Surface1d<u8>) {
    line.set(t, t.index() as u8 + 1);
}

#[gpu_kernel]
fn write_2d(t: Thread, scale: f32, image: Surface2d<[f32; 4]>) {
    let (row, col) = (t.row() as f32, t.col() as f32);
    image.set(t, [scale * row, scale * col, row + col, 1.0]);
}

#[gpu_kernel]
fn write_3d(t: Thread, volume: Surface3d<[i16; 4]>) {
    volume.set(t, [t.plane() as i16, t.row() as i16, t.col() as i16, -1]);
}

#[gpu_kernel]
fn write_layers(t: Thread, layers: SurfaceLayered2d<u16>) {
    layers.set(t, (t.plane() * 100 + t.row() * 10 + t.col()) as u16);
}

/// A group's kernel samples and writes too.
#[gpu_kernel(block = (8, 4))]
fn shrink(g: &Group, image: &Texture2d<f32>, small: Surface2d<f32>) {
    let width = 1.0 / small.width() as f32;
    let height = 1.0 / small.height() as f32;
    g.each((), |t, ()| {
        let (x, y) = ((t.col() as f32 + 0.5) * width, (t.row() as f32 + 0.5) * height);
        small.set(t, image.sample(x, y));
    });
}

#[gpu_kernel(requires = image.width() == 4 && image.height() == small.height())]
fn of_equal_sizes(t: Thread, image: &Texture2d<f32>, small: Surface2d<f32>) {
    small.set(t, image.fetch(t.col() as i32, t.row() as i32));
}

#[cfg(not(gridwright_device))]
mod host {
    use gridwright::Error;
    use gridwright::texture::Filter;

    use super::*;

    const ADDRESSES: [Address; 4] = [Address::Clamp, Address::Border, Address::Wrap, Address::Mirror];

    /// Widths, heights and depths: 1, odd, and powers of two, whose quotients are exact.
    const EXTENTS: [[usize; 3]; 4] = [[8, 4, 2], [7, 5, 3], [1, 1, 1], [16, 1, 2]];

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Line,
        Plane,
        Volume,
        Layers,
    }

    const KINDS: [Kind; 4] = [Kind::Line, Kind::Plane, Kind::Volume, Kind::Layers];

    impl Kind {
        fn extent(self, [width, height, depth]: [usize; 3]) -> [usize; 3] {
            match self {
                Self::Line => [width, 1, 1],
                Self::Plane => [width, height, 1],
                Self::Volume | Self::Layers => [width, height, depth],
            }
        }

        /// Filtered axes.
        fn axes(self) -> usize {
            match self {
                Self::Line => 1,
                Self::Plane | Self::Layers => 2,
                Self::Volume => 3,
            }
        }
    }

    struct Random(u64);

    impl Random {
        /// Below 2³².
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 32
        }

        fn between(&mut self, low: f64, high: f64) -> f64 {
            low + (high - low) * self.next() as f64 / f64::from(u32::MAX)
        }
    }

    fn device() -> (Device, Stream) {
        let device = crate::device().expect("the device");
        let stream = device.stream().expect("a stream");
        (device, stream)
    }

    fn samplings() -> Vec<Sampling> {
        let mut samplings = Vec::new();
        for filter in [Sampling::nearest(), Sampling::linear()] {
            for address in ADDRESSES {
                samplings.push(filter.address(address).normalized());
            }
            samplings.push(filter);
            samplings.push(filter.address(Address::Border));
        }
        samplings
    }

    fn texels(extent: [usize; 3]) -> Vec<f32> {
        let mut random = Random(7);
        (0..extent.iter().product()).map(|_| random.between(-4.0, 4.0) as f32).collect()
    }

    /// The texel at an index, or what takes its place beyond the edges.
    fn texel(texels: &[f32], extent: [usize; 3], kind: Kind, address: Address, index: [i64; 3]) -> f64 {
        let mut found = [0; 3];
        for axis in 0..3 {
            let (at, size) = (index[axis], extent[axis] as i64);
            found[axis] = if axis >= kind.axes() {
                at.clamp(0, size - 1)
            } else {
                match address {
                    Address::Clamp => at.clamp(0, size - 1),
                    Address::Border if (0..size).contains(&at) => at,
                    Address::Border => return 0.0,
                    Address::Wrap => at.rem_euclid(size),
                    // The tiles are reflected one by one.
                    Address::Mirror if at.div_euclid(size) % 2 == 0 => at.rem_euclid(size),
                    Address::Mirror => size - 1 - at.rem_euclid(size),
                }
            } as usize;
        }
        f64::from(texels[(found[2] * extent[1] + found[1]) * extent[0] + found[0]])
    }

    /// What the definition gives at coordinates in texels, with exact weights.
    fn exact(
        values: &[f32],
        extent: [usize; 3],
        kind: Kind,
        sampling: Sampling,
        at: [f64; 3],
        layer: i64,
    ) -> f64 {
        let get = |mut index: [i64; 3]| {
            if kind == Kind::Layers {
                index[2] = layer;
            }
            texel(values, extent, kind, sampling.address_mode(), index)
        };
        match sampling.filter() {
            Filter::Nearest => get(at.map(|at| at.floor() as i64)),
            Filter::Linear => {
                let mut sum = 0.0;
                for corner in 0..1 << kind.axes() {
                    let (mut index, mut weight) = ([0; 3], 1.0);
                    for axis in 0..kind.axes() {
                        let before = at[axis] - 0.5;
                        let part = before - before.floor();
                        let is_second = corner >> axis & 1 == 1;
                        index[axis] = before.floor() as i64 + i64::from(is_second);
                        weight *= if is_second { part } else { 1.0 - part };
                    }
                    sum += weight * get(index);
                }
                sum
            }
        }
    }

    /// What the device samples.
    fn sampled(
        (device, stream): &(Device, Stream),
        kind: Kind,
        [width, height, depth]: [usize; 3],
        values: &[f32],
        sampling: Sampling,
        at: &[[f32; 3]],
    ) -> Result<Vec<f32>, Error> {
        let places = stream.upload(at)?;
        let mut out = stream.alloc_zeroed(at.len())?;
        let config = LaunchConfig::threads(at.len());
        match kind {
            Kind::Line => {
                let texture = stream.texture_1d(values, sampling)?;
                sample_1d::load(device)?.launch(stream, config, (&texture, &places, &mut out))?;
            }
            Kind::Plane => {
                let texture = stream.texture(height, width, values, sampling)?;
                sample_2d::load(device)?.launch(stream, config, (&texture, &places, &mut out))?;
            }
            Kind::Volume => {
                let texture = stream.texture_3d(depth, height, width, values, sampling)?;
                sample_3d::load(device)?.launch(stream, config, (&texture, &places, &mut out))?;
            }
            Kind::Layers => {
                let texture = stream.texture_layered(depth, height, width, values, sampling)?;
                sample_layered::load(device)?.launch(stream, config, (&texture, &places, &mut out))?;
            }
        }
        stream.download(&out)
    }

    /// Coordinates as a kernel gives them, of some in texels, and the layer.
    fn coordinates(
        kind: Kind,
        extent: [usize; 3],
        sampling: Sampling,
        at: [f64; 3],
        layer: usize,
    ) -> [f32; 3] {
        let mut given = [0.0; 3];
        for axis in 0..3 {
            let scale = if sampling.is_normalized() { extent[axis] as f64 } else { 1.0 };
            given[axis] = (at[axis] / scale) as f32;
        }
        if kind == Kind::Layers {
            given[2] = layer as f32;
        }
        given
    }

    /// Anywhere, within the documented bounds: each weight to 1/256, besides a rounding of each texel.
    #[test]
    fn what_is_sampled_is_within_the_bounds() {
        let on = device();
        for (kind, extent) in KINDS.iter().flat_map(|&kind| EXTENTS.map(|extent| (kind, kind.extent(extent))))
        {
            let values = texels(extent);
            for sampling in samplings() {
                let mut random = Random(11);
                let mut places = Vec::new();
                while places.len() < 100 {
                    let at: [f64; 3] = std::array::from_fn(|axis| {
                        let size = extent[axis] as f64;
                        random.between(-2.5 * size, 3.5 * size)
                    });
                    // On the edge between two texels a rounding decides.
                    let is_between = |at: &f64| (at - at.round()).abs() < 1e-3;
                    if sampling.filter() == Filter::Linear || !at.iter().any(is_between) {
                        places.push((at, random.next() as usize % (extent[2] + 1)));
                    }
                }
                let given: Vec<_> = places
                    .iter()
                    .map(|&(at, layer)| coordinates(kind, extent, sampling, at, layer))
                    .collect();
                let found = sampled(&on, kind, extent, &values, sampling, &given).expect("samples");
                let bound = match sampling.filter() {
                    Filter::Nearest => 0.0,
                    // Texels are from -4 to 4. Coordinates have 24 bits, of which the weights' are the last at most.
                    Filter::Linear => kind.axes() as f64 * 8.0 / 256.0 + 1e-4,
                };
                for (&(at, layer), &found) in places.iter().zip(&found) {
                    let exact = exact(&values, extent, kind, sampling, at, layer as i64);
                    let error = (f64::from(found) - exact).abs();
                    assert!(error <= bound, "{kind:?} {extent:?} {sampling:?} {at:?}: {found}, not {exact}");
                }
            }
        }
    }

    /// Where weights are multiples of 1/256 nothing is rounded but sums.
    #[test]
    fn exact_weights_give_exact_values() {
        let on = device();
        let extent = [16, 4, 2];
        for kind in KINDS {
            let extent = kind.extent(extent);
            let values = texels(extent);
            for sampling in samplings().into_iter().filter(|sampling| sampling.filter() == Filter::Linear) {
                let mut random = Random(13);
                let places: Vec<[f64; 3]> = (0..200)
                    .map(|_| {
                        extent.map(|size| {
                            let steps = 256 * 6 * size as u64;
                            (random.next() % steps) as f64 / 256.0 - 2.5 * size as f64
                        })
                    })
                    .collect();
                let given: Vec<_> =
                    places.iter().map(|&at| coordinates(kind, extent, sampling, at, 1)).collect();
                let found = sampled(&on, kind, extent, &values, sampling, &given).expect("samples");
                for (&at, &found) in places.iter().zip(&found) {
                    let layer = extent[2] as i64 - 1;
                    let exact = exact(&values, extent, kind, sampling, at, layer);
                    // Eight products of values up to 4, and seven sums.
                    let error = (f64::from(found) - exact).abs();
                    assert!(
                        error <= 16.0 * 4.0 * f64::from(f32::EPSILON),
                        "{kind:?} {sampling:?} {at:?}: {found}, not {exact}"
                    );
                }
            }
        }
    }

    /// What they give isn't specified where they aren't finite, but they do no harm.
    #[test]
    fn any_coordinate_is_safe() {
        let on = device();
        let odd =
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 3e9, -3e9, -0.0, 1e-40, 0.0];
        for kind in KINDS {
            let extent = kind.extent([7, 5, 3]);
            for sampling in samplings() {
                let places: Vec<_> =
                    odd.iter().flat_map(|&x| [[x, 0.5, 1.0], [0.5, x, 1.0], [x, x, x]]).collect();
                let found = sampled(&on, kind, extent, &texels(extent), sampling, &places).expect("samples");
                let [.., negative_zero, subnormal, zero] = found.chunks_exact(3).collect::<Vec<_>>()[..]
                else {
                    panic!("{} values", found.len());
                };
                assert_eq!((negative_zero, subnormal), (zero, zero), "{kind:?} {sampling:?}");
                assert!(zero.iter().all(|value| value.abs() <= 4.0), "{kind:?} {sampling:?}: {zero:?}");
            }
        }
    }

    #[test]
    fn texels_are_fetched_as_they_are() {
        let (device, stream) = device();
        for (kind, extent) in KINDS.iter().flat_map(|&kind| EXTENTS.map(|extent| (kind, kind.extent(extent))))
        {
            let values = texels(extent);
            let [width, height, depth] = extent;
            for sampling in samplings() {
                let mut random = Random(17);
                let mut places: Vec<[i32; 3]> = (0..100)
                    .map(|_| extent.map(|size| (random.next() % (7 * size as u64)) as i32 - 3 * size as i32))
                    .collect();
                if sampling.address_mode() == Address::Clamp {
                    places.push([i32::MAX, i32::MIN, 0]);
                    places.push([i32::MIN, i32::MAX, 0]);
                }
                for place in &mut places {
                    if kind == Kind::Layers {
                        place[2] = place[2].rem_euclid(depth as i32 + 1);
                    }
                }
                let given = stream.upload(&places).expect("places");
                let mut out = stream.alloc_zeroed(places.len()).expect("room");
                let config = LaunchConfig::threads(places.len());
                (|| match kind {
                    Kind::Line => {
                        let texture = stream.texture_1d(&values, sampling)?;
                        fetch_1d::load(&device)?.launch(&stream, config, (&texture, &given, &mut out))
                    }
                    Kind::Plane => {
                        let texture = stream.texture(height, width, &values, sampling)?;
                        fetch_2d::load(&device)?.launch(&stream, config, (&texture, &given, &mut out))
                    }
                    Kind::Volume => {
                        let texture = stream.texture_3d(depth, height, width, &values, sampling)?;
                        fetch_3d::load(&device)?.launch(&stream, config, (&texture, &given, &mut out))
                    }
                    Kind::Layers => {
                        let texture = stream.texture_layered(depth, height, width, &values, sampling)?;
                        fetch_layered::load(&device)?.launch(&stream, config, (&texture, &given, &mut out))
                    }
                })()
                .expect("a launch");
                for (place, found) in places.iter().zip(stream.download(&out).expect("values")) {
                    let index = place.map(i64::from);
                    let expected = texel(&values, extent, kind, sampling.address_mode(), index);
                    assert_eq!(f64::from(found), expected, "{kind:?} {extent:?} {sampling:?} {place:?}");
                }
            }
        }
    }

    #[test]
    fn every_kind_of_texel_is_read() {
        let (device, stream) = device();
        macro_rules! read {
            ($kernel:ident, $sampling:expr, $texels:expr, $values:expr) => {{
                let texels = $texels;
                let texture = stream.texture(2, 2, &texels, $sampling).expect("a texture");
                assert_eq!(stream.download_texture(&texture).expect("its texels"), texels);
                let mut out = stream.alloc_matrix_zeroed(2, 2).expect("room");
                let kernel = $kernel::load(&device).expect("the kernel");
                kernel
                    .launch(&stream, LaunchConfig::for_matrix(2, 2), (&texture, &mut out))
                    .expect("a launch");
                let values: [_; 4] = $values;
                assert_eq!(stream.download(&out).expect("values"), values.map(|value| [value; 2]));
            }};
        }
        let nearest = Sampling::nearest();
        let linear = Sampling::linear();
        read!(read_u8, nearest, [0_u8, 1, 127, 255], [0, 1, 127, 255]);
        let bytes = [[0_i8, -1], [i8::MIN, i8::MAX], [3, 4], [-5, 6]];
        read!(read_i8x2, nearest, bytes, bytes);
        let words = [[0_u16, 1, 2, u16::MAX], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]];
        read!(read_u16x4, nearest, words, words);
        read!(read_i16, nearest, [0_i16, -1, i16::MIN, i16::MAX], [0, -1, i16::MIN, i16::MAX]);
        let pairs = [[0_u32, u32::MAX], [1, 2], [3, 4], [5, 1 << 31]];
        read!(read_u32x2, nearest, pairs, pairs);
        let fours = [[0_i32, -1, i32::MIN, i32::MAX], [1; 4], [-2; 4], [3; 4]];
        read!(read_i32x4, nearest, fours, fours);
        let colours = [[255_u8, 0, 51, 102], [0; 4], [255; 4], [0, 51, 0, 51]];
        read!(
            read_unorm8x4,
            linear,
            colours.map(|of| of.map(Norm)),
            colours.map(|of| of.map(|of| f32::from(of) / 255.0))
        );
        read!(read_snorm8, linear, [Norm(-128_i8), Norm(-127), Norm(0), Norm(127)], [-1.0, -1.0, 0.0, 1.0]);
        let steps = [[0_u16, u16::MAX], [21_845, 0], [0, 43_690], [13_107, 0]];
        read!(
            read_unorm16x2,
            linear,
            steps.map(|of| of.map(Norm)),
            steps.map(|of| of.map(|of| f32::from(of) / 65_535.0))
        );
        read!(
            read_snorm16,
            linear,
            [Norm(i16::MIN), Norm(-i16::MAX), Norm(0), Norm(i16::MAX)],
            [-1.0, -1.0, 0.0, 1.0]
        );
        let floats = [[0.0_f32, -1.5, 1e30, f32::MIN_POSITIVE], [1.0; 4], [2.0; 4], [3.0; 4]];
        read!(read_f32x4, linear, floats, floats);
    }

    #[test]
    fn channels_are_filtered_alike() {
        let (device, stream) = device();
        let image = [[0_u8, 255, 0, 255], [255, 0, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];
        let image =
            stream.texture(2, 2, &image.map(|of| of.map(Norm)), Sampling::linear()).expect("a texture");
        let at = stream.upload(&[[1.0_f32, 0.5], [0.5, 1.0], [1.0, 1.0], [0.75, 0.5]]).expect("places");
        let mut out = stream.alloc_zeroed::<[f32; 4]>(4).expect("room");
        blend::load(&device)
            .and_then(|kernel| kernel.launch(&stream, LaunchConfig::threads(4), (&image, &at, &mut out)))
            .expect("a launch");
        let expected =
            [[0.5, 0.5, 0.0, 1.0], [0.0, 0.5, 0.5, 1.0], [0.5, 0.5, 0.5, 1.0], [0.25, 0.75, 0.0, 1.0]];
        // An H100 rounds what it filters of bytes to sixteen bits.
        let half_a_step = 0.5 / f32::from(u16::MAX) + f32::EPSILON;
        let values = stream.download(&out).expect("values");
        let is_close = |(a, b): (&f32, &f32)| (a - b).abs() <= half_a_step;
        assert!(values.as_flattened().iter().zip(expected.as_flattened()).all(is_close), "{values:?}");
    }

    #[test]
    fn surfaces_are_written_by_position() {
        let (device, stream) = device();
        let nearest = Sampling::nearest();
        let run = || {
            // Fewer threads than texels, and more.
            let mut line = stream.texture_1d(&[9_u8; 7], nearest)?;
            write_1d::load(&device)?.launch(&stream, LaunchConfig::threads(5), (&mut line,))?;
            assert_eq!(stream.download_texture(&line)?, [1, 2, 3, 4, 5, 9, 9]);

            let mut image = stream.texture(3, 5, &[[0.0_f32; 4]; 15], nearest)?;
            let config = LaunchConfig::for_matrix(6, 9);
            write_2d::load(&device)?.launch(&stream, config, (0.5, &mut image))?;
            let expected: Vec<_> = (0..15)
                .map(|i| ((i / 5) as f32, (i % 5) as f32))
                .map(|(row, col)| [0.5 * row, 0.5 * col, row + col, 1.0])
                .collect();
            assert_eq!(stream.download_texture(&image)?, expected);

            let mut volume = stream.texture_3d(2, 3, 4, &[[0_i16; 4]; 24], nearest)?;
            let config = LaunchConfig::grid((1, 1, 2), (4, 3, 1));
            write_3d::load(&device)?.launch(&stream, config, (&mut volume,))?;
            let expected: Vec<_> = (0..24_i16).map(|i| [i / 12, i / 4 % 3, i % 4, -1]).collect();
            assert_eq!(stream.download_texture(&volume)?, expected);

            let mut layers = stream.texture_layered(2, 3, 4, &[0_u16; 24], nearest)?;
            let config = LaunchConfig::grid((1, 1, 2), (4, 3, 1));
            write_layers::load(&device)?.launch(&stream, config, (&mut layers,))?;
            let expected: Vec<_> = (0..24_u16).map(|i| i / 12 * 100 + i / 4 % 3 * 10 + i % 4).collect();
            assert_eq!(stream.download_texture(&layers)?, expected);
            Ok::<_, Error>(())
        };
        run().expect("writes");
    }

    #[test]
    fn what_a_kernel_wrote_the_next_one_samples() {
        let (device, stream) = device();
        let run = || {
            let matrix = stream.upload_matrix(8, 16, &texels([16, 8, 1]))?;
            let image = stream.texture_from(&matrix, Sampling::linear().normalized())?;
            assert_eq!(stream.download_texture(&image)?, texels([16, 8, 1]));
            let mut half = stream.texture(4, 8, &[0.0_f32; 32], Sampling::linear().normalized())?;
            let mut quarter = stream.texture(4, 8, &[0.0_f32; 32], Sampling::linear())?;
            let kernel = shrink::load(&device)?;
            let config = || LaunchConfig::grid(1, (8, 4));
            kernel.launch(&stream, config(), (&image, &mut half))?;
            kernel.launch(&stream, config(), (&half, &mut quarter))?;
            let expected: Vec<_> = (0..32)
                .map(|i| {
                    let (row, col) = (2.0 * f64::from(i / 8) + 1.0, 2.0 * f64::from(i % 8) + 1.0);
                    let linear = Sampling::linear();
                    exact(&texels([16, 8, 1]), [16, 8, 1], Kind::Plane, linear, [col, row, 0.0], 0) as f32
                })
                .collect();
            for (found, expected) in stream.download_texture(&quarter)?.iter().zip(&expected) {
                assert!((found - expected).abs() < 4e-6, "{found}, not {expected}");
            }
            Ok::<_, Error>(())
        };
        run().expect("launches");
    }

    #[test]
    fn several_streams_and_drops_in_any_order() {
        let (device, first) = device();
        let run = || {
            let second = device.stream()?;
            let kernel = sample_2d::load(&device)?;
            let mut outs = Vec::new();
            let at = first.upload(&[[0.5_f32, 0.5, 0.0]; 64])?;
            for i in 0..20 {
                let stream = if i % 2 == 0 { &first } else { &second };
                let texture = stream.texture(1, 1, &[i as f32], Sampling::nearest())?;
                let mut out = stream.alloc_zeroed(64)?;
                let other = if i % 3 == 0 { &first } else { &second };
                kernel.launch(other, LaunchConfig::threads(64), (&texture, &at, &mut out))?;
                outs.push(out);
            }
            for (i, out) in outs.iter().enumerate() {
                assert_eq!(first.download(out)?, [i as f32; 64]);
            }
            Ok::<_, Error>(())
        };
        run().expect("launches");
    }

    #[test]
    fn requirements_see_sizes() {
        let (device, stream) = device();
        let run = |width: usize| {
            let image = stream.texture(1, width, &vec![2.0_f32; width], Sampling::nearest())?;
            let mut small = stream.texture(1, 4, &[0.0_f32; 4], Sampling::nearest())?;
            let config = LaunchConfig::for_matrix(1, 4);
            of_equal_sizes::load(&device)?.launch(&stream, config, (&image, &mut small))?;
            stream.download_texture(&small)
        };
        assert_eq!(run(4).expect("a launch"), [2.0; 4]);
        let error = run(3).expect_err("a texture of another width");
        assert!(matches!(error, Error::Requirement { .. }), "{error}");
    }

    #[test]
    fn what_can_not_be_made_is_refused() {
        let (_, stream) = device();
        let nearest = Sampling::nearest();
        let sized = |error: Error| matches!(error, Error::TextureSize { .. });
        assert!(sized(stream.texture_1d::<f32>(&[], nearest).expect_err("no texel")));
        assert!(sized(stream.texture(0, 3, &[0.0_f32; 0], nearest).expect_err("no row")));
        assert!(sized(stream.texture(2, 3, &[0.0_f32; 5], nearest).expect_err("too few")));
        assert!(sized(stream.texture(usize::MAX, 2, &[0.0_f32; 6], nearest).expect_err("an overflow")));
        assert!(sized(stream.texture_3d(2, 0, 3, &[0_u8; 6], nearest).expect_err("no row")));
        assert!(sized(stream.texture_layered(2, 2, 2, &[0_u8; 9], nearest).expect_err("too many")));

        let error = stream.texture(1 << 18, 1, &vec![0_u8; 1 << 18], nearest).expect_err("too many rows");
        assert!(matches!(error, Error::TextureLimit { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("1 by 262144 by 1"), "{text}");

        for address in [Address::Wrap, Address::Mirror] {
            let error = stream.texture_1d(&[1.0_f32], nearest.address(address)).expect_err("in texels");
            assert!(matches!(error, Error::TextureSampling { .. }), "{error}");
        }
        let error = stream.texture_1d(&[1_u8], Sampling::linear()).expect_err("filtered integers");
        assert!(matches!(error, Error::TextureSampling { .. }), "{error}");

        let mut image = stream.texture(1, 2, &[0_u8; 2], nearest).expect("a texture");
        let error = stream.write_texture(&mut image, &[1; 3]).expect_err("too many texels");
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
    }

    #[test]
    fn textures_of_another_device_are_refused() {
        let (device, stream) = device();
        let other = Device::cpu().and_then(|device| device.stream()).expect("another device");
        let run = || {
            let mut texture = other.texture(1, 1, &[[0.0_f32; 4]], Sampling::nearest())?;
            write_2d::load(&device)?.launch(&stream, LaunchConfig::for_matrix(1, 1), (1.0, &mut texture))
        };
        let error = run().expect_err("a texture of another device");
        assert!(matches!(error, Error::ForeignBuffer { .. }), "{error}");
        let texture = other.texture(1, 1, &[0.0_f32], Sampling::nearest()).expect("a texture");
        let error = stream.download_texture(&texture).expect_err("a texture of another device");
        assert!(matches!(error, Error::ForeignBuffer { .. }), "{error}");
    }
}
