//! Results are compared with what they should be, element by element. An error names the first element that is wrong, missing or too
//! many, what it is, and what it should be.

use std::borrow::Borrow;
use std::fmt::{self, Debug};

use anyhow::{bail, ensure};

/// What elements of a result are called in errors.
///
/// ```
/// use gridwright_examples::check::Name;
///
/// assert_eq!(Name::from("pixel").at(7), "pixel 7");
/// assert_eq!(Name::in_rows_of(5).at(7), "row 1, column 2");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Name<'n> {
    noun: &'n str,
    step: usize,
    cols: Option<usize>,
}

impl Name<'_> {
    /// Elements of a matrix by their row and column.
    ///
    /// ```
    /// use gridwright_examples::check::{self, Name};
    ///
    /// let error = check::equal(Name::in_rows_of(2), &[1, 2, 3], [1, 2, 4]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 1, column 0 is 3 instead of 4");
    /// ```
    pub fn in_rows_of(cols: usize) -> Self {
        Self { cols: Some(cols), ..Self::from("element") }
    }

    /// Names for elements of which one in `step` is compared.
    ///
    /// ```
    /// use gridwright_examples::check::Name;
    ///
    /// assert_eq!(Name::from("pixel").step_by(10).at(7), "pixel 70");
    /// ```
    #[must_use]
    pub fn step_by(self, step: usize) -> Self {
        Self { step, ..self }
    }

    /// The name of the element that is compared after `index` others.
    ///
    /// ```
    /// use gridwright_examples::check::Name;
    ///
    /// assert_eq!(Name::from("sum").at(0), "sum 0");
    /// ```
    pub fn at(&self, index: usize) -> String {
        let index = index * self.step;
        match self.cols {
            Some(cols) => format!("row {}, column {}", index / cols.max(1), index % cols.max(1)),
            None => format!("{} {index}", self.noun),
        }
    }
}

impl<'n> From<&'n str> for Name<'n> {
    fn from(noun: &'n str) -> Self {
        Self { noun, step: 1, cols: None }
    }
}

impl<'n> From<&'n String> for Name<'n> {
    fn from(noun: &'n String) -> Self {
        noun.as_str().into()
    }
}

/// Writes what an element is called, without its number.
impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun)
    }
}

/// Compares elements that must be equal. A NaN equals nothing.
///
/// ```
/// use gridwright_examples::check;
///
/// check::equal("square", &[0, 1, 4], (0..3).map(|i| i * i))?;
/// let error = check::equal("square", &[0, 1, 3], (0..3).map(|i| i * i)).unwrap_err();
/// assert_eq!(error.to_string(), "square 2 is 3 instead of 4");
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// For an element that differs, and where there are fewer or more.
pub fn equal<'n, T: PartialEq + Debug>(
    name: impl Into<Name<'n>>,
    found: &[T],
    expected: impl IntoIterator<Item: Borrow<T>>,
) -> anyhow::Result<()> {
    each(name.into(), found, expected, |found, expected| {
        let expected = expected.borrow();
        if found == expected { Ok(()) } else { Err(format!("{found:?} instead of {expected:?}")) }
    })
}

/// Compares numbers that may be off by a bound of each, and gives the largest difference. What isn't a number is wrong.
///
/// ```
/// use gridwright_examples::check;
///
/// let roots = [1.0_f32, 1.4142, 1.7320];
/// let expected = [1.0, 2.0, 3.0].map(f64::sqrt);
/// assert!(check::close("root", &roots, expected.map(|root| (root, 1e-3)))? < 1e-4);
/// assert!(check::close("root", &roots, expected.map(|root| (root, 1e-6))).is_err());
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// For a number that is off by more than its bound, and where there are fewer or more numbers.
pub fn close<'n, T: Copy + Into<f64>, E: Into<f64>>(
    name: impl Into<Name<'n>>,
    found: &[T],
    expected: impl IntoIterator<Item = (E, E)>,
) -> anyhow::Result<f64> {
    let mut largest = 0.0_f64;
    each(name.into(), found, expected, |&found, (expected, bound)| {
        let (found, expected, bound): (f64, f64, f64) = (found.into(), expected.into(), bound.into());
        let off = (found - expected).abs();
        largest = largest.max(off);
        // Not the other way round: a comparison with what isn't a number is false.
        let is_close = off <= bound;
        if is_close { Ok(()) } else { Err(format!("{found} instead of {expected}, give or take {bound:e}")) }
    })?;
    Ok(largest)
}

