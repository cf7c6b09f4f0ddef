//! Contexts: what is current in a thread, and the errors that stay.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use crate::abi::{In, Out};
use crate::error::Error;
use crate::locks::lock;
use crate::process::{self, Process, process};
use crate::registry::{Handle, Registry};
use crate::shared::capture;
use crate::shared::context::Vendor;
use crate::shared::stream::priorities;
pub(crate) use crate::vendor::{Context, Cuda};
use crate::vendor::{OfContext, OfStream};
use crate::{callback, ids, pool};

impl Vendor for Cuda {
    type OfContext = OfContext;
    type OfStream = OfStream;

    const LEAST_PRIORITY: c_int = 0;
    const GREATEST_PRIORITY: c_int = -5;

    fn check() -> Result<(), Error> {
        process().map(drop)
    }

    fn current() -> Result<&'static Context, Error> {
        current()
    }

    fn delay() -> u64 {
        process().map_or(0, |process| process.settings.delay)
    }

    fn synchronized(context: &'static Context) {
        pool::trim(context);
    }
}

pub(crate) static CONTEXTS: Registry<&'static Context> = Registry::new(3);

/// All that were created, also those that are destroyed.
static CREATED: Mutex<Vec<&'static Context>> = Mutex::new(Vec::new());

thread_local! {
    static STACK: RefCell<Vec<&'static Context>> = const { RefCell::new(Vec::new()) };
    /// The call that runs takes a null stream for the thread's own.
    static HAS_OWN_DEFAULT: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn make(device: usize, is_primary: bool, flags: c_uint) -> &'static Context {
    let own = OfContext {
        id: ids::next(),
        is_primary,
        flags: AtomicU32::new(flags),
        limits: Mutex::new(BTreeMap::from(LIMITS)),
        cache_config: AtomicI32::new(0),
        bank_size: AtomicI32::new(0),
        uses: AtomicU32::new(1),
    };
    let (_, context) = CONTEXTS.insert_with(|handle| Context::leak(handle, device, own));
    lock(&CREATED).push(*context);
    *context
}

fn is_destroyed(context: &Context) -> bool {
    context.fault.get() == Some(Error::CONTEXT_IS_DESTROYED)
}

/// The current context, whatever its state.
fn top() -> Result<Option<&'static Context>, Error> {
    process()?;
    if callback::is_running() {
        return Err(Error::NOT_PERMITTED);
    }
    Ok(STACK.with_borrow(|stack| stack.last().copied()))
}

/// The current context.
///
/// # Errors
/// Where there is none, or an error stays.
pub(crate) fn current() -> Result<&'static Context, Error> {
    let context = top()?.ok_or(Error::INVALID_CONTEXT)?;
    context.check()?;
    Ok(context)
}

/// The current context, if there is one, with whatever error.
pub(crate) fn of_thread() -> Result<Option<&'static Context>, Error> {
    top()
}

/// The process, for a call that names what it ends: no context need be current. One that has failed answers its error.
pub(crate) fn ending() -> Result<&'static Process, Error> {
    if let Some(context) = top()?.filter(|context| !is_destroyed(context)) {
        context.check()?;
    }
    process()
}

/// The process, for a call that frees memory: what is queued in all contexts has ended, since programs rely on it. Where frees are
/// strict, nothing is waited for.
pub(crate) fn freeing() -> Result<&'static Process, Error> {
    let process = ending()?;
    capture::refuse_unsafe()?;
    if !process.settings.strict_free {
        let contexts = lock(&CREATED).clone();
        contexts.iter().flat_map(|context| context.ends(false)).for_each(|end| end.wait());
        return ending();
    }
    Ok(process)
}

/// Runs a call whose default stream is the thread's own.
pub(crate) fn with_own_default(call: impl FnOnce() -> c_int) -> c_int {
    let before = HAS_OWN_DEFAULT.replace(true);
    // It answers, whatever happens: no panic comes out of it.
    let answer = call();
    HAS_OWN_DEFAULT.set(before);
    answer
}

/// Whether a null stream is the thread's own.
pub(crate) fn has_own_default() -> bool {
    HAS_OWN_DEFAULT.get()
}

/// Takes a context away from the calling thread, if it is its current one.
pub(crate) fn leave(context: &Context) {
    STACK.with_borrow_mut(|stack| {
        if stack.last().is_some_and(|top| top.is(context)) {
            stack.pop();
        }
    });
}

fn set_current(context: Option<&'static Context>) {
    STACK.with_borrow_mut(|stack| {
        stack.pop();
        stack.extend(context);
    });
}

/// The context of a handle.
///
/// # Errors
/// For what isn't one, or one that is destroyed.
pub(crate) fn find(handle: Handle) -> Result<&'static Context, Error> {
    process()?;
    let context = CONTEXTS.get(handle).ok_or(Error::INVALID_CONTEXT)?;
    if is_destroyed(&context) { Err(Error::CONTEXT_IS_DESTROYED) } else { Ok(*context) }
}

