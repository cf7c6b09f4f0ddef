//! Textures on NVIDIA: the hardware's, by the numbers of the driver's objects.

use core::arch::asm;

use gridwright_core::{FormatKind, Texel};

use crate::texture::{Dimension, Form, software};

/// The numbers of the driver's objects.
#[derive(Clone, Copy, Debug)]
pub struct Texels {
    /// The texture that is sampled as the host said; of a surface the surface.
    sampled: u64,
    /// The texture of the same texels, unfiltered, at coordinates that count them.
    fetched: u64,
}

/// How a texture reaches an entry.
pub type TexelsArgument<'a> = u64;

/// How a surface reaches an entry.
pub type SurfaceArgument = u64;

impl Texels {
    /// The texels of what an entry got.
    #[inline(always)]
    pub(crate) fn of_argument(sampled: TexelsArgument<'_>, fetched: u64) -> Self {
        Self { sampled, fetched }
    }

    /// The texels of what an entry got for a surface.
    #[inline(always)]
    pub(crate) fn of_surface(surface: SurfaceArgument) -> Self {
        Self { sampled: surface, fetched: 0 }
    }
}

/// The `tex` of a dimension, for floats and integers with and without a sign. The texture isn't written while a kernel reads it, and
/// the level of detail isn't asked of the threads beside this one: it depends on its operands only.
macro_rules! tex {
    ($kind:expr, $dimension:literal, $coordinates:literal, $texture:expr, $($operand:tt)*) => {
        match $kind {
            kind if kind.is_read_as_float() => tex!(one $dimension ".v4.f32.f32", $coordinates, $texture, $($operand)*),
            FormatKind::Signed => tex!(one $dimension ".v4.s32.f32", $coordinates, $texture, $($operand)*),
            _ => tex!(one $dimension ".v4.u32.f32", $coordinates, $texture, $($operand)*),
        }
    };
    (one $dimension:literal $types:literal, $coordinates:literal, $texture:expr, $($operand:tt)*) => {{
        let (a, b, c, d): (u32, u32, u32, u32);
        asm!(
            concat!("tex.", $dimension, $types, " {{{a}, {b}, {c}, {d}}}, [{texture}, ", $coordinates, "];"),
            a = out(reg32) a,
            b = out(reg32) b,
            c = out(reg32) c,
            d = out(reg32) d,
            texture = in(reg64) $texture,
            $($operand)*,
            options(pure, nomem, nostack, preserves_flags),
        );
        [a, b, c, d]
    }};
}

#[inline(always)]
unsafe fn read<T: Texel, D: Dimension>(texture: u64, layer: u32, [x, y, z]: [f32; 3]) -> T::Value {
    let kind = T::FORMAT.kind;
    // SAFETY: `sample` and `fetch`, its callers, ask for such a texture, which nobody writes; any coordinates give texels, or
    // zeros.
    let registers = unsafe {
        match (D::AXES, D::IS_LAYERED) {
            (1, _) => tex!(kind, "1d", "{{{x}}}", texture, x = in(reg32) x),
            (2, false) => tex!(kind, "2d", "{{{x}, {y}}}", texture, x = in(reg32) x, y = in(reg32) y),
            (2, true) => tex!(
                kind, "a2d", "{{{layer}, {x}, {y}, {y}}}", texture,
                layer = in(reg32) layer, x = in(reg32) x, y = in(reg32) y
            ),
            _ => tex!(
                kind, "3d", "{{{x}, {y}, {z}, {z}}}", texture,
                x = in(reg32) x, y = in(reg32) y, z = in(reg32) z
            ),
        }
    };
    T::from_registers(registers)
}

/// The value at float coordinates of a layer.
///
/// # Safety
/// The objects are of a texture of this kind, which nobody writes meanwhile.
#[inline(always)]
pub(crate) unsafe fn sample<T: Texel, D: Dimension>(
    texels: Texels,
    _: Form,
    layer: u32,
    at: [f32; 3],
) -> T::Value {
    // SAFETY: the texture is of this kind, and nobody writes it meanwhile, as this function asks.
    unsafe { read::<T, D>(texels.sampled, layer, at) }
}

