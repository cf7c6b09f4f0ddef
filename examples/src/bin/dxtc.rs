//! `dxtc` of the CUDA samples: an image compressed to four bits a pixel, as DXT1 does it: each block of 4 by 4 pixels has two colours, and
//! its pixels one of them or of one or two between them.
//!
//! A workgroup compresses a block. Its colours are put in order along the line that fits them best, so that those that become one colour
//! are neighbours, and its threads try all ways to part the sixteen. A part's sum is the difference of two sums of the first so
//! many: so a way takes no loop over the colours, which the sample has.
//!
//! S. Brown, "DXT compression techniques", 2006; I. Castaño, "High quality DXT compression using CUDA", 2007.

use gridwright::prelude::*;
#[host_only]
use {
    anyhow::{Context, ensure},
    clap::Parser,
    gridwright_examples::{Sample, Timing, read_png, up_to},
    std::path::PathBuf,
};

/// Threads in a workgroup, and pixels in a block.
const THREADS: usize = 64;
const PIXELS: usize = 16;

type Color = [f32; 3];

#[inline(always)]
fn dot(a: Color, b: Color) -> f32 {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// `a + b * by`.
#[inline(always)]
fn add(a: Color, b: Color, by: f32) -> Color {
    core::array::from_fn(|channel| b[channel].mul_add(by, a[channel]))
}

/// A way to part sixteen colours in order: where the second, third and fourth part begin, and into how many steps the line from the first
/// colour to the last is cut. With two steps there is no fourth part.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Way {
    begins: [u32; 3],
    steps: u32,
}

impl Way {
    #[inline(always)]
    fn part(self, rank: u32) -> u32 {
        self.begins.iter().map(|&begin| u32::from(rank >= begin)).sum()
    }
}

/// A way that was tried, by its number, and how far off it is.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub(crate) struct Trial {
    error: f32,
    way: u32,
}

impl Trial {
    /// The better one.
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        if other.error < self.error { other } else { self }
    }
}

/// The nearest colour of 5, 6 and 5 bits, and what it stands for.
#[inline(always)]
fn rounded(color: Color) -> (u32, Color) {
    let [r, g, b]: [u32; 3] =
        core::array::from_fn(|i| (color[i].clamp(0.0, 1.0) * [31.0, 63.0, 31.0][i] + 0.5) as u32);
    let expanded = [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2];
    (r << 11 | g << 5 | b, expanded.map(|bits| bits as f32 * (1.0 / 255.0)))
}

/// The two colours with which a way to part the colours is off least, after how far off it is then, but for what is the same for all
/// ways. `sums[n]` is the sum of the first *n* in order.
#[inline(always)]
fn fit(sums: &[Color; PIXELS + 1], way: Way) -> (f32, [u32; 2]) {
    let (all, step) = (sums[PIXELS], 1.0 / way.steps as f32);
    // Each colour is `a` times the first of the two, and 1 - `a` times the other. Sums of `a`, of its square and of its product.
    let [first, second, third] = way.begins.map(|begin| (begin as usize).min(PIXELS));
    let counts = [first, second - first, third - second].map(|count| count as f32);
    let shares = [1.0, 1.0 - step, 1.0 - 2.0 * step];
    let (a, aa) = (dot(counts, shares), dot(counts, [1.0, shares[1] * shares[1], shares[2] * shares[2]]));
    let (ab, bb) = (a - aa, PIXELS as f32 - 2.0 * a + aa);
    let ax = add(add(sums[first], sums[second], 1.0), sums[third], 1.0);
    let ax = add(ax, all, way.steps as f32 - 3.0).map(|sum| sum * step);
    let bx = add(all, ax, -1.0);
    let inverse = 1.0 / (aa * bb - ab * ab);
    let (start, x) = rounded(core::array::from_fn(|i| (ax[i] * bb - bx[i] * ab) * inverse));
    let (end, y) = rounded(core::array::from_fn(|i| (bx[i] * aa - ax[i] * ab) * inverse));
    let products = ab.mul_add(dot(x, y), -dot(ax, x) - dot(bx, y));
    let error = aa.mul_add(dot(x, x), bb.mul_add(dot(y, y), 2.0 * products));
    (error, [start, end])
}

