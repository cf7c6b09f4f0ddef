//! Contexts: what is current in a thread, and the errors that stay.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, ThreadId};

use crate::abi::{In, Out};
use crate::array;
use crate::capture;
use crate::error::Error;
use crate::fault::Fault;
use crate::locks::lock;
use crate::process::{self, Process, process};
use crate::queue::{Point, Queue};
use crate::registry::Handle;
use crate::stream::{Kind, Stream};

/// Contexts are few and never freed, so that anything may refer to them.
pub(crate) struct Context {
    pub(crate) handle: Handle,
    pub(crate) device: usize,
    pub(crate) id: u64,
    pub(crate) is_primary: bool,
    pub(crate) flags: AtomicU32,
    /// The error that each call answers.
    pub(crate) fault: Fault,
    legacy: OnceLock<Arc<Stream>>,
    of_threads: Mutex<HashMap<ThreadId, Arc<Stream>>>,
    /// Of all its streams.
    queues: Mutex<Vec<Member>>,
    limits: Mutex<BTreeMap<c_int, usize>>,
    cache_config: AtomicI32,
    /// Of the banks of shared memory, as programs prefer it.
    pub(crate) bank_size: AtomicI32,
    /// How often it was created or attached to.
    pub(crate) uses: AtomicU32,
    /// Contexts whose memory it may reach.
    pub(crate) peers: Mutex<HashSet<usize>>,
}

/// All that were created, also those that are destroyed.
static CREATED: Mutex<Vec<&'static Context>> = Mutex::new(Vec::new());

struct Member {
    queue: Arc<Queue>,
    /// Whether the stream and the default stream wait for each other.
    is_blocking: bool,
}

thread_local! {
    static STACK: RefCell<Vec<&'static Context>> = const { RefCell::new(Vec::new()) };
    /// This thread runs a host function, which may not call the driver.
    static IS_CALLBACK: Cell<bool> = const { Cell::new(false) };
    /// The call that runs takes a null stream for the thread's own.
    static HAS_OWN_DEFAULT: Cell<bool> = const { Cell::new(false) };
}

impl Context {
    pub(crate) fn create(process: &Process, device: usize, is_primary: bool, flags: c_uint) -> &'static Self {
        let (_, context) = process.contexts.insert_with(|handle| {
            &*Box::leak(Box::new(Self {
                handle,
                device,
                id: process.new_id(),
                is_primary,
                flags: AtomicU32::new(flags),
                fault: Fault::default(),
                legacy: OnceLock::new(),
                of_threads: Mutex::default(),
                queues: Mutex::default(),
                limits: Mutex::new(BTreeMap::from(LIMITS)),
                cache_config: AtomicI32::new(0),
                bank_size: AtomicI32::new(0),
                uses: AtomicU32::new(1),
                peers: Mutex::default(),
            }))
        });
        lock(&CREATED).push(*context);
        *context
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// # Errors
    /// The one that stays.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.fault.check()
    }

    pub(crate) fn is_destroyed(&self) -> bool {
        self.fault.get() == Some(Error::CONTEXT_IS_DESTROYED)
    }

    /// The default stream.
    pub(crate) fn legacy(&'static self, process: &Process) -> &'static Arc<Stream> {
        self.legacy.get_or_init(|| Arc::new(Stream::new(process, self, Handle(1), Kind::Legacy, 0)))
    }

    /// The default stream of this thread.
    pub(crate) fn of_thread(&'static self, process: &Process) -> Arc<Stream> {
        let mut streams = lock(&self.of_threads);
        let stream = streams.entry(thread::current().id());
        Arc::clone(
            stream.or_insert_with(|| Arc::new(Stream::new(process, self, Handle(2), Kind::Blocking, 0))),
        )
    }

    pub(crate) fn add_queue(&self, queue: &Arc<Queue>, is_blocking: bool) {
        let mut queues = lock(&self.queues);
        queues.retain(|member| !(member.queue.is_idle() && member.queue.is_closed()));
        queues.push(Member { queue: Arc::clone(queue), is_blocking });
    }

    /// The ends of its streams that aren't idle: of all, or of those that the default stream waits for.
    pub(crate) fn ends(&self, only_blocking: bool) -> Vec<Point> {
        let queues = lock(&self.queues);
        let busy = queues.iter().filter(|member| !member.queue.is_idle());
        busy.filter(|member| member.is_blocking || !only_blocking).map(|member| member.queue.end()).collect()
    }

    /// Waits for all streams.
    pub(crate) fn synchronize(&self, process: &Process) -> Result<(), Error> {
        capture::refuse_waiting(self)?;
        self.ends(false).iter().for_each(Point::wait);
        process.gpus[self.device].trim_pools(process);
        self.check()
    }

    /// Ends everything that it has. Each call answers `CUDA_ERROR_CONTEXT_IS_DESTROYED` from then on.
    pub(crate) fn tear_down(&'static self, process: &Process) {
        self.fault.replace(Some(Error::CONTEXT_IS_DESTROYED));
        for stream in process.streams.remove_all(|stream| stream.context.is(self)) {
            stream.close();
        }
        self.ends(false).iter().for_each(Point::wait);
        process.events.remove_all(|event| event.context.is(self));
        process.functions.remove_all(|function| function.context.is(self));
        process.modules.remove_all(|module| module.context.is(self));
        process.allocations.free_all(process, self);
        array::free_all(process, self);
        process.host_memory.free_all(process, self);
        lock(&self.peers).clear();
        lock(&self.limits).extend(LIMITS);
        if !self.is_primary {
            lock(&self.queues).iter().for_each(|member| member.queue.close());
            process.contexts.remove(self.handle);
        }
    }

    /// A primary context can be used again.
    pub(crate) fn revive(&self) {
        self.fault.replace(None);
    }
}

