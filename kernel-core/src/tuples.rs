/// Calls a macro for the tuple of no element, then for that of one, and so on, up to as many as the number says: 4, 8, 12, 16 or 24.
///
/// The macro gets each element's type parameter and place, `A 0, B 1, …`. A third argument asks for more of each element:
///
/// | | what the macro gets |
/// |---|---|
/// | `for_tuples!(16, implement)` | `A 0, B 1` |
/// | `for_tuples!(16, implement, values)` | `A a 0, B b 1`, with a name for a variable |
/// | `for_tuples!(16, implement, types)` | `A Aa 0, B Ba 1`, with a second type parameter |
/// | `for_tuples!(16, implement, modules)` | `two: Aa a sa 0, Ba b sb 1`, with a name for the tuple's module and a second variable |
///
/// To raise a number, add elements to the list below, and name the last tuple in the rule that ends at that number. A trait for
/// tuples then has so many more implementations. What says "up to 24" or "up to 16" in words is found by `grep`.
#[macro_export]
#[doc(hidden)]
macro_rules! for_tuples {
    // The list: the number of elements up to this one, two type parameters, two variables, and the place.
    ($most:tt, $implement:ident $(, $form:ident)?) => {
        $crate::for_tuples! {
            @from none, $most, $implement [$($form)?] []
            [one A Aa a sa 0]
            [two B Ba b sb 1]
            [three C Ca c sc 2]
            [four D Da d sd 3]
            [five E Ea e se 4]
            [six F Fa f sf 5]
            [seven G Ga g sg 6]
            [eight H Ha h sh 7]
            [nine I Ia i si 8]
            [ten J Ja j sj 9]
            [eleven K Ka k sk 10]
            [twelve L La l sl 11]
            [thirteen Xa Ya xa ya 12]
            [fourteen Xb Yb xb yb 13]
            [fifteen Xc Yc xc yc 14]
            [sixteen Xd Yd xd yd 15]
            [seventeen Xe Ye xe ye 16]
            [eighteen Xf Yf xf yf 17]
            [nineteen Xg Yg xg yg 18]
            [twenty Xh Yh xh yh 19]
            [twenty_one Xi Yi xi yi 20]
            [twenty_two Xj Yj xj yj 21]
            [twenty_three Xk Yk xk yk 22]
            [twenty_four Xl Yl xl yl 23]
        }
    };

    // Where each number ends.
    (@from four, 4, $implement:ident $form:tt [$($element:tt)*] $($left:tt)*) => {
        $crate::for_tuples! { @call four, $implement $form $($element)* }
    };
    (@from eight, 8, $implement:ident $form:tt [$($element:tt)*] $($left:tt)*) => {
        $crate::for_tuples! { @call eight, $implement $form $($element)* }
    };
    (@from twelve, 12, $implement:ident $form:tt [$($element:tt)*] $($left:tt)*) => {
        $crate::for_tuples! { @call twelve, $implement $form $($element)* }
    };
    (@from sixteen, 16, $implement:ident $form:tt [$($element:tt)*] $($left:tt)*) => {
        $crate::for_tuples! { @call sixteen, $implement $form $($element)* }
    };
    (@from twenty_four, 24, $implement:ident $form:tt [$($element:tt)*] $($left:tt)*) => {
        $crate::for_tuples! { @call twenty_four, $implement $form $($element)* }
    };
    (
        @from $count:ident, $most:tt, $implement:ident $form:tt [$($element:tt)*]
        [$next:ident $($of_next:tt)*] $($left:tt)*
    ) => {
        $crate::for_tuples! { @call $count, $implement $form $($element)* }
        $crate::for_tuples! {
            @from $next, $most, $implement $form [$($element)* [$($of_next)*]] $($left)*
        }
    };

    (@call $count:ident, $implement:ident [] $([$a:ident $b:ident $c:ident $d:ident $place:tt])*) => {
        $implement!($($a $place),*);
    };
    (@call $count:ident, $implement:ident [values] $([$a:ident $b:ident $c:ident $d:ident $place:tt])*) => {
        $implement!($($a $c $place),*);
    };
    (@call $count:ident, $implement:ident [types] $([$a:ident $b:ident $c:ident $d:ident $place:tt])*) => {
        $implement!($($a $b $place),*);
    };
    (@call $count:ident, $implement:ident [modules] $([$a:ident $b:ident $c:ident $d:ident $place:tt])*) => {
        $implement!($count: $($b $c $d $place),*);
    };
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    #[test]
    fn each_tuple_has_one_element_more() {
        let mut calls: Vec<String> = Vec::new();
        macro_rules! note {
            ($($element:ident $place:tt),*) => {
                calls.push(<[&str]>::join(&[$(stringify!($element $place)),*], ", "))
            };
        }
        for_tuples!(4, note);
        assert_eq!(calls, ["", "A 0", "A 0, B 1", "A 0, B 1, C 2", "A 0, B 1, C 2, D 3"]);
        calls.clear();
        for_tuples!(16, note);
        assert_eq!(calls.len(), 1 + 16);
        for_tuples!(24, note);
        assert_eq!(calls.len(), 1 + 16 + 1 + 24);
        assert!(calls.last().is_some_and(|last| last.ends_with("Xk 22, Xl 23")));
    }

    #[test]
    fn forms_differ_in_what_is_told_of_an_element() {
        let mut calls: Vec<String> = Vec::new();
        macro_rules! note {
            ($($text:tt)*) => {
                calls.push(<[&str]>::join(&[$(stringify!($text)),*], " "))
            };
        }
        for_tuples!(4, note, values);
        assert_eq!(calls.pop().as_deref(), Some("A a 0 , B b 1 , C c 2 , D d 3"));
        for_tuples!(4, note, types);
        assert_eq!(calls.pop().as_deref(), Some("A Aa 0 , B Ba 1 , C Ca 2 , D Da 3"));
        for_tuples!(4, note, modules);
        assert_eq!(calls.pop().as_deref(), Some("four : Aa a sa 0 , Ba b sb 1 , Ca c sc 2 , Da d sd 3"));
    }
}
