//! Work that threads do side by side.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs a function on each item, so many at a time, and answers in the items' order.
///
/// # Errors
/// The first error; the work that had begun is done then.
pub(crate) fn each<I: Sync, R: Send>(
    at_a_time: usize,
    items: &[I],
    run: impl Fn(&I) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return results };
            let result = run(item);
            if result.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            results.push((index, result));
        }
    };
    let mut results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..at_a_time).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|e| resume_unwind(e))).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::each;

    #[test]
    fn results_have_the_order_of_items() {
        let doubled = each(2, &[1, 2, 3, 4, 5], |item| Ok(item * 2)).unwrap();
        assert_eq!(doubled, [2, 4, 6, 8, 10]);
    }

    #[test]
    fn an_error_ends_the_work() {
        let result = each(2, &[1, 2, 3], |item| if *item == 2 { bail!("two") } else { Ok(*item) });
        assert_eq!(result.unwrap_err().to_string(), "two");
    }
}
