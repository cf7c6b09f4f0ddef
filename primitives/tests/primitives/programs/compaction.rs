//! Particles that are left, one behind the other.

// ANCHOR: program
use gridwright::prelude::*;
use gridwright_primitives as primitives;
#[host_only]
use gridwright_primitives::Error;
use gridwright_primitives::If;
use gridwright_primitives::source::Slice;

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub struct Particle {
    place: [f32; 3],
    age: f32,
}

operator! {
    /// Whether a particle isn't too old.
    pub struct IsYounger { than: f32 } = |particle: Particle| -> bool { particle.age < than };
}

/// Stands for this crate's instances.
pub struct Particles;

instance! { impl primitives::Select<Slice<Particle>, If<IsYounger>> for Particles; }

#[host_only]
pub(crate) fn run(stream: &Stream) -> Result<(), Error> {
    let particles: Vec<_> = (0..10_000_u16)
        .map(|i| Particle { place: [f32::from(i), 0.0, 0.0], age: f32::from(i % 100) })
        .collect();
    let all = stream.upload(&particles)?;
    let mut left = stream.alloc_zeroed(all.len())?;
    let p = primitives::on(stream).with_kernels::<Particles>();
    let count = p.select(&all, IsYounger { than: 30.0 }, &mut left)?;

    assert_eq!(count, 3000);
    let expected: Vec<_> = particles.into_iter().filter(|particle| particle.age < 30.0).collect();
    assert_eq!(stream.download(&left.slice(..count)?)?, expected);
    Ok(())
}
// ANCHOR_END: program
