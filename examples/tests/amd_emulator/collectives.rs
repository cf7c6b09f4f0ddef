//! What groups compute of all their threads' values, in groups that end within a wave.

use gridwright::prelude::*;

/// The map x ↦ a·x + b with `a` in the upper half and `b` in the lower one; this one changes nothing.
const IDENTITY: u32 = 1 << 16;

/// One map after another: associative, and not commutative.
fn then(first: u32, second: u32) -> u32 {
    let (a, b, c, d) = (first >> 16, first & 0xffff, second >> 16, second & 0xffff);
    c.wrapping_mul(a) << 16 | (c.wrapping_mul(b).wrapping_add(d)) & 0xffff
}

#[gpu_kernel]
fn scanned(g: &Group, x: &[u32], mut inclusive: PerThread<[u32]>, mut exclusive: PerThread<[u32]>) {
    let values = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(IDENTITY));
    let up_to = g.scan_inclusive(&values, then);
    let before = g.scan_exclusive(&values, IDENTITY, then);
    g.each(
        (&up_to, inclusive.elements_mut(), &before, exclusive.elements_mut()),
        |_, (up_to, i, before, e)| {
            if let (Some(i), Some(e)) = (i, e) {
                (*i, *e) = (*up_to, *before);
            }
        },
    );
}

/// The order is the device's choice: of what isn't commutative only that all threads get the same.
#[gpu_kernel]
fn reduced(g: &Group, x: &[u32], mut products: PerThread<[u32]>, mut agree: PerThread<[u32]>) {
    let values = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(IDENTITY));
    let product = g.reduce(&values, u32::wrapping_mul);
    let any = g.reduce(&values, then);
    let seen = g.map((), |_, ()| any);
    let of_the_last = g.broadcast(&seen, g.len() - 1);
    let all_agree = g.all(&g.map(&seen, |_, seen| *seen == of_the_last));
    g.each((products.elements_mut(), agree.elements_mut()), |_, (product_of, agree)| {
        if let (Some(product_of), Some(agree)) = (product_of, agree) {
            (*product_of, *agree) = (product, u32::from(all_agree));
        }
    });
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::{reduced, scanned};
    use crate::emulator::Emulator;
    use crate::examples::cpu;
    use gridwright::__private::{Signature, load};
    use gridwright::prelude::*;

    type Parameters = (&'static [u32], PerThread<'static, [u32]>, PerThread<'static, [u32]>);

    fn compare<K: Signature<Params = Parameters, Sizes = ()>>(expected: impl Fn(&[u32], &[u32])) {
        let Some(mut emulator) = Emulator::<K>::start() else { return };
        for block in [1_usize, 33, 65, 1000, 1024] {
            // Odd factors, so that no product is zero.
            let odd = |i: usize| (i as u32).wrapping_mul(2_654_435_761) | 1 << 16 | 1;
            let x: Vec<u32> = (0..(2 * block).saturating_sub(7).max(1)).map(odd).collect();
            let out = vec![77_u32; 2 * block];
            let config = LaunchConfig::grid(2, block);
            let on_the_cpu = || {
                let (device, stream) = cpu()?;
                let (x, mut first, mut second) =
                    (stream.upload(&x)?, stream.upload(&out)?, stream.upload(&out)?);
                load::<K>(&device)?.launch(&stream, config, (&x, &mut first, &mut second))?;
                let (first, second) = (stream.download(&first)?, stream.download(&second)?);
                expected(&first, &second);
                Ok([first, second])
            };
            emulator.compare(config, on_the_cpu, |memory| {
                let (first, second) = (memory.slice(&out), memory.slice(&out));
                ((memory.slice(&x), first, second), [first.pointer, second.pointer])
            });
        }
    }

    #[test]
    fn scans_of_uneven_groups_keep_the_order_and_give_the_values_that_they_give_on_the_cpu() {
        compare::<scanned>(|inclusive, exclusive| assert_ne!(inclusive, exclusive));
    }

    #[test]
    fn reductions_of_uneven_groups_give_all_threads_the_value_that_they_give_on_the_cpu() {
        compare::<reduced>(|_, agree| assert!(agree.iter().all(|agree| *agree == 1)));
    }
}
