use std::sync::Arc;

use crate::host_memory::copy_of;
use crate::submission::{BoxCopy, HostCall, Kind, Operation, Order, Place, Task, Work};
use crate::transfer::Region;
use crate::{Device, Error};

/// A graph in the making, by hand or by a capture.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(super) device: Device,
    pub(super) work: Work,
}

/// A place in memory that a replay keeps others from.
fn kept(region: &Region<'_>) -> Place {
    Place { is_shared: false, ..region.place }
}

impl Draft {
    pub(crate) fn new(device: &Device) -> Self {
        Self { device: device.clone(), work: Work::default() }
    }

    /// Adds an operation and gives its number.
    pub(crate) fn push(&mut self, operation: Operation) -> usize {
        self.work.operations.push(Arc::new(operation));
        self.work.operations.len() - 1
    }

    /// Adds what is done with regions of memory, each of at least a byte.
    fn push_on(&mut self, regions: &[&Region<'_>], place: &'static str, task: Task) -> Result<usize, Error> {
        let owners = regions.iter().map(|region| region.share(|| place.into())).collect::<Result<_, _>>()?;
        let accesses = regions.iter().map(|region| region.access()).collect();
        Ok(self.push(Operation { task, accesses, order: Order::Memory, after: Vec::new(), _owners: owners }))
    }

    fn push_nothing(&mut self) -> usize {
        let (accesses, after, _owners) = (Vec::new(), Vec::new(), Vec::new());
        self.push(Operation { task: Task::Nothing, accesses, order: Order::Free, after, _owners })
    }

    /// Sets each element to a pattern of at least a byte. The region is of the device.
    pub(crate) fn fill(&mut self, to: &Region<'_>, pattern: &[u8]) -> Result<usize, Error> {
        debug_assert_eq!(to.kind, Kind::Write);
        if to.is_empty() {
            return Ok(self.push_nothing());
        }
        let task = Task::Fill { to: kept(to), pattern: pattern.into(), count: to.len };
        self.push_on(&[to], "fill", task)
    }

    /// Copies as many bytes as both have. One of the two is of the device, and they don't overlap.
    pub(crate) fn copy(&mut self, from: &Region<'_>, to: &Region<'_>, bytes: usize) -> Result<usize, Error> {
        debug_assert_eq!((from.kind, to.kind), (Kind::Read, Kind::Write));
        for (region, place) in [(from, "copy in a graph, from"), (to, "copy in a graph, to")] {
            if !self.device.is(region.device) {
                return Err(Error::ForeignBuffer {
                    place: place.into(),
                    device: self.device.identity(),
                    buffer_device: region.device.identity(),
                });
            }
        }
        if bytes == 0 {
            return Ok(self.push_nothing());
        }
        let task = Task::Copy { from: kept(from), to: kept(to), bytes };
        self.push_on(&[from, to], "copy", task)
    }

    /// Copies a box of bytes, which lies in both. Both are of the device, and they don't overlap.
    pub(crate) fn copy_box(
        &mut self,
        from: &Region<'_>,
        to: &Region<'_>,
        copy: Option<BoxCopy>,
    ) -> Result<usize, Error> {
        debug_assert_eq!((from.kind, to.kind), (Kind::Read, Kind::Write));
        let Some(copy) = copy else { return Ok(self.push_nothing()) };
        self.push_on(&[from, to], "copy_box", Task::CopyBox { from: kept(from), to: kept(to), copy })
    }

    /// Writes these bytes, which the region has room for. It is of the device.
    pub(crate) fn write(&mut self, to: &Region<'_>, bytes: &[u8]) -> Result<usize, Error> {
        debug_assert_eq!(to.kind, Kind::Write);
        if bytes.is_empty() {
            return Ok(self.push_nothing());
        }
        let bytes = copy_of(bytes)?.into();
        self.push_on(&[to], "copy_from_slice", Task::Write { to: kept(to), bytes })
    }

    pub(crate) fn host(&mut self, call: Arc<HostCall>, order: Order) -> usize {
        let task = Task::Host(call);
        self.push(Operation { task, accesses: Vec::new(), order, after: Vec::new(), _owners: Vec::new() })
    }
}
