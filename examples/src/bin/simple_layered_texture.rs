//! `simpleLayeredTexture` of the CUDA samples: a texture of several layers, of which each thread samples the one with its plane's number.

use gridwright::prelude::*;
#[host_only]
use {
    clap::Parser,
    gridwright_examples::{Sample, Timing, up_to},
};

/// Each element changes its sign, and the number of its layer is added.
#[gpu_kernel(
    block = (8, 8, 1),
    requires = layers.layers() == out.planes() && layers.height() == out.rows() && layers.width() == out.cols()
)]
pub(crate) fn transform(t: Thread, layers: &TextureLayered2d<f32>, mut out: PerThread<Volume<f32>>) {
    let (rows, cols) = (out.rows() as f32, out.cols() as f32);
    if let Some(out) = out.get_mut(t) {
        // The middle of the texel: nothing is filtered there.
        let (u, v) = ((t.col() as f32 + 0.5) / cols, (t.row() as f32 + 0.5) / rows);
        *out = t.plane() as f32 - layers.sample(t.plane(), u, v);
    }
}

/// Samples the layers of a texture and checks each element.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The layers.
    #[arg(long, default_value_t = 5, value_parser = up_to::<64>)]
    layers: usize,
    /// The rows of a layer.
    #[arg(long, default_value_t = 512, value_parser = up_to::<2048>)]
    rows: usize,
    /// The columns of a layer.
    #[arg(long, default_value_t = 512, value_parser = up_to::<2048>)]
    cols: usize,
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options: Options { layers, rows, cols }, device, stream, report } =
        Sample::begin("layered")?;
    let texels = layers * rows * cols;
    let elements: Vec<f32> = (0..texels).map(|i| (i * 7919 % (1 << 20)) as f32).collect();

    let sampling = Sampling::linear().address(Address::Wrap).normalized();
    let texture = stream.texture_layered(layers, rows, cols, &elements, sampling)?;
    let mut out = stream.alloc_volume_zeroed(layers, rows, cols)?;
    let kernel = transform::load(&device)?;
    let config = LaunchConfig::for_volume(layers, rows, cols);
    let timing = Timing::of(&stream, || kernel.launch(&stream, config, (&texture, &mut out)))?;
    report.timed(format_args!("{layers} layers of {cols} x {rows} texels"), timing, "lookups", texels)?;

    // Whole numbers: exact.
    let expected = |i: usize| (i / rows / cols) as f32 - elements[i];
    report.equal("element", &stream.download(&out)?, (0..texels).map(expected))
}
