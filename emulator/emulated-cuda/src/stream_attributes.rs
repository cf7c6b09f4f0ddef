//! Attributes of streams. They are kept and change nothing here.

use std::ffi::c_int;

use crate::abi::{In, Out};
use crate::context::Cuda;
use crate::error::Error;
use crate::locks::lock;
use crate::registry::Handle;
use crate::shared::context::Vendor;
use crate::stream::find;
use crate::vendor::StreamAttribute;

const ACCESS_POLICY: c_int = 1;
const SYNCHRONISATION_POLICY: c_int = 3;
const PRIORITY: c_int = 8;
const DOMAIN_MAP: c_int = 9;
const DOMAIN: c_int = 10;

fn is_of_streams(attribute: c_int) -> bool {
    matches!(attribute, ACCESS_POLICY | SYNCHRONISATION_POLICY | PRIORITY | DOMAIN_MAP | DOMAIN)
}

driver! {
    fn cuStreamSetAttribute[ptsz](stream: Handle, attribute: c_int, value: In<StreamAttribute>) {
        let stream = find(stream)?;
        let value = value.get()?;
        let is_known = match attribute {
            SYNCHRONISATION_POLICY => (1..=4).contains(&value[0]),
            PRIORITY => (Cuda::GREATEST_PRIORITY..=Cuda::LEAST_PRIORITY).contains(&(value[0] as c_int)),
            DOMAIN => value[0] <= 1,
            other => is_of_streams(other),
        };
        if !is_known {
            return Err(Error::INVALID_VALUE);
        }
        lock(&stream.own.0).insert(attribute, value);
        Ok(())
    }

    /// One that wasn't set is zero, but for the priority, and the policy of waiting, which is the driver's choice.
    fn cuStreamGetAttribute[ptsz](stream: Handle, attribute: c_int, value: Out<StreamAttribute>) {
        let stream = find(stream)?;
        if !is_of_streams(attribute) {
            return Err(Error::INVALID_VALUE);
        }
        let mut default = [0; 16];
        match attribute {
            SYNCHRONISATION_POLICY => default[0] = 1,
            PRIORITY => default[0] = stream.priority as u32,
            _ => {}
        }
        value.put(lock(&stream.own.0).get(&attribute).copied().unwrap_or(default))
    }

    fn cuStreamCopyAttributes[ptsz](to: Handle, from: Handle) {
        let (to, from) = (find(to)?, find(from)?);
        let copied = lock(&from.own.0).clone();
        lock(&to.own.0).extend(copied);
        Ok(())
    }
}