/// The direction in which colours differ most, by their covariances' powers.
#[inline(always)]
fn axis(colors: &[Color; PIXELS]) -> Color {
    let mean = colors.iter().fold([0.0; 3], |sum, &color| add(sum, color, 1.0 / PIXELS as f32));
    let mut rows = [[0.0; 3]; 3];
    for &color in colors {
        let off = add(color, mean, -1.0);
        rows = core::array::from_fn(|row| add(rows[row], off, off[row]));
    }
    let mut axis = [1.0, 1.0, 1.0];
    for _ in 0..8 {
        let next = rows.map(|row| dot(row, axis));
        let largest = next[0].abs().max(next[1].abs()).max(next[2].abs());
        axis = next.map(|x| if largest > 0.0 { x / largest } else { 1.0 });
    }
    axis
}

/// Each group compresses a block of the image, row after row of blocks: its colours, and two bits for each pixel.
#[gpu_kernel(block = THREADS, requires = cols > 0)]
pub(crate) fn compress(
    g: &Group,
    cols: usize,
    image: &Matrix<[u8; 4]>,
    ways: &[Way],
    mut blocks: PerGroup<[[u32; 2]]>,
    mut colors: Workgroup<[Color; PIXELS]>,
    mut along: Workgroup<[f32; PIXELS]>,
    mut ranks: Workgroup<[u32; PIXELS]>,
    mut sums: Workgroup<[Color; PIXELS + 1]>,
) {
    let (row, col) = (g.index() / cols * 4, g.index() % cols * 4);
    g.each(colors.flat().chunks::<3>().elements_mut().take(PIXELS), |t, color| {
        let pixel = t.local().x;
        let [r, g, b, _] = image.get_or(row + pixel / 4, col + pixel % 4, [0; 4]);
        *color = [r, g, b].map(|byte| f32::from(byte) / 255.0);
    });
    g.each((along.elements_mut().take(PIXELS), colors.shared()), |t, (along, colors)| {
        *along = dot(colors[t.local().x], axis(colors));
    });
    g.each((ranks.elements_mut().take(PIXELS), along.shared()), |t, (rank, along)| {
        let own = t.local().x;
        let is_before = |i: usize| along[i] < along[own] || along[i] == along[own] && i < own;
        *rank = (0..PIXELS).map(|i| u32::from(is_before(i))).sum();
    });
    g.each(
        (sums.flat().chunks::<3>().elements_mut().take(PIXELS + 1), ranks.shared(), colors.shared()),
        |t, (sum, ranks, colors)| {
            let share = |i: usize| if (ranks[i] as usize) < t.local().x { 1.0 } else { 0.0 };
            *sum = (0..PIXELS).fold([0.0; 3], |sum, i| add(sum, colors[i], share(i)));
        },
    );
    let mut best = g.private(Trial { error: f32::MAX, way: 0 });
    for first in (0..ways.len()).step_by(THREADS) {
        g.each((&mut best, sums.shared(), ways.elements_from(first)), |t, (best, sums, way)| {
            if let Some(&way) = way {
                *best = best.or(Trial { error: fit(sums, way).0, way: (first + t.local().x) as u32 });
            }
        });
    }
    let way = ways[g.reduce(&best, Trial::or).way as usize];
    let [start, end] = g.broadcast(&g.map(sums.shared(), |_, sums| fit(sums, way).1), 0);
    // Four colours are told from three by the order of the two that are there.
    let is_turned = (start < end) == (way.steps == 3);
    let indices = g.map(ranks.shared(), |t, ranks| {
        let Some(&rank) = ranks.get(t.local().x) else { return 0 };
        let part = if is_turned { way.steps - way.part(rank) } else { way.part(rank) };
        let index = if start == end || part == 0 {
            0
        } else if part == way.steps {
            1
        } else {
            part + 1
        };
        index << (2 * t.local().x)
    });
    let indices = g.reduce(&indices, |a, b| a | b);
    blocks.set(g, [if is_turned { start << 16 | end } else { end << 16 | start }, indices]);
}

