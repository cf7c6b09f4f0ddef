//! What texels are made of, and the bytes that registers become.

use half::f16;

/// What the numbers of a texel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TexelKind {
    /// Integers without a sign.
    Unsigned,
    /// Integers with a sign.
    Signed,
    /// Floats, of 16 or 32 bits.
    Float,
    /// Floats from 0 to 1, which integers without a sign stand for.
    UnsignedNormalized,
    /// Floats from -1 to 1, which integers with a sign stand for.
    SignedNormalized,
}

/// The numbers of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TexelFormat {
    /// What the numbers are.
    pub texel: TexelKind,
    /// Bits of each number: 8, 16 or 32.
    pub bits: u32,
    /// How many numbers a texel has: 1, 2 or 4.
    pub channels: u32,
}

impl TexelFormat {
    /// Bytes of a texel.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.bits / 8 * self.channels
    }

    pub(crate) fn is_known(&self) -> bool {
        let bits = match self.texel {
            TexelKind::Unsigned | TexelKind::Signed => matches!(self.bits, 8 | 16 | 32),
            TexelKind::Float => matches!(self.bits, 16 | 32),
            TexelKind::UnsignedNormalized | TexelKind::SignedNormalized => matches!(self.bits, 8 | 16),
        };
        bits && matches!(self.channels, 1 | 2 | 4)
    }

    /// The bytes of a texel that registers stand for: floats where the format has floats, and else integers of the format's sign,
    /// the nearest that it has. Channels without a register are zeros.
    pub(crate) fn bytes_of(&self, registers: &[u32]) -> [u8; 16] {
        let mut bytes = [0; 16];
        let size = self.bits as usize / 8;
        let channels = bytes.chunks_exact_mut(size).take(self.channels as usize);
        for (channel, &register) in channels.zip(registers) {
            let float = f32::from_bits(register);
            let most = |bits: u32| (1_u64 << bits) - 1;
            let number = match self.texel {
                TexelKind::Unsigned => u64::from(register).min(most(self.bits)) as u32,
                TexelKind::Signed => {
                    let most = most(self.bits - 1) as i64;
                    i64::from(register as i32).clamp(-most - 1, most) as u32
                }
                TexelKind::Float if self.bits == 16 => f16::from_f32(float).to_bits().into(),
                TexelKind::Float => register,
                // No number is zero.
                TexelKind::UnsignedNormalized => {
                    (float.clamp(0.0, 1.0) * most(self.bits) as f32).round_ties_even() as u32
                }
                TexelKind::SignedNormalized => {
                    let most = most(self.bits - 1) as f32;
                    (float.clamp(-1.0, 1.0) * most).round_ties_even() as i32 as u32
                }
            };
            channel.copy_from_slice(&number.to_le_bytes()[..size]);
        }
        bytes
    }
}
