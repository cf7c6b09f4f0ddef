//! Work that runs two at a time.

use std::sync::{Mutex, PoisonError};

/// Runs a function on each item, two at a time, and answers in the items' order.
///
/// # Errors
/// The first error; the work that had begun is done then.
pub(super) fn run<I: Copy + Sync, R: Send>(
    items: &[I],
    run: impl Fn(I) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let next = Mutex::new(0..items.len());
    let results = Mutex::new(Vec::new());
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while lock(&failed).is_none()
                    && let Some(index) = take(&next)
                {
                    match run(items[index]) {
                        Ok(result) => lock(&results).push((index, result)),
                        Err(error) => *lock(&failed) = Some(error),
                    }
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

fn take(next: &Mutex<std::ops::Range<usize>>) -> Option<usize> {
    lock(next).next()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    #[test]
    fn results_have_the_order_of_items() {
        let doubled = super::run(&[1, 2, 3, 4, 5], |item| Ok(item * 2)).unwrap();
        assert_eq!(doubled, [2, 4, 6, 8, 10]);
    }

    #[test]
    fn an_error_ends_the_work() {
        let result = super::run(&[1, 2, 3], |item| if item == 2 { bail!("two") } else { Ok(item) });
        assert_eq!(result.unwrap_err().to_string(), "two");
    }
}
