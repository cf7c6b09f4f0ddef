//! Keys and their values, where they lie.

/// Keys and values by address, for tasks that each write to places of their own.
pub(crate) struct Items<K, V> {
    keys: *mut K,
    values: *mut V,
}

impl<K, V> Clone for Items<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Items<K, V> {}

// SAFETY: it is an address; each method that reads or writes has conditions of its own.
unsafe impl<K: Send + Sync, V: Send + Sync> Send for Items<K, V> {}
// SAFETY: each method that reads or writes asks its caller that no other thread has the items.
unsafe impl<K: Send + Sync, V: Send + Sync> Sync for Items<K, V> {}

impl<K: Copy, V: Copy> Items<K, V> {
    /// As many as both slices have.
    pub(super) fn new(keys: &mut [K], values: &mut [V]) -> Self {
        debug_assert_eq!(keys.len(), values.len());
        Self { keys: keys.as_mut_ptr(), values: values.as_mut_ptr() }
    }

    /// # Safety
    /// There is an item `i`, and nobody writes it.
    #[inline(always)]
    pub(super) unsafe fn key(self, i: usize) -> K {
        // SAFETY: the caller says so.
        unsafe { self.keys.add(i).read() }
    }

    /// # Safety
    /// There is an item `i`, and nobody writes it.
    #[inline(always)]
    pub(super) unsafe fn value(self, i: usize) -> V {
        // SAFETY: the caller says so.
        unsafe { self.values.add(i).read() }
    }

    /// # Safety
    /// There is an item `i`, and nobody else reads or writes it.
    #[inline(always)]
    pub(super) unsafe fn set(self, i: usize, key: K, value: V) {
        // SAFETY: the caller says so.
        unsafe {
            self.keys.add(i).write(key);
            self.values.add(i).write(value);
        }
    }

    /// The items from `i` on.
    ///
    /// # Safety
    /// There are at least `i`.
    #[inline(always)]
    pub(super) unsafe fn from(self, i: usize) -> Self {
        // SAFETY: the caller says so.
        unsafe { Self { keys: self.keys.add(i), values: self.values.add(i) } }
    }

    /// The first `len` keys.
    ///
    /// # Safety
    /// There are as many, and nobody writes them while the slice is there.
    #[inline(always)]
    pub(super) unsafe fn keys<'k>(self, len: usize) -> &'k [K] {
        // SAFETY: the caller says so.
        unsafe { std::slice::from_raw_parts(self.keys, len) }
    }

    /// The first `len` keys, to write.
    ///
    /// # Safety
    /// There are as many, and nobody else reads or writes them while the slice is there.
    #[inline(always)]
    pub(super) unsafe fn keys_mut<'k>(self, len: usize) -> &'k mut [K] {
        // SAFETY: the caller says so.
        unsafe { std::slice::from_raw_parts_mut(self.keys, len) }
    }

    /// Where the keys and the values are.
    #[inline(always)]
    pub(super) fn addresses(self) -> (*mut K, *mut V) {
        (self.keys, self.values)
    }

    /// Copies the first `len` of `from`.
    ///
    /// # Safety
    /// Both have as many, they don't overlap, and nobody else reads or writes these.
    pub(super) unsafe fn copy(self, from: Self, len: usize) {
        // SAFETY: the caller says so.
        unsafe {
            self.keys.copy_from_nonoverlapping(from.keys, len);
            self.values.copy_from_nonoverlapping(from.values, len);
        }
    }
}
