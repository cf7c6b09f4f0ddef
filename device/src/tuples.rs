//! Which tuples there are: a macro that implements a trait for one is called for each.

/// Tuples of up to eight items that a phase takes, by a macro that takes `A 0, B 1, …`.
macro_rules! tuples_of_items {
    ($implement:ident) => {
        $implement!();
        $implement!(A 0);
        $implement!(A 0, B 1);
        $implement!(A 0, B 1, C 2);
        $implement!(A 0, B 1, C 2, D 3);
        $implement!(A 0, B 1, C 2, D 3, E 4);
        $implement!(A 0, B 1, C 2, D 3, E 4, F 5);
        $implement!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
        $implement!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
    };
}
pub(crate) use tuples_of_items;

/// Tuples of up to twelve parameters of a kernel, by a macro that takes `A a 0, B b 1, …`.
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
macro_rules! tuples_of_parameters {
    ($implement:ident) => {
        $implement!();
        $implement!(A a 0);
        $implement!(A a 0, B b 1);
        $implement!(A a 0, B b 1, C c 2);
        $implement!(A a 0, B b 1, C c 2, D d 3);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9, K k 10);
        $implement!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9, K k 10, L l 11);
    };
}
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub(crate) use tuples_of_parameters;
