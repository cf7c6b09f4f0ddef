//! scratch
use std::hint::black_box;
use std::time::Instant;
use gridwright::prelude::*;
use rayon::prelude::*;
#[allow(dead_code)]
#[path = "../src/bin/sobel.rs"]
mod sobel;

#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}
#[gpu_kernel]
fn nothing(_t: Thread) {}

macro_rules! isas { ($go:ident $base:ident $avx2:ident ($($p:ident: $t:ty),*) $body:block) => {
    #[inline(always)] fn $base($($p:$t),*) $body
    #[inline(never)] #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")] fn $avx2($($p:$t),*) { $base($($p),*) }
    fn $go($($p:$t),*) { unsafe { $avx2($($p),*) } }
} }
isas!(hand_saxpy s1 s2 (a: f32, x: &[f32], y: &mut [f32]) { for (y, x) in y.iter_mut().zip(x) { *y = a.mul_add(*x, *y) } });
isas!(hand_row r1 r2 (above: &[u8], here: &[u8], below: &[u8], out: &mut [u8]) {
    let n = out.len();
    let (above, here, below) = (&above[..n], &here[..n], &below[..n]);
    let pixel = |l: usize, c: usize, r: usize| {
        let at = |row: &[u8], i: usize| i16::from(row[i]);
        let gx = (at(above, r) + 2 * at(here, r) + at(below, r)) - (at(above, l) + 2 * at(here, l) + at(below, l));
        let gy = (at(below, l) + 2 * at(below, c) + at(below, r)) - (at(above, l) + 2 * at(above, c) + at(above, r));
        (gx.abs() + gy.abs()).min(255) as u8
    };
    out[0] = 0; out[n-1] = 0;
    for c in 1..n - 1 { out[c] = pixel(c - 1, c, c + 1); }
});
fn best(mut f: impl FnMut(), n: usize) -> f64 { let mut b = f64::MAX; for _ in 0..n { let t = Instant::now(); f(); b = b.min(t.elapsed().as_secs_f64()); } b }
fn main() {
    let device = Device::cpu().unwrap();
    let stream = device.stream().unwrap();
    let k = nothing::load(&device).unwrap();
    for n in [1, 256, 1024] {
        let t = Instant::now();
        for _ in 0..10000 { k.launch(&stream, LaunchConfig::threads(n), ()).unwrap(); stream.synchronize().unwrap(); }
        println!("empty {n}: {:.0} ns", t.elapsed().as_secs_f64() * 1e5);
    }
    let t = Instant::now();
    for _ in 0..10000 { rayon::join(|| black_box(1), || black_box(2)); }
    println!("rayon join from outside {:.0} ns", t.elapsed().as_secs_f64() * 1e5);
    let k = saxpy::load(&device).unwrap();
    for n in [1usize << 15, 1 << 24] {
        let x = vec![1f32; n]; let mut y = vec![2f32; n];
        let xb = stream.upload(&x).unwrap(); let mut yb = stream.upload(&y).unwrap();
        let reps = if n > 1 << 20 { 9 } else { 5000 };
        for _ in 0..4 {
            let h = best(|| y.par_chunks_mut(n.div_ceil(2).min(1<<16)).zip(x.par_chunks(n.div_ceil(2).min(1<<16))).for_each(|(y, x)| hand_saxpy(3.0, x, y)), reps);
            let s = best(|| hand_saxpy(3.0, &x, &mut y), reps);
            let g = best(|| { k.launch(&stream, LaunchConfig::threads(n), (3.0, &xb, &mut yb)).unwrap(); stream.synchronize().unwrap() }, reps);
            println!("saxpy {n}: rayon {:.1} µs, serial {:.1}, ours {:.1}, ratio {:.2}", h * 1e6, s * 1e6, g * 1e6, h / g);
        }
    }
    let k = sobel::sobel::load(&device).unwrap();
    for (rows, cols) in [(300, 451), (2048, 2048)] {
        let img: Vec<u8> = (0..rows * cols).map(|i| (i * 7919 % 251) as u8).collect();
        let xb = stream.upload_matrix(rows, cols, &img).unwrap(); let mut yb = stream.alloc_matrix_zeroed::<u8>(rows, cols).unwrap();
        let mut out = vec![0u8; rows * cols];
        for _ in 0..4 {
            let h = best(|| out.par_chunks_mut(cols).enumerate().for_each(|(r, out)| if r > 0 && r + 1 < rows { hand_row(&img[(r - 1) * cols..][..cols], &img[r * cols..][..cols], &img[(r + 1) * cols..][..cols], out) }), 20);
            let g = best(|| { k.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&xb, &mut yb)).unwrap(); stream.synchronize().unwrap() }, 20);
            println!("sobel {rows}x{cols}: rayon {:.1} µs, ours {:.1}, ratio {:.2}", h * 1e6, g * 1e6, h / g);
        }
    }
}
