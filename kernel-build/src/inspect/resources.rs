use std::collections::BTreeMap;

use gridwright_image::ImageError;
use gridwright_image::code_object::CodeObject;
use gridwright_image::occupancy::Usage;

/// What a kernel takes of a device, as its machine code says.
///
/// # From CUDA
/// What `ptxas -v` says: `-Xptxas -v` of `nvcc`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resources {
    /// Registers of 32 bits of a thread; of AMD's, vector registers.
    pub registers: u32,
    /// Scalar registers of a wave; NVIDIA's have none that count.
    pub scalar_registers: Option<u32>,
    /// Bytes of workgroup memory that are in the image. What a launch sets the size of isn't counted: of Gridwright's own kernels that
    /// is all of it.
    pub workgroup_bytes: u32,
    /// Bytes of a thread's local memory, its stack.
    pub local_bytes: u32,
    /// Bytes, or of AMD's registers, that had to go to local memory for lack of registers.
    pub spills: u32,
    /// The most threads of a workgroup, if the image says.
    pub most_threads: Option<u32>,
    /// Threads of a wave, if the image says.
    pub wave: Option<u32>,
}

impl Resources {
    /// The resources of each kernel of a code object, by name.
    ///
    /// # Errors
    /// Bytes that are no code object.
    ///
    /// ```no_run
    /// use gridwright_build::inspect::Resources;
    ///
    /// let resources = Resources::of_code_object(&std::fs::read("bin-hello.gfx942.hsaco")?)?;
    /// println!("{} vector registers", resources["saxpy"].registers);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_code_object(bytes: &[u8]) -> Result<BTreeMap<String, Self>, ImageError> {
        let kernels = CodeObject::read(bytes)?.kernels.into_iter();
        let resources = kernels.map(|kernel| {
            let resources = Self {
                registers: kernel.vgpr_count,
                scalar_registers: Some(kernel.sgpr_count),
                workgroup_bytes: kernel.group_segment_fixed_size,
                local_bytes: kernel.private_segment_fixed_size,
                spills: kernel.vgpr_spill_count.saturating_add(kernel.sgpr_spill_count),
                most_threads: Some(kernel.max_flat_workgroup_size),
                wave: Some(kernel.wavefront_size),
            };
            (kernel.name, resources)
        });
        Ok(resources.collect())
    }

    /// What a workgroup of so many threads takes, with bytes of workgroup memory beside those of the image.
    ///
    /// ```
    /// use gridwright_build::inspect::Resources;
    ///
    /// assert_eq!(Resources::default().usage(256, 1024).workgroup_bytes, 1024);
    /// ```
    pub fn usage(&self, threads: u32, workgroup_bytes: u32) -> Usage {
        Usage {
            threads,
            registers: self.registers,
            scalar_registers: self.scalar_registers.unwrap_or(0),
            workgroup_bytes: self.workgroup_bytes.saturating_add(workgroup_bytes),
        }
    }
}
