//! Elements on their own, and by their numbers.

use crate::cpu::gather::{IndexError, scatter};
use crate::cpu::map::{adjacent_difference, collect, fill, generate};
use crate::cpu::testing::{Random, all_workers};

#[test]
fn each_place_is_written() {
    let mut random = Random::new(50);
    for _ in 0..60 {
        let len = random.len();
        let elements = random.vec(len, |bits| bits as u32);
        for workers in all_workers() {
            let mut out = vec![7; len];
            // SAFETY: as many as there are.
            unsafe { collect(workers, &elements[..], &mut out) };
            assert!(out == elements);
            // SAFETY: as above.
            unsafe { adjacent_difference(workers, &elements[..], &mut out, u32::wrapping_sub) };
            assert!((1..len).all(|i| out[i] == elements[i].wrapping_sub(elements[i - 1])));
            assert_eq!(out.first(), elements.first());
            fill(workers, &mut out, 9);
            assert!(out.iter().all(|&x| x == 9));
            generate(workers, &mut out, |i| 3 * i as u32);
            assert!(out.iter().enumerate().all(|(i, &x)| x == 3 * i as u32));
        }
    }
}

fn permutation(random: &mut Random, len: usize) -> Vec<u32> {
    let mut indices: Vec<_> = (0..len as u32).collect();
    for i in (1..len).rev() {
        indices.swap(i, random.below(i + 1));
    }
    indices
}

#[test]
fn elements_are_scattered() {
    let mut random = Random::new(51);
    for _ in 0..40 {
        let len = random.len();
        let elements = random.vec(len, |bits| bits as u32);
        let indices = permutation(&mut random, len);
        let repeated: Vec<_> = indices.iter().map(|index| index / 2).collect();
        for workers in all_workers() {
            let out: Vec<_> = indices.iter().map(|&i| elements[i as usize]).collect();
            for distinct in [false, true] {
                let mut back = vec![7; len];
                // SAFETY: as many as there are.
                assert_eq!(unsafe { scatter(workers, &out[..], &indices, &mut back, distinct) }, Ok(()));
                assert!(back == elements);
            }
            // The last of several stays.
            let (mut expected, mut back) = (vec![7; len], vec![7; len]);
            for (i, &index) in repeated.iter().enumerate() {
                expected[index as usize] = elements[i];
            }
            // SAFETY: as above.
            assert_eq!(unsafe { scatter(workers, &elements[..], &repeated, &mut back, false) }, Ok(()));
            assert!(back == expected);
        }
    }
}

#[test]
fn indices_that_are_none_are_refused_before_anything_is_written() {
    let elements = vec![1_u32; 100_000];
    for workers in all_workers() {
        let mut indices: Vec<u64> = (0..100_000).collect();
        (indices[70_000], indices[90_000]) = (1 << 40, 100_000);
        let mut out = vec![7; 100_000];
        let error = Err(IndexError::OutOfBounds { place: 70_000, index: 1 << 40 });
        // SAFETY: as many as there are.
        assert_eq!(unsafe { scatter(workers, &elements[..], &indices, &mut out, true) }, error);
        (indices[70_000], indices[90_000]) = (3, 70_001);
        let error = Err(IndexError::Repeated { place: 70_000, index: 3 });
        // SAFETY: as above.
        assert_eq!(unsafe { scatter(workers, &elements[..], &indices, &mut out, true) }, error);
        assert!(out.iter().all(|&x| x == 7));
    }
}
