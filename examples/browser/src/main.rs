//! A part of the Mandelbrot set by a kernel, as a picture in the format PPM on the standard output.
//!
//! Compiled for WebAssembly, a page of the book runs it: `cargo xtask test --step wasm`. As any program it makes the same picture.

use std::error::Error;
use std::io::{self, Write};

use gridwright::prelude::*;

/// The part of the plane: the point in its left upper corner, and the distance of its pixels.
#[derive(Clone, Copy, KernelArg)]
#[repr(C)]
struct View {
    left: f32,
    top: f32,
    step: f32,
}

/// How often a point is moved before it counts as one of the set.
const MOST: u32 = 200;

/// How many steps z² + c takes to run away, by which each pixel gets its colour.
#[gpu_kernel(block = (32, 8))]
fn mandelbrot(g: &Group, view: View, mut pixels: PerThread<Matrix<[u8; 3]>>) {
    let [mut x, mut y] = [g.private(0.0_f32), g.private(0.0_f32)];
    let mut steps = g.private(0_u32);
    g.each_while_up_to(MOST, (&mut x, &mut y, &mut steps), |t, (x, y, steps)| {
        let [left, top] = [t.col() as f32 * view.step + view.left, view.top - t.row() as f32 * view.step];
        let is_near = *x * *x + *y * *y <= 4.0;
        if is_near {
            [*x, *y] = [*x * *x - *y * *y + left, 2.0 * *x * *y + top];
            *steps += 1;
        }
        is_near
    });
    g.each((&steps, pixels.elements_mut()), |_, (steps, pixel)| {
        if let Some(pixel) = pixel {
            let far = 1.0 - *steps as f32 / MOST as f32;
            let far = far * far * far * far;
            let bright = if *steps == MOST { 0.0 } else { 1.0 - far * far };
            *pixel = [(255.0 * bright * bright) as u8, (215.0 * bright) as u8, (60.0 + 120.0 * bright) as u8];
        }
    });
}

#[host_only]
fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f32> = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let (rows, cols, x, y, height) = match numbers[..] {
        [] => (240, 320, -0.6, 0.0, 2.4),
        [rows, cols, x, y, height] if rows >= 1.0 && cols >= 1.0 => {
            (rows as usize, cols as usize, x, y, height)
        }
        _ => {
            return Err(
                "five numbers: rows and columns of the picture, the point in its middle, and its height"
                    .into(),
            );
        }
    };
    let device = Device::from_env()?;
    let stream = device.stream()?;
    let step = height / rows as f32;
    let view = View { left: x - step * cols as f32 / 2.0, top: y + height / 2.0, step };
    let mut pixels = stream.alloc_matrix_zeroed::<[u8; 3]>(rows, cols)?;
    mandelbrot::load(&device)?.launch(&stream, LaunchConfig::for_matrix(rows, cols), (view, &mut pixels))?;

    let mut output = io::stdout().lock();
    write!(output, "P6\n{cols} {rows}\n255\n")?;
    output.write_all(stream.download(&pixels)?.as_flattened())?;
    Ok(output.flush()?)
}