/// A texel, or beyond the edges what takes its place.
///
/// The index is resolved here and the middle of the texel sampled, which gives it exactly: there are fewer than 2²³ on an
/// axis. What the hardware makes of integer coordinates beyond the edges isn't documented.
///
/// # Safety
/// As for [`sample`].
#[inline(always)]
pub(crate) unsafe fn fetch<T: Texel, D: Dimension>(
    texels: Texels,
    form: Form,
    layer: u32,
    index: [i32; 3],
) -> T::Value {
    let Some(index) = software::inside::<D>(form, index) else {
        return T::Value::default();
    };
    // SAFETY: the texture is of this kind, and nobody writes it meanwhile, as this function asks.
    unsafe { read::<T, D>(texels.fetched, layer, index.map(|at| at as f32 + 0.5)) }
}

/// The `sust` of a dimension, for texels of 1 to 16 bytes.
macro_rules! sust {
    ($bytes:expr, $words:expr, $dimension:literal, $coordinates:literal, $surface:expr, $($operand:tt)*) => {{
        let [a, b, c, d] = $words;
        match $bytes {
            1 => sust!(one $dimension ".b8", $coordinates, "{a}", $surface, $($operand)*, a = in(reg32) a),
            2 => sust!(one $dimension ".b16", $coordinates, "{a}", $surface, $($operand)*, a = in(reg16) a as u16),
            4 => sust!(one $dimension ".b32", $coordinates, "{a}", $surface, $($operand)*, a = in(reg32) a),
            8 => sust!(
                one $dimension ".v2.b32", $coordinates, "{a}, {b}", $surface, $($operand)*, a = in(reg32) a, b = in(reg32) b
            ),
            _ => sust!(
                one $dimension ".v4.b32", $coordinates, "{a}, {b}, {c}, {d}", $surface, $($operand)*,
                a = in(reg32) a, b = in(reg32) b, c = in(reg32) c, d = in(reg32) d
            ),
        }
    }};
    (one $dimension:literal $type:literal, $coordinates:literal, $values:literal, $surface:expr, $($operand:tt)*) => {
        asm!(
            concat!("sust.b.", $dimension, $type, ".trap [{surface}, ", $coordinates, "], {{", $values, "}};"),
            surface = in(reg64) $surface,
            $($operand)*,
            options(nostack, preserves_flags),
        )
    };
}

/// Writes a texel.
///
/// # Safety
/// The surface has as many texels as `extent` says, `place` is among them, and nobody else accesses that one meanwhile.
#[inline(always)]
pub(crate) unsafe fn store<T: Texel, D: Dimension>(
    texels: Texels,
    _: [u32; 3],
    [col, y, z]: [u32; 3],
    value: T,
) {
    let mut words = [0_u32; 4];
    let bytes = size_of::<T>();
    // SAFETY: a texel has at most 16 bytes, which are plain.
    unsafe { (&raw mut words).cast::<T>().write(value) };
    // A column is counted in bytes.
    let x = col * bytes as u32;
    // SAFETY: the place is among the surface's texels, and nobody else accesses that one meanwhile, as this function asks.
    unsafe {
        match (D::AXES, D::IS_LAYERED) {
            (1, _) => sust!(bytes, words, "1d", "{{{x}}}", texels.sampled, x = in(reg32) x),
            (2, false) => {
                sust!(bytes, words, "2d", "{{{x}, {y}}}", texels.sampled, x = in(reg32) x, y = in(reg32) y)
            }
            (2, true) => sust!(
                bytes, words, "a2d", "{{{z}, {x}, {y}, {y}}}", texels.sampled,
                x = in(reg32) x, y = in(reg32) y, z = in(reg32) z
            ),
            _ => sust!(
                bytes, words, "3d", "{{{x}, {y}, {z}, {z}}}", texels.sampled,
                x = in(reg32) x, y = in(reg32) y, z = in(reg32) z
            ),
        }
    }
}
