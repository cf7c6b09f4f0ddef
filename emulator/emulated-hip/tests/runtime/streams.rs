use std::ffi::{c_int, c_uint};

use crate::alone::alone;
use crate::hip::{
    Gate, Handle, INVALID_HANDLE, INVALID_VALUE, NOT_READY, NULL, OK, check, download, event, hip, malloc,
    record, stream, synchronize, wait_for,
};

fn set(address: u64, value: c_int, stream: Handle) {
    check(hip!(hipMemsetD32Async(address => u64, value => c_int, 1 => usize, stream => Handle)));
}

fn copy(to: u64, from: u64, stream: Handle) {
    check(hip!(hipMemcpyDtoDAsync(to => u64, from => u64, 4 => usize, stream => Handle)));
}

#[test]
fn calls_return_before_their_work_is_done() {
    alone("streams::calls_return_before_their_work_is_done", &[], || {
        let stream = stream();
        let gate = Gate::close(stream);
        let event = event();
        check(hip!(hipEventQuery(event => Handle)));
        record(event, stream);
        assert_eq!(hip!(hipStreamQuery(stream => Handle)), NOT_READY);
        assert_eq!(hip!(hipEventQuery(event => Handle)), NOT_READY);
        gate.open();
        check(hip!(hipEventSynchronize(event => Handle)));
        check(hip!(hipStreamSynchronize(stream => Handle)));
        check(hip!(hipStreamQuery(stream => Handle)));
    });
}

#[test]
fn only_events_order_streams() {
    alone("streams::only_events_order_streams", &[], || {
        let (one, other) = (stream(), stream());
        let words = malloc(8);
        set(words, 1, other);
        check(synchronize());
        let gate = Gate::close(one);
        set(words, 2, one);
        let done = event();
        record(done, one);
        copy(words + 4, words, other);
        check(hip!(hipStreamSynchronize(other => Handle)));
        assert_eq!(download(words + 4, 1), [1], "nothing ordered them");
        wait_for(other, done);
        copy(words + 4, words, other);
        assert_eq!(hip!(hipStreamQuery(other => Handle)), NOT_READY);
        gate.open();
        check(hip!(hipStreamSynchronize(other => Handle)));
        assert_eq!(download(words + 4, 1), [2]);
    });
}

#[test]
fn a_wait_that_is_missing_shows_with_delays_and_one_that_is_there_holds() {
    let variables = [("GRIDWRIGHT_EMULATOR_DELAY_US", "2000")];
    let test = "streams::a_wait_that_is_missing_shows_with_delays_and_one_that_is_there_holds";
    alone(test, &variables, || {
        let (one, other) = (stream(), stream());
        let words = malloc(8);
        let round = |is_ordered: bool| {
            set(words, 1, one);
            check(synchronize());
            set(words, 2, one);
            if is_ordered {
                let done = event();
                record(done, one);
                wait_for(other, done);
            }
            copy(words + 4, words, other);
            check(synchronize());
            download(words + 4, 1)[0]
        };
        assert!((0..20).all(|_| round(true) == 2));
        assert!((0..20).any(|_| round(false) == 1));
    });
}

#[test]
fn the_default_stream_and_blocking_ones_wait_for_each_other() {
    alone("streams::the_default_stream_and_blocking_ones_wait_for_each_other", &[], || {
        let mut blocking = NULL;
        check(hip!(hipStreamCreate(&raw mut blocking => *mut Handle)));
        let free = stream();
        let gate = Gate::close(blocking);
        let words = malloc(8);
        set(words, 1, NULL);
        assert_eq!(hip!(hipStreamQuery(NULL => Handle)), NOT_READY);
        set(words + 4, 1, free);
        check(hip!(hipStreamSynchronize(free => Handle)));
        gate.open();
        check(hip!(hipStreamSynchronize(NULL => Handle)));
        assert_eq!(download(words, 2), [1, 1]);
    });
}

#[test]
fn events_have_times() {
    alone("streams::events_have_times", &[], || {
        let stream = stream();
        let timed = || {
            let mut event = NULL;
            check(hip!(hipEventCreate(&raw mut event => *mut Handle)));
            event
        };
        let (start, end) = (timed(), timed());
        let mut time = -1.0_f32;
        let elapsed = |time: *mut f32, start: Handle, end: Handle| hip!(hipEventElapsedTime(time => *mut f32, start => Handle, end => Handle));
        assert_eq!(elapsed(&raw mut time, start, end), INVALID_HANDLE);
        record(start, stream);
        let gate = Gate::close(stream);
        record(end, stream);
        assert_eq!(elapsed(&raw mut time, start, end), NOT_READY);
        gate.open();
        check(hip!(hipStreamSynchronize(stream => Handle)));
        assert_eq!((elapsed(&raw mut time, start, end), time >= 0.0), (OK, true));
        assert_eq!(elapsed(&raw mut time, start, event()), INVALID_HANDLE);
    });
}

#[test]
fn wrong_handles_are_recognised() {
    alone("streams::wrong_handles_are_recognised", &[], || {
        let (stream, event) = (stream(), event());
        assert_eq!(hip!(hipEventRecord(stream => Handle, stream => Handle)), INVALID_HANDLE);
        assert_eq!(hip!(hipStreamSynchronize(event => Handle)), INVALID_HANDLE);
        check(hip!(hipStreamDestroy(stream => Handle)));
        assert_eq!(hip!(hipStreamDestroy(stream => Handle)), INVALID_HANDLE);
        assert_eq!(hip!(hipStreamQuery(stream => Handle)), INVALID_HANDLE);
        let any = std::ptr::without_provenance_mut(0xdead_beef);
        assert_eq!(hip!(hipEventQuery(any => Handle)), INVALID_HANDLE);
        assert_eq!(hip!(hipModuleUnload(any => Handle)), INVALID_HANDLE);
        assert_eq!(hip!(hipGraphDestroy(any => Handle)), INVALID_HANDLE);
        let mut new = NULL;
        let flags = hip!(hipStreamCreateWithFlags(&raw mut new => *mut Handle, 2 => c_uint));
        assert_eq!((flags, new), (INVALID_VALUE, NULL));
    });
}
