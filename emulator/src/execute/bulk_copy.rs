//! Bulk copies. To workgroup memory: the source is read at once, and the target is written when the barrier that counts the copy is
//! tested, the second time. Until then the target's bytes count as never written, so that who reads them too early is found.
//! From workgroup memory all is done at once.

use super::reduce::reduced;
use super::state::{ActiveLanes, BulkCopies, Combined, Core, InFlight, PIECE, WORD};
use super::transfer::{load_row, store_element};
use crate::instruction::{Access, Bulk, BulkCopy, BulkPlace, MapField, Memory};
use crate::machine::{Done, Fault, Use, WARP, lanes_of, of_peer, peer};
use crate::parse::syntax::Type;
use crate::report::{FindingKind, Space};
use crate::tensor_map::{Swizzle, TENSOR_MAP_BYTES, TensorElement, TensorMap};

/// Bytes that tiles and their maps are aligned to in workgroup memory, and maps anywhere.
const TILE_ALIGNMENT: u32 = 128;
const MAP_ALIGNMENT: u32 = 64;

impl BulkCopies {
    /// Reports copies that haven't come when the group ends: what still comes is written to memory that may
    /// be another's.
    pub(super) fn report(&self, core: &Core, group: [u32; 3]) {
        for copy in &self.in_flight {
            let bytes = copy.words.len() as u64 * WORD;
            core.report(FindingKind::CopyOutlivesGroup { bytes }, copy.position, group, copy.thread);
        }
    }
}

fn failed(lane: usize, address: u64, problem: &'static str) -> Box<Fault> {
    Fault::new(lane, FindingKind::Mbarrier { address, problem })
}