/// The current context, whatever its state.
fn top() -> Result<Option<&'static Context>, Error> {
    process()?;
    if IS_CALLBACK.get() {
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
    if let Some(context) = top()?.filter(|context| !context.is_destroyed()) {
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

/// Runs a callback of the program, in which the driver may not be called.
pub(crate) fn forbidding_calls(callback: impl FnOnce()) {
    IS_CALLBACK.set(true);
    callback();
    IS_CALLBACK.set(false);
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
    let context = process()?.contexts.get(handle).ok_or(Error::INVALID_CONTEXT)?;
    if context.is_destroyed() { Err(Error::CONTEXT_IS_DESTROYED) } else { Ok(*context) }
}

const STACK_SIZE: c_int = 0;
const PRINTF_FIFO_SIZE: c_int = 1;
const MALLOC_HEAP_SIZE: c_int = 2;

const LIMITS: [(c_int, usize); 7] = [
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
    let created = Context::create(process, ordinal, false, flags);
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

    /// Primary contexts are released instead.
    fn cuCtxDestroy_v2(context: Handle) {
        let context = find(context)?;
        if context.is_primary {
            return Err(Error::INVALID_CONTEXT);
        }
        context.tear_down(process()?);
        STACK.with_borrow_mut(|stack| {
            if stack.last().is_some_and(|top| top.is(context)) {
                stack.pop();
            }
        });
        Ok(())
    }

    fn cuCtxSynchronize() {
        current()?.synchronize(process()?)
    }

    fn cuCtxGetDevice(device: Out<c_int>) {
        device.put(current()?.device as c_int)
    }

    fn cuCtxGetFlags(flags: Out<c_uint>) {
        flags.put(current()?.flags.load(Ordering::Relaxed))
    }

    fn cuCtxSetFlags(flags: c_uint) {
        if flags & !FLAGS != 0 {
            return Err(Error::INVALID_VALUE);
        }
        current()?.flags.store(flags, Ordering::Relaxed);
        Ok(())
    }

    fn cuCtxGetId(context: Handle, id: Out<u64>) {
        let context = if context == Handle::NULL { current()? } else { find(context)? };
        id.put(context.id)
    }

    fn cuCtxGetApiVersion(context: Handle, version: Out<c_uint>) {
        if context != Handle::NULL {
            find(context)?;
        }
        version.put(process::version() as c_uint)
    }

    fn cuCtxGetLimit(value: Out<usize>, limit: c_int) {
        let limits = lock(&current()?.limits);
        value.put(*limits.get(&limit).ok_or(Error::UNSUPPORTED_LIMIT)?)
    }

    /// Limits are kept and mean nothing: the emulator has its own.
    fn cuCtxSetLimit(limit: c_int, value: usize) {
        let mut limits = lock(&current()?.limits);
        *limits.get_mut(&limit).ok_or(Error::UNSUPPORTED_LIMIT)? = value;
        Ok(())
    }

    fn cuCtxGetCacheConfig(config: Out<c_int>) {
        config.put(current()?.cache_config.load(Ordering::Relaxed))
    }

    /// A preference, which has no effect.
    fn cuCtxSetCacheConfig(config: c_int) {
        if !(0..=3).contains(&config) {
            return Err(Error::INVALID_VALUE);
        }
        current()?.cache_config.store(config, Ordering::Relaxed);
        Ok(())
    }

    /// Lower numbers are more urgent. Priorities have no effect.
    fn cuCtxGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) {
        current()?;
        least.put_if_asked(crate::stream::LEAST_PRIORITY);
        greatest.put_if_asked(crate::stream::GREATEST_PRIORITY);
        Ok(())
    }
}