const STACK_SIZE: c_int = 0;
const PRINTF_FIFO_SIZE: c_int = 1;
const MALLOC_HEAP_SIZE: c_int = 2;

pub(crate) const LIMITS: [(c_int, usize); 7] = [
    (STACK_SIZE, 1 << 10),
    (PRINTF_FIFO_SIZE, 1 << 20),
    (MALLOC_HEAP_SIZE, 8 << 20),
    // Synchronisation depth and pending launches of kernels that launch kernels.
    (3, 2),
    (4, 2048),
    // Fetch granularity and persisting bytes of the second-level cache.
    (5, 64),
    (6, 0),
];

fn create(context: Out<Handle>, flags: c_uint, device: c_int) -> Result<(), Error> {
    let process = process()?;
    if context.is_null() || flags & !FLAGS != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let ordinal = process.gpu(device)?.ordinal;
    let created = make(ordinal, false, flags);
    STACK.with_borrow_mut(|stack| stack.push(created));
    context.put(created.handle)
}

/// Ways to wait, mapped memory, local memory that is kept, and the newer ones up to `CU_CTX_SYNC_MEMOPS`.
pub(crate) const FLAGS: c_uint = 0xff;

driver! {
    /// Makes a context current; none for a null handle.
    fn cuCtxSetCurrent(context: Handle) {
        top()?;
        set_current(if context == Handle::NULL { None } else { Some(find(context)?) });
        Ok(())
    }

    fn cuCtxGetCurrent(context: Out<Handle>) {
        context.put(top()?.map_or(Handle::NULL, |context| context.handle))
    }

    fn cuCtxPushCurrent_v2(context: Handle) {
        top()?;
        let context = find(context)?;
        STACK.with_borrow_mut(|stack| stack.push(context));
        Ok(())
    }

    fn cuCtxPopCurrent_v2(context: Out<Handle>) {
        let popped = top()?.ok_or(Error::INVALID_CONTEXT)?;
        STACK.with_borrow_mut(Vec::pop);
        context.put_if_asked(popped.handle);
        Ok(())
    }

    fn cuCtxCreate_v2(context: Out<Handle>, flags: c_uint, device: c_int) {
        create(context, flags, device)
    }

    /// Without affinities: there is nothing to tie.
    fn cuCtxCreate_v3(context: Out<Handle>, _parameters: In<c_void>, count: c_int, flags: c_uint, device: c_int) {
        if count != 0 {
            return Err(Error::NOT_SUPPORTED);
        }
        create(context, flags, device)
    }

    /// Without parameters: there is nothing to tie.
    fn cuCtxCreate_v4(context: Out<Handle>, parameters: In<c_void>, flags: c_uint, device: c_int) {
        if !parameters.is_null() {
            return Err(Error::NOT_SUPPORTED);
        }
        create(context, flags, device)
    }

    fn cuCtxSynchronize() {
        current()?.synchronize()
    }

    fn cuCtxGetDevice(device: Out<c_int>) {
        device.put(current()?.device as c_int)
    }

    fn cuCtxGetFlags(flags: Out<c_uint>) {
        flags.put(current()?.own.flags.load(Ordering::Relaxed))
    }

    fn cuCtxSetFlags(flags: c_uint) {
        if flags & !FLAGS != 0 {
            return Err(Error::INVALID_VALUE);
        }
        current()?.own.flags.store(flags, Ordering::Relaxed);
        Ok(())
    }

    fn cuCtxGetId(context: Handle, id: Out<u64>) {
        let context = if context == Handle::NULL { current()? } else { find(context)? };
        id.put(context.own.id)
    }

    fn cuCtxGetApiVersion(context: Handle, version: Out<c_uint>) {
        if context != Handle::NULL {
            find(context)?;
        }
        version.put(process::version() as c_uint)
    }

    fn cuCtxGetLimit(value: Out<usize>, limit: c_int) {
        let limits = lock(&current()?.own.limits);
        value.put(*limits.get(&limit).ok_or(Error::UNSUPPORTED_LIMIT)?)
    }

    /// Limits are kept and mean nothing: the emulator has its own.
    fn cuCtxSetLimit(limit: c_int, value: usize) {
        let mut limits = lock(&current()?.own.limits);
        *limits.get_mut(&limit).ok_or(Error::UNSUPPORTED_LIMIT)? = value;
        Ok(())
    }

    fn cuCtxGetCacheConfig(config: Out<c_int>) {
        config.put(current()?.own.cache_config.load(Ordering::Relaxed))
    }

    /// A preference, which has no effect.
    fn cuCtxSetCacheConfig(config: c_int) {
        if !(0..=3).contains(&config) {
            return Err(Error::INVALID_VALUE);
        }
        current()?.own.cache_config.store(config, Ordering::Relaxed);
        Ok(())
    }

    /// Lower numbers are more urgent. Priorities have no effect.
    fn cuCtxGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) {
        priorities::<Cuda>(least, greatest)
    }
}