/// The Euclidean distance of a result from what it should be, as a part of the latter's length.
///
/// ```
/// use gridwright_examples::check;
///
/// assert_eq!(check::distance("number", &[3.0_f32, 4.5], [3.0, 4.0])?, 0.1);
/// assert!(check::distance("number", &[3.0_f32], [3.0, 4.0]).is_err());
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// Where there are fewer or more numbers than there should be.
pub fn distance<'n, T: Copy + Into<f64>>(
    name: impl Into<Name<'n>>,
    found: &[T],
    expected: impl IntoIterator<Item = f64>,
) -> anyhow::Result<f64> {
    let (mut distance, mut length) = (0.0, 0.0);
    each(name.into(), found, expected, |&found, expected| {
        distance += (found.into() - expected).powi(2);
        length += expected.powi(2);
        Ok(())
    })?;
    Ok(f64::sqrt(distance / length))
}

/// Calls a function with each element and what it should be. An error says what the element is.
fn each<T, E>(
    name: Name<'_>,
    found: &[T],
    expected: impl IntoIterator<Item = E>,
    mut compare: impl FnMut(&T, E) -> Result<(), String>,
) -> anyhow::Result<()> {
    let mut expected = expected.into_iter();
    for (index, element) in found.iter().enumerate() {
        let Some(expected) = expected.next() else { bail!("{} is too many", name.at(index)) };
        if let Err(is) = compare(element, expected) {
            bail!("{} is {is}", name.at(index));
        }
    }
    ensure!(expected.next().is_none(), "{} is missing", name.at(found.len()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Name, close, distance, equal};

    #[track_caller]
    fn fails_with<T: std::fmt::Debug>(result: anyhow::Result<T>, text: &str) {
        assert_eq!(result.unwrap_err().to_string(), text);
    }

    #[test]
    fn equal_elements_pass_as_references_and_as_values() {
        equal("element", &[1, 2], [1, 2]).unwrap();
        let same = vec![1, 2];
        equal("element", &same, &same).unwrap();
        equal("element", &[0_u8; 0], [0_u8; 0]).unwrap();
    }

    #[test]
    fn the_first_element_that_differs_is_named() {
        fails_with(equal("element", &[1, 2, 3, 4], [1, 2, 4, 3]), "element 2 is 3 instead of 4");
        fails_with(
            equal(Name::in_rows_of(3), &[0; 6], [0, 0, 0, 0, 7, 7]),
            "row 1, column 1 is 0 instead of 7",
        );
        fails_with(equal(Name::from("point").step_by(4), &[0, 1], [0, 2]), "point 4 is 1 instead of 2");
        fails_with(
            equal(&format!("{}: pixel", "KNN"), &[[1, 2]], [[1, 3]]),
            "KNN: pixel 0 is [1, 2] instead of [1, 3]",
        );
    }

    #[test]
    fn another_length_is_wrong_though_all_elements_are_right() {
        fails_with(equal("sum", &[1, 2], [1, 2, 3]), "sum 2 is missing");
        fails_with(equal("sum", &[1, 2], [1]), "sum 1 is too many");
        fails_with(close("sum", &[1.0, 2.0], [(1.0, 0.1)]), "sum 1 is too many");
        fails_with(close("sum", &[1.0], [(1.0, 0.1), (2.0, 0.1)]), "sum 1 is missing");
        fails_with(distance("sum", &[1.0], [1.0, 2.0]), "sum 1 is missing");
        fails_with(distance("sum", &[1.0, 2.0], [1.0]), "sum 1 is too many");
    }

    #[test]
    fn numbers_may_be_off_by_their_own_bound_and_no_more() {
        assert_eq!(close("number", &[1.5_f32, 4.0], [(1.0, 0.5), (4.0, 0.0)]).unwrap(), 0.5);
        fails_with(
            close("number", &[1.5_f32, 4.0], [(1.0, 0.5), (4.25, 0.125)]),
            "number 1 is 4 instead of 4.25, give or take 1.25e-1",
        );
    }

    #[test]
    fn what_is_not_a_number_is_wrong() {
        let nan = f64::NAN;
        fails_with(equal("number", &[nan], [nan]), "number 0 is NaN instead of NaN");
        fails_with(close("number", &[nan], [(1.0, 9.0)]), "number 0 is NaN instead of 1, give or take 9e0");
        assert!(close("number", &[1.0], [(nan, 9.0)]).is_err());
        assert!(close("number", &[1.0], [(1.0, nan)]).is_err());
        assert!(close("number", &[f64::INFINITY], [(f64::INFINITY, 9.0)]).is_err());
        // Whoever holds it to a bound finds it above.
        assert!(distance("number", &[nan], [1.0]).unwrap().is_nan());
    }
}
