//! Where an access to a surface goes, and what becomes of one beyond its edges.

use super::Surface;

/// What an instruction says of places beyond the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// The launch ends.
    Trap,
    /// The nearest place is accessed.
    Clamp,
    /// Zeros are read, and nothing is written.
    Zero,
}

/// Bytes in a surface: a column that counts bytes, a row, and a plane or layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SurfacePlace {
    pub(crate) column: u64,
    pub(crate) row: u32,
    pub(crate) plane: u32,
}

/// Why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Outside,
    /// The column isn't a multiple of the size.
    Misaligned,
}

impl Surface {
    /// The place of an access of so many bytes. The column counts bytes; none is where an access beyond the edges does nothing.
    pub(crate) fn place(
        &self,
        [x, y, z]: [i64; 3],
        bytes: u32,
        beyond: Beyond,
    ) -> Result<Option<SurfacePlace>, Refused> {
        let row = self.texels.row_bytes(self.format) as i64;
        let [_, height, depth] = self.texels.extent.map(i64::from);
        let bytes = i64::from(bytes);
        // As far as whole accesses go.
        let most = [(row / bytes - 1) * bytes, height - 1, depth - 1];
        if row < bytes {
            return Err(Refused::Outside);
        }
        let mut at = [x, y, z];
        for (at, most) in at.iter_mut().zip(most) {
            if !(0..=most).contains(at) {
                match beyond {
                    Beyond::Trap => return Err(Refused::Outside),
                    Beyond::Clamp => *at = (*at).clamp(0, most),
                    Beyond::Zero => return Ok(None),
                }
            }
        }
        if at[0] % bytes != 0 {
            return Err(Refused::Misaligned);
        }
        Ok(Some(SurfacePlace { column: at[0] as u64, row: at[1] as u32, plane: at[2] as u32 }))
    }
}
