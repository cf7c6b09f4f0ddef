//! What crosses the C ABI: pointers of callers.

use std::ffi::{CStr, c_char, c_void};

use crate::error::Error;

/// A caller's address for a result. Null, or valid for a write of a `T`: only callers of the C functions make these, and
/// each function's `# Safety` demands it.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    pub const NULL: Self = Self(std::ptr::null_mut());

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The place as the first of an array, which the caller says is as long as it is written.
    pub fn array(self) -> InOut<T> {
        InOut(self.0)
    }

    /// # Errors
    /// If it is null.
    pub fn put(self, value: T) -> Result<(), Error> {
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: not null, so valid for a write: the type's invariant.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Nothing, if it is null.
    pub fn put_if_asked(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: not null, so valid for a write: the type's invariant.
            unsafe { self.0.write(value) };
        }
    }
}

impl Out<c_char> {
    /// A text with a zero behind it, cut to `length` bytes with the zero.
    pub fn put_text(self, text: &str, length: usize) -> Result<(), Error> {
        if self.0.is_null() || length == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let kept = text.len().min(length - 1);
        // SAFETY: the functions with such a parameter demand `length` bytes; `kept` and the zero are as many at most.
        unsafe {
            self.0.copy_from_nonoverlapping(text.as_ptr().cast(), kept);
            self.0.add(kept).write(0);
        }
        Ok(())
    }
}

/// A caller's address of one or more values. Null, or valid for reads, as [`Out`] is for writes.
#[repr(transparent)]
pub struct In<T>(*const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> In<T> {
    pub const NULL: Self = Self(std::ptr::null());

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

impl<T: Copy> In<T> {
    pub fn get(self) -> Result<T, Error> {
        self.at(0)
    }

    /// One of an array, which the caller says is longer than `index`.
    pub fn at(self, index: usize) -> Result<T, Error> {
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: not null, so valid for reads of as many values as the caller says: the type's invariant.
        Ok(unsafe { self.0.add(index).read() })
    }
}

/// A caller's array that is read and written. As [`In`] and [`Out`].
#[repr(transparent)]
pub struct InOut<T>(*mut T);

impl<T> Clone for InOut<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InOut<T> {}

impl<T> InOut<T> {
    pub const NULL: Self = Self(std::ptr::null_mut());
}

impl<T: Copy> InOut<T> {
    pub fn at(self, index: usize) -> Result<T, Error> {
        In(self.0.cast_const()).at(index)
    }

    pub fn put_at(self, index: usize, value: T) -> Result<(), Error> {
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: not null, so valid for writes of as many values as the caller says: the type's invariant.
        unsafe { self.0.add(index).write(value) };
        Ok(())
    }
}

/// A caller's text: null, or with a zero behind it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    pub fn bytes(&self) -> Result<&[u8], Error> {
        if self.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: not null, so with a zero behind it: the type's invariant. The call outlives the borrow.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }

    pub fn get(&self) -> Result<&str, Error> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Error::INVALID_VALUE)
    }
}

/// A caller's address whose type depends on another parameter. Null, or valid for a read and a write of that type.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Untyped(*mut c_void);

impl Untyped {
    /// A number in a pointer's place.
    pub fn from_number(number: usize) -> Self {
        Self(std::ptr::without_provenance_mut(number))
    }

    pub fn address(self) -> usize {
        self.0.addr()
    }

    /// An address some bytes behind it; null stays null.
    pub fn behind(self, bytes: usize) -> Self {
        if self.0.is_null() { self } else { Self(self.0.wrapping_byte_add(bytes)) }
    }

    /// The pointer as the address of a `T` to write, which the other parameter asks for.
    pub fn out<T>(self) -> Out<T> {
        Out(self.0.cast())
    }

    /// The pointer as the address of a `T` to read, which the other parameter asks for.
    pub fn input<T>(self) -> In<T> {
        In(self.0.cast_const().cast())
    }

    /// The pointer as the address of an array of `T`, which the other parameter asks for.
    pub fn in_out<T>(self) -> InOut<T> {
        InOut(self.0.cast())
    }
}