/// Compresses an image and checks how near it is.
#[host_only]
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The photograph, a PNG file. By default a cat.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/images/chelsea.png"))]
    photograph: PathBuf,
    /// How many rows of it, and columns: multiples of four, by default as many as there are.
    #[arg(long, default_value_t = 1 << 14, value_parser = up_to::<{ 1 << 14 }>)]
    rows: usize,
    #[arg(long, default_value_t = 1 << 14, value_parser = up_to::<{ 1 << 14 }>)]
    cols: usize,
    /// Where to write the compressed image, a DDS file.
    #[arg(short, long, default_value = "compressed.dds")]
    output: PathBuf,
}

/// All ways to part sixteen colours but those with a single part, which fit no line.
#[host_only]
fn ways() -> Vec<Way> {
    let pixels = PIXELS as u32;
    let cuts =
        (0..=pixels).flat_map(|a| (a..=pixels).flat_map(move |b| (b..=pixels).map(move |c| [a, b, c])));
    let mut ways = Vec::new();
    for begins in cuts {
        ways.push(Way { begins, steps: 3 });
        ways.extend((begins[2] == pixels).then_some(Way { begins, steps: 2 }));
    }
    ways.retain(|way| way.part(0) < way.part(pixels - 1));
    ways
}

/// The colours of a block, by the definition of the format.
#[host_only]
fn decode([colors, indices]: [u32; 2]) -> [[u32; 3]; PIXELS] {
    let [a, b] = [colors & 0xffff, colors >> 16].map(|color| {
        let [r, g, b] = [color >> 11, color >> 5 & 63, color & 31];
        [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2]
    });
    let mix = |p: u32, q: u32| std::array::from_fn(|i| (p * a[i] + q * b[i]) / (p + q));
    let is_four = colors & 0xffff > colors >> 16;
    let palette = if is_four { [a, b, mix(2, 1), mix(1, 2)] } else { [a, b, mix(1, 1), [0; 3]] };
    std::array::from_fn(|pixel| palette[(indices >> (2 * pixel) & 3) as usize])
}

#[host_only]
fn distance(a: &[[u32; 3]], b: &[[u32; 3]]) -> u64 {
    let squares =
        a.as_flattened().iter().zip(b.as_flattened()).map(|(&a, &b)| u64::from(a.abs_diff(b).pow(2)));
    squares.sum()
}

/// How far off a block is at best, by trying all ways and measuring each in full.
#[host_only]
fn least_distance(pixels: &[[u32; 3]; PIXELS], ways: &[Way]) -> u64 {
    let mut order: [usize; PIXELS] = std::array::from_fn(|pixel| pixel);
    let colors = pixels.map(|pixel| pixel.map(|x| x as f32 / 255.0));
    let axis = axis(&colors);
    order.sort_by(|&a, &b| dot(colors[a], axis).total_cmp(&dot(colors[b], axis)));
    let sorted = order.map(|pixel| pixels[pixel]);
    let measure = |way: &Way| {
        // Least squares: each colour is a times the one and b times the other.
        let shares = |rank: usize| {
            let b = f64::from(way.part(rank as u32)) / f64::from(way.steps);
            [1.0 - b, b]
        };
        let sum = |of: &dyn Fn(usize) -> f64| (0..PIXELS).map(of).sum::<f64>();
        let [aa, ab, bb] =
            [[0, 0], [0, 1], [1, 1]].map(|[i, j]| sum(&|rank| shares(rank)[i] * shares(rank)[j]));
        let ends = [[bb, -ab], [-ab, aa]].map(|[p, q]| {
            let color = std::array::from_fn(|channel| {
                let of = |rank: usize| f64::from(sorted[rank][channel]) / 255.0;
                let x = sum(&|rank| (p * shares(rank)[0] + q * shares(rank)[1]) * of(rank));
                (x / (aa * bb - ab * ab)) as f32
            });
            rounded(color).0
        });
        let [a, b] = ends.map(|color| decode([color, 0])[0]);
        let mix = |part: u32| std::array::from_fn(|i| ((way.steps - part) * a[i] + part * b[i]) / way.steps);
        distance(&std::array::from_fn::<_, PIXELS, _>(|rank| mix(way.part(rank as u32))), &sorted)
    };
    ways.iter().map(measure).min().unwrap_or(0)
}

