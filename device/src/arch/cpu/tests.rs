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
    let piece = scratch.take::<f32>(256);
    // SAFETY: it came from `take`, and nobody uses it.
    unsafe { scratch.give_back(piece, 256) };
    assert_ne!(scratch.take::<f32>(512), piece);
    assert_eq!(scratch.take::<f32>(250), piece);
}
