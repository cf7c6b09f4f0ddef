/// How often a phase that repeats may call a thread.
pub trait Turns: Copy {
    /// Takes one turn, if there is one.
    fn take_one(&mut self) -> bool;
}

/// Turns as often as the thread asks for.
#[derive(Clone, Copy, Debug)]
pub struct Endless;

impl Turns for Endless {
    #[inline(always)]
    fn take_one(&mut self) -> bool {
        true
    }
}

/// At most as many turns as the number says.
impl Turns for u32 {
    #[inline(always)]
    fn take_one(&mut self) -> bool {
        let left = self.checked_sub(1);
        *self = left.unwrap_or(0);
        left.is_some()
    }
}