#[host_only]
fn main() -> anyhow::Result<()> {
    let Sample { options, device, stream, report } = Sample::<Options>::begin("dxtc")?;
    let Options { photograph, rows, cols, output } = options;
    let image = read_png(&photograph)?.into_rgba8();
    let (rows, cols) = ((image.height() as usize).min(rows) / 4, (image.width() as usize).min(cols) / 4);
    ensure!(rows > 0 && cols > 0, "the image has no block of 4 by 4 pixels");

    let (pixels, _) = image.as_raw().as_chunks::<4>();
    let input = stream.upload_matrix(image.height() as usize, image.width() as usize, pixels)?;
    let ways = ways();
    let uploaded = stream.upload(&ways)?;
    let mut blocks = stream.alloc_zeroed(rows * cols)?;
    let kernel = compress::load(&device)?;
    let config = LaunchConfig::grid(rows * cols, THREADS);
    let timing =
        Timing::of(&stream, || kernel.launch(&stream, config, (cols, &input, &uploaded, &mut blocks)))?;
    report.timed(format_args!("{} blocks", rows * cols), timing, "pixels", rows * cols * PIXELS)?;

    let blocks = stream.download(&blocks)?;
    // A value's distance from another, on average over a block or the image.
    let mean = |squares: u64, blocks: usize| (squares as f64 / (blocks * PIXELS * 3) as f64).sqrt();
    let (mut off, mut of_some, mut best, mut some) = (0, 0, 0, 0);
    for (number, &block) in blocks.iter().enumerate() {
        let [row, col] = [number / cols * 4, number % cols * 4];
        let at = |pixel: usize| pixels[(row + pixel / 4) * image.width() as usize + col + pixel % 4];
        let pixels = std::array::from_fn(|pixel| [0, 1, 2].map(|channel| u32::from(at(pixel)[channel])));
        let found = distance(&decode(block), &pixels);
        off += found;
        if number % blocks.len().div_ceil(256) == 0 {
            // Decoded values are whole ones, less than one below those that the kernel thinks of: twice that is all it can lose.
            let least = least_distance(&pixels, &ways);
            let [is_off, at_best] = [found, least].map(|squares| mean(squares, 1));
            ensure!(is_off <= at_best + 2.0, "block {number} is off by {is_off}, not by {at_best}");
            (of_some, best, some) = (of_some + found, best + least, some + 1);
        }
    }
    let [of_all, of_some, best] = [mean(off, blocks.len()), mean(of_some, some), mean(best, some)];
    report.row("image", format_args!("off by {of_all:.2} of 255"))?;
    report.row("checked", format_args!("{some} blocks, off by {of_some:.3}, at best by {best:.3}"))?;

    let mut file = vec![0; 32];
    let size = 8 * blocks.len() as u32;
    // The magic number, sizes, flags that say which fields count, and at the end that it is a texture.
    file[..6].copy_from_slice(&[0x2053_4444, 124, 0x8_1007, 4 * rows as u32, 4 * cols as u32, size]);
    file[19..22].copy_from_slice(&[32, 4, u32::from_le_bytes(*b"DXT1")]);
    file[27] = 0x1000;
    file.extend_from_slice(blocks.as_flattened());
    let bytes: Vec<u8> = file.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&output, bytes).with_context(|| format!("can't write {}", output.display()))?;
    report.row("file", output.display())
}