impl ActiveLanes<'_> {
    pub(super) fn bulk(&mut self, bulk: &Bulk, mask: u32) -> Done {
        match bulk {
            Bulk::Copy(copy) => lanes_of(mask).try_for_each(|lane| self.begin_bulk_copy(copy, lane)),
            Bulk::Replace(map, field, value) => {
                for lane in lanes_of(mask) {
                    let wide = matches!(field, MapField::Address | MapField::Stride(_));
                    let value = if wide { self.wide(*value)[lane] } else { self.narrow(*value)[lane].into() };
                    self.replace(map, *field, value, lane)?;
                }
                Ok(())
            }
            Bulk::CopyMap { target, source } => {
                // All lanes do it together, once.
                let lane = mask.trailing_zeros() as usize % WARP;
                let (to, from) = (self.addresses(target)[lane], self.addresses(source)[lane]);
                let bytes = self.read_bytes(source, lane, from, TENSOR_MAP_BYTES)?;
                self.write_bytes(target, lane, to, &bytes, None)
            }
        }
    }

    fn begin_bulk_copy(&mut self, copy: &BulkCopy, lane: usize) -> Done {
        let group = self.addresses(&copy.group)[lane];
        let reduction = |element| copy.reduction.map(|one| (one.kind, one.element.unwrap_or(element)));
        let Some(barrier) = &copy.barrier else {
            return match &copy.other {
                BulkPlace::Plain(other, bytes) => {
                    let bytes = self.narrow(*bytes)[lane];
                    let target = self.addresses(other)[lane];
                    self.check_plain(lane, [(&copy.group, group), (other, target)], bytes)?;
                    let read = self.read_bytes(&copy.group, lane, group, bytes as usize)?;
                    self.write_bytes(other, lane, target, &read, reduction(Type::Bits(32)))
                }
                BulkPlace::Tile(map_access, at) => {
                    let map = self.map(map_access, lane)?;
                    self.check_tile(lane, &copy.group, group)?;
                    let at: Vec<i32> = at.iter().map(|at| self.narrow(*at)[lane] as i32).collect();
                    let read = self.read_bytes(&copy.group, lane, group, map.tile_bytes())?;
                    let tile = swizzled(&read, group, map.swizzle, false);
                    for (first, address, bytes) in map.parts(&at) {
                        let part = tile.get(first..first + bytes).unwrap_or_default();
                        self.write_bytes(map_access, lane, address, part, reduction(type_of(map.element)))?;
                    }
                    Ok(())
                }
            };
        };
        let barrier = self.addresses(barrier)[lane];
        let bytes = match &copy.other {
            BulkPlace::Plain(other, bytes) => {
                let bytes = self.narrow(*bytes)[lane];
                let source = self.addresses(other)[lane];
                self.check_plain(lane, [(&copy.group, peer(group).1), (other, source)], bytes)?;
                self.read_bytes(other, lane, source, bytes as usize)?
            }
            BulkPlace::Tile(map_access, at) => {
                let map = self.map(map_access, lane)?;
                self.check_tile(lane, &copy.group, peer(group).1)?;
                let at: Vec<i32> = at.iter().map(|at| self.narrow(*at)[lane] as i32).collect();
                let mut tile = map.filling();
                for (first, address, bytes) in map.parts(&at) {
                    let part = self.read_bytes_of(Memory::Global, map_access.cache, lane, address, bytes)?;
                    if let Some(to) = tile.get_mut(first..first + bytes) {
                        to.copy_from_slice(&part);
                    }
                }
                swizzled(&tile, peer(group).1, map.swizzle, true)
            }
        };
        let word = |word: &[u8]| word.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
        let in_flight = InFlight {
            barrier: peer(barrier).1,
            target: peer(group).1,
            words: bytes.chunks(WORD as usize).map(word).collect(),
            combined: reduction(Type::Bits(32)),
            position: self.position,
            thread: self.thread(lane),
        };
        let own = u64::from(self.group.rank);
        if let Some(groups) = copy.multicast {
            let groups = self.narrow(groups)[lane] & 0xffff;
            for rank in lanes_of(groups) {
                self.deliver(rank as u64, lane, in_flight.clone(), &copy.group)?;
            }
            return Ok(());
        }
        let rank = peer(group).0.unwrap_or(own);
        if peer(barrier).0.unwrap_or(own) != rank {
            return Err(failed(lane, barrier, "a bulk copy goes to another group than it is in"));
        }
        self.deliver(rank, lane, in_flight, &copy.group)
    }

    /// Sends a copy on its way to the group of a rank.
    fn deliver(&mut self, rank: u64, lane: usize, copy: InFlight, access: &Access) -> Done {
        let barrier = copy.barrier;
        if rank == u64::from(self.group.rank) {
            let counted = Use {
                bytes: WORD as u32,
                is_read: true,
                is_write: true,
                is_atomic: true,
                cache: access.cache,
                hands_on: false,
            };
            self.resolve(Memory::Shared, 1 << lane, &mut [barrier; WARP], counted)?;
            self.announce(access, lane, &copy)?;
            self.count_copy(barrier).map_err(|problem| failed(lane, barrier, problem))?;
            self.group.bulk_copies.in_flight.push(copy);
            return Ok(());
        }
        let (target, end) = copy.extent();
        let used = Use {
            bytes: PIECE,
            is_read: false,
            is_write: true,
            is_atomic: false,
            cache: access.cache,
            hands_on: false,
        };
        let place = of_peer(target, rank as u32);
        let outside = |lanes: &Self| {
            let access = lanes.describe(Space::Shared, place, used);
            Fault::new(lane, FindingKind::OutOfBounds(access))
        };
        if end > self.core.shape.shared.into() {
            return Err(outside(self));
        }
        match self.core.peers.send(rank as usize, copy) {
            Ok(None) => Ok(()),
            Ok(Some(number)) => {
                let access = self.describe(Space::Shared, target, used);
                let group = self.core.shape.group(number);
                Err(Fault::new(lane, FindingKind::GroupEnded { access, group }))
            }
            Err(()) => Err(outside(self)),
        }
    }

    /// Takes over what other groups of the cluster sent.
    pub(super) fn take_copies(&mut self, lane: usize) -> Done {
        if !self.core.peers.are_several() {
            return Ok(());
        }
        // What it waits for may come from another group.
        self.core.polls = true;
        for copy in self.core.peers.sent_to(self.group.rank as usize) {
            let barrier = copy.barrier;
            self.count_sent(barrier).map_err(|problem| failed(lane, barrier, problem))?;
            self.group.bulk_copies.in_flight.push(copy);
        }
        Ok(())
    }

    fn check_plain(&self, lane: usize, ends: [(&Access, u64); 2], bytes: u32) -> Done {
        let [(_, target), _] = ends;
        if !bytes.is_multiple_of(PIECE) {
            return Err(failed(lane, target, "a bulk copy of bytes that aren't a multiple of 16"));
        }
        for (access, address) in ends {
            if !address.is_multiple_of(u64::from(PIECE)) {
                return Err(self.misaligned(lane, access, address, PIECE));
            }
        }
        Ok(())
    }

    fn check_tile(&self, lane: usize, access: &Access, address: u64) -> Done {
        if address.is_multiple_of(u64::from(TILE_ALIGNMENT)) {
            return Ok(());
        }
        Err(self.misaligned(lane, access, address, TILE_ALIGNMENT))
    }

    fn misaligned(&self, lane: usize, access: &Access, address: u64, bytes: u32) -> Box<Fault> {
        let used = Use {
            bytes,
            is_read: true,
            is_write: false,
            is_atomic: false,
            cache: access.cache,
            hands_on: false,
        };
        let space = if access.memory == Memory::Shared { Space::Shared } else { Space::Global };
        Fault::new(lane, FindingKind::Misaligned(self.describe(space, address, used)))
    }

    /// The map at the address of an access.
    fn map(&mut self, access: &Access, lane: usize) -> Done<TensorMap> {
        let address = self.addresses(access)[lane];
        if !address.is_multiple_of(u64::from(MAP_ALIGNMENT)) {
            return Err(self.misaligned(lane, access, address, MAP_ALIGNMENT));
        }
        let bytes = self.read_bytes(access, lane, address, TENSOR_MAP_BYTES)?;
        let map = bytes.as_slice().try_into().ok().and_then(TensorMap::decode);
        map.ok_or_else(|| Fault::new(lane, FindingKind::TensorMap { address }))
    }

    fn replace(&mut self, access: &Access, field: MapField, value: u64, lane: usize) -> Done {
        let address = self.addresses(access)[lane];
        let mut map = self.map(access, lane)?;
        let wrong = || Fault::new(lane, FindingKind::TensorMap { address });
        match field {
            MapField::Address => map.address = value,
            // One less than the rank.
            MapField::Rank => map.rank = value as usize + 1,
            MapField::Tile(axis) => set(&mut map.tile, axis, value as u32),
            MapField::Dimension(axis) => set(&mut map.dimensions, axis, value),
            MapField::Stride(axis) => set(&mut map.strides, axis, value),
            MapField::Step(axis) => set(&mut map.steps, axis, value as u32),
            MapField::Element => {
                map.element = TensorElement::of_number(value as u32).ok_or_else(wrong)?;
            }
            MapField::Interleave if value == 0 => {}
            MapField::Interleave => return Err(wrong()),
            MapField::Swizzle => map.swizzle = Swizzle::of_number(value as u32).ok_or_else(wrong)?,
            MapField::Fill => map.fills_nan = value == 1,
        }
        self.write_bytes(access, lane, address, &map.encode(), None)
    }

    /// Checks what will be written: by the thread that begins, and from now on.
    fn announce(&mut self, access: &Access, lane: usize, copy: &InFlight) -> Done {
        let (target, end) = copy.extent();
        for at in (target..end).step_by(PIECE as usize) {
            let is_read = copy.combined.is_some();
            let used = Use {
                bytes: PIECE,
                is_read,
                is_write: true,
                is_atomic: false,
                cache: access.cache,
                hands_on: false,
            };
            self.resolve(Memory::Shared, 1 << lane, &mut [at; WARP], used)?;
            if !is_read {
                self.group.shared.mark(at, 0xffff << (at % 64), false);
            }
        }
        Ok(())
    }

    fn read_bytes(&mut self, access: &Access, lane: usize, address: u64, bytes: usize) -> Done<Vec<u8>> {
        self.read_bytes_of(access.memory, access.cache, lane, address, bytes)
    }

    fn read_bytes_of(
        &mut self,
        memory: Memory,
        cache: u32,
        lane: usize,
        address: u64,
        bytes: usize,
    ) -> Done<Vec<u8>> {
        let mut read = Vec::with_capacity(bytes);
        while read.len() < bytes {
            let at = address.wrapping_add(read.len() as u64);
            let size = piece(at, bytes - read.len());
            let used =
                Use { bytes: size, is_read: true, is_write: false, is_atomic: false, cache, hands_on: false };
            let pointers = self.resolve(memory, 1 << lane, &mut [at; WARP], used)?;
            for part in (0..size).step_by(WORD as usize) {
                let width = size.min(WORD as u32);
                // SAFETY: `resolve` gave pointers to `size` bytes, as aligned as that, also for lanes outside of the mask.
                let value = unsafe { load_row(&pointers, part as usize, width) }[lane];
                read.extend_from_slice(value.to_le_bytes().get(..width as usize).unwrap_or_default());
            }
        }
        Ok(read)
    }

    /// Writes, or combines elements with what is there. A tensor's map is in the generic space, and the tensor in device memory.
    fn write_bytes(
        &mut self,
        access: &Access,
        lane: usize,
        address: u64,
        bytes: &[u8],
        combined: Combined,
    ) -> Done {
        let memory = access.memory;
        let mut written = 0;
        while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
            let at = address.wrapping_add(written as u64);
            let size = combined.map_or_else(|| piece(at, rest.len()), |(_, ty)| ty.bytes());
            let is_atomic = combined.is_some();
            let used = Use {
                bytes: size,
                is_read: is_atomic,
                is_write: true,
                is_atomic,
                cache: access.cache,
                hands_on: false,
            };
            let pointers = self.resolve(memory, 1 << lane, &mut [at; WARP], used)?;
            for part in (0..size).step_by(WORD as usize) {
                let width = size.min(WORD as u32);
                let word = rest.get(part as usize..(part + width) as usize).unwrap_or_default();
                let value = word.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                // SAFETY: `resolve` gave a pointer to `size` bytes, as aligned as that.
                let pointer = unsafe { pointers[lane].add(part as usize) };
                match combined {
                    // SAFETY: the pointer is to an element that `resolve` found, as aligned as that.
                    Some((kind, ty)) => unsafe { reduced(pointer, kind, ty, value) },
                    // SAFETY: the pointer is to so many bytes of those that `resolve` found, as aligned as that.
                    None => unsafe { store_element(pointer, width, value) },
                }
            }
            written += size as usize;
        }
        Ok(())
    }

    /// Lets the copies come that a barrier counts. Gives their bytes.
    pub(super) fn land_copies(&mut self, barrier: u64) -> i64 {
        let copies = &mut self.group.bulk_copies.in_flight;
        let (landed, rest): (Vec<InFlight>, Vec<InFlight>) =
            std::mem::take(copies).into_iter().partition(|copy| copy.barrier == barrier);
        *copies = rest;
        let mut bytes = 0;
        for copy in landed {
            for (index, &word) in (0_u64..).zip(&copy.words) {
                let at = copy.target + index * WORD;
                // SAFETY: the target was checked when the copy was begun, and is the group's memory as long as that is.
                let pointer = unsafe { self.group.shared.pointer().add(at as usize) };
                match copy.combined {
                    None => {
                        // SAFETY: the pointer is to a word of the group's memory, and aligned: targets are.
                        unsafe { store_element(pointer, WORD as u32, word) };
                    }
                    Some((kind, ty)) => {
                        for byte in (0..WORD as u32).step_by(ty.bytes() as usize) {
                            // SAFETY: the pointer is to an aligned element within a word of the group's memory.
                            unsafe { reduced(pointer.add(byte as usize), kind, ty, word >> (8 * byte)) };
                        }
                    }
                }
                self.group.shared.mark(at, 0xff << (at % 64), true);
                bytes += WORD as i64;
            }
        }
        bytes
    }
}

