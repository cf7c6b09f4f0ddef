#[test]
fn scratch_gives_pieces_that_do_not_overlap_and_takes_them_back() {
    let mut scratch = super::scratch::Scratch::default();
    for _ in 0..3 {
        let mut pieces: Vec<_> = (1..200)
            .map(|n| {
                let piece = scratch.take::<u64>(n);
                assert_eq!(piece.as_ptr() as usize % 64, 0);
                (piece, n)
            })
            .collect();
        let mut ranges: Vec<_> = pieces
            .iter()
            .map(|&(piece, n)| (piece.as_ptr() as usize, piece.as_ptr() as usize + 8 * n))
            .collect();
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        // SAFETY: each came from `take` just now, and goes back once.
        pieces.drain(..).for_each(|(piece, n)| unsafe { scratch.give_back(piece, n) });
        scratch.reset();
    }
}

#[test]
fn a_piece_that_was_given_back_is_the_next_of_its_size() {
    let scratch = super::scratch::Scratch::default();
    let [piece, _behind] = [scratch.take::<f32>(256), scratch.take::<f32>(1)];
    // SAFETY: it came from `take`, and nobody uses it.
    unsafe { scratch.give_back(piece, 256) };
    assert_ne!(scratch.take::<f32>(512), piece);
    assert_eq!(scratch.take::<f32>(250), piece);
}

#[test]
fn the_last_piece_leaves_its_place_when_it_is_given_back() {
    let scratch = super::scratch::Scratch::default();
    for n in [1, 300, 70_000, 16, 500_000] {
        let before = scratch.take::<u64>(n);
        // SAFETY: it came from `take`, and nobody uses it.
        unsafe { scratch.give_back(before, n) };
        assert_eq!(scratch.take::<u64>(n), before);
    }
}

#[test]
fn a_bit_of_a_mask_is_set_for_each_value_that_is_true() {
    for len in 0..=64 {
        for multiple in [1, 2, 3, 7, 64] {
            let values: Vec<bool> = (0..len).map(|lane| lane % multiple == 0).collect();
            let naive =
                (0..len).filter(|lane| lane % multiple == 0).fold(0, |mask, lane| mask | 1_u64 << lane);
            assert_eq!(super::lane_loops::bits(&values), naive, "{len} values, each {multiple}th true");
        }
    }
}
