//! The arguments of a launch, as callers give them.

use std::ffi::c_void;

use crate::error::Error;

/// The caller's arguments: an array with the address of each. Null, or as long as the kernel has parameters, each address valid for
/// reads of its parameter's size.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Arguments(*const *const c_void);

/// The other way to give arguments: a list of names and values that say where all bytes are. Null, or with `END` behind the last: each
/// name but that has a value behind it, and the bytes are as many as they say.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Extra<const END: usize>(*const *const c_void);

/// What a kernel's arguments are.
pub struct Parameters<'a> {
    /// The offset and the size of each.
    pub each: &'a [(usize, usize)],
    /// Of all.
    pub bytes: usize,
    /// Bytes that a caller gives in one piece.
    pub given: usize,
    /// The most that a caller may give in one piece.
    pub most: usize,
}

impl Parameters<'_> {
    /// The parameters' bytes, of arguments that are given in one way or the other.
    ///
    /// # Errors
    /// If they are given in both, or in none.
    pub fn gather<const END: usize>(
        &self,
        arguments: Arguments,
        extra: Extra<END>,
    ) -> Result<Vec<u8>, Error> {
        match (arguments.0.is_null(), extra.0.is_null()) {
            (false, false) => Err(Error::INVALID_VALUE),
            (true, false) => self.gather_whole(extra),
            _ => self.gather_each(arguments),
        }
    }

    fn gather_each(&self, arguments: Arguments) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; self.bytes];
        if self.each.is_empty() {
            return Ok(bytes);
        }
        if arguments.0.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        for (index, &(offset, size)) in self.each.iter().enumerate() {
            // SAFETY: not null, so with an address for each parameter: the type's invariant.
            let argument = unsafe { *arguments.0.add(index) };
            let target = bytes.get_mut(offset..offset + size).ok_or(Error::INVALID_VALUE)?;
            if argument.is_null() {
                return Err(Error::INVALID_VALUE);
            }
            // SAFETY: not null, so valid for reads of the parameter's size, which is the target's: the type's invariant.
            unsafe { argument.cast::<u8>().copy_to_nonoverlapping(target.as_mut_ptr(), size) };
        }
        Ok(bytes)
    }

    fn gather_whole<const END: usize>(&self, extra: Extra<END>) -> Result<Vec<u8>, Error> {
        const BUFFER_POINTER: usize = 1;
        const BUFFER_SIZE: usize = 2;
        let (mut pointer, mut size) = (std::ptr::null::<c_void>(), 0);
        for pair in 0..3 {
            // SAFETY: not null, so a list that ends with `END`; each name but that has a value behind it.
            let name = unsafe { *extra.0.add(2 * pair) }.addr();
            if name == END {
                break;
            }
            // SAFETY: the name isn't `END`, so the list has a value behind it.
            let value = unsafe { *extra.0.add(2 * pair + 1) };
            match name {
                BUFFER_POINTER => pointer = value,
                // SAFETY: this name's value is the address of a size, or null, which isn't looked at.
                BUFFER_SIZE if !value.is_null() => size = unsafe { *value.cast::<usize>() },
                _ => return Err(Error::INVALID_VALUE),
            }
        }
        if pointer.is_null() || size < self.given || size > self.most {
            return Err(Error::INVALID_VALUE);
        }
        let mut bytes = vec![0; self.bytes];
        let target = bytes.get_mut(..self.given).ok_or(Error::INVALID_VALUE)?;
        // SAFETY: the caller says that `size` bytes are there, and the target's are no more.
        unsafe { pointer.cast::<u8>().copy_to_nonoverlapping(target.as_mut_ptr(), target.len()) };
        Ok(bytes)
    }
}

impl Arguments {
    /// Addresses that live as long as whoever is given them needs them.
    pub fn new(addresses: *const *const c_void) -> Self {
        Self(addresses)
    }
}

impl<const END: usize> Extra<END> {
    pub const NONE: Self = Self(std::ptr::null());
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Extra, Parameters};
    use crate::error::Error;

    const PARAMETERS: Parameters<'_> = Parameters { each: &[(0, 4), (8, 2)], bytes: 16, given: 10, most: 16 };

    #[test]
    fn arguments_are_given_one_by_one_or_in_one_piece() {
        let (first, second) = (0x0403_0201_u32, 0x0605_u16);
        let addresses = [(&raw const first).cast(), (&raw const second).cast()];
        let expected = [1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0];
        let each = PARAMETERS.gather(Arguments(addresses.as_ptr()), Extra::<3>::NONE);
        assert_eq!(each.as_deref(), Ok(&expected[..]));
        let whole = |size: usize| {
            let number = std::ptr::without_provenance;
            let (bytes, size) = (expected.as_ptr().cast(), (&raw const size).cast());
            let extra = [number(1), bytes, number(2), size, number(3)];
            PARAMETERS.gather(Arguments(std::ptr::null()), Extra::<3>(extra.as_ptr()))
        };
        assert_eq!(whole(10).as_deref(), Ok(&expected[..]));
        assert_eq!((whole(9), whole(17)), (Err(Error::INVALID_VALUE), Err(Error::INVALID_VALUE)));
    }

    #[test]
    fn arguments_are_given_in_one_way() {
        let null = [std::ptr::null(); 2];
        let [none, wrong] = [std::ptr::null(), null.as_ptr()].map(Arguments);
        let given = Extra::<3>(null.as_ptr());
        for (arguments, extra) in [(none, Extra::NONE), (wrong, Extra::NONE), (wrong, given)] {
            assert_eq!(PARAMETERS.gather(arguments, extra), Err(Error::INVALID_VALUE));
        }
    }
}
