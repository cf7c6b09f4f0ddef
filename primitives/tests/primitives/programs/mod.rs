//! The book's programs: each is shown on its page *Algorithms*, and checked here on each device.

pub(crate) mod compaction;
pub(crate) mod distances;
pub(crate) mod equalized;
pub(crate) mod ranking;
#[cfg(not(gridwright_device))]
pub(crate) mod recorded;

#[cfg(not(gridwright_device))]
mod tests {
    use crate::devices;

    #[test]
    fn the_books_programs_do_what_the_book_says() {
        devices::each(|stream| {
            super::distances::run(stream).unwrap();
            super::ranking::run(stream).unwrap();
            super::compaction::run(stream).unwrap();
            super::equalized::run(stream).unwrap();
            super::recorded::run(stream).unwrap();
        });
    }
}