fn set<T>(values: &mut [T], axis: usize, value: T) {
    if let Some(to) = values.get_mut(axis) {
        *to = value;
    }
}

/// Bytes that are accessed at once, of so many at an address.
fn piece(address: u64, bytes: usize) -> u32 {
    let mut size = PIECE;
    while !address.is_multiple_of(u64::from(size)) || size as usize > bytes {
        size /= 2;
    }
    size.max(1)
}

/// A tile as it lies at an address of workgroup memory, or back.
fn swizzled(tile: &[u8], address: u64, swizzle: Swizzle, to_memory: bool) -> Vec<u8> {
    if swizzle == Swizzle::None {
        return tile.to_vec();
    }
    let mut result = tile.to_vec();
    let piece = PIECE as usize;
    for at in (0..tile.len()).step_by(piece) {
        let place = swizzle.place(address + at as u64, 0).wrapping_sub(address) as usize;
        let (from, to) = if to_memory { (at, place) } else { (place, at) };
        if let (Some(from), Some(to)) = (tile.get(from..from + piece), result.get_mut(to..to + piece)) {
            to.copy_from_slice(from);
        }
    }
    result
}

fn type_of(element: TensorElement) -> Type {
    match element {
        TensorElement::Unsigned(bytes) => Type::Unsigned(8 * bytes),
        TensorElement::Signed(bytes) => Type::Signed(8 * bytes),
        TensorElement::Half => Type::Float(16),
        TensorElement::Brain => Type::BFloat,
        TensorElement::Single => Type::Float(32),
        TensorElement::Double => Type::Float(64),
    }
}
