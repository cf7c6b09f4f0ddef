/// Numbers that look random, by the linear congruential generator of "Numerical Recipes". Their upper bits look it most.
///
/// ```
/// let mut next = gridwright_examples::noise(1);
/// assert_eq!([next(), next()], [1_015_568_748, 1_586_005_467]);
/// ```
pub fn noise(seed: u32) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    }
}

/// As many numbers as asked for, all different, that look random: multiples of a number near 2³² over the golden ratio.
///
/// ```
/// assert!(gridwright_examples::scattered(3).eq([0, 2_654_435_761, 1_013_904_226]));
/// ```
pub fn scattered(len: usize) -> impl Iterator<Item = u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761))
}
