//! Attributes of launches, and of graphs' kernel nodes: those that a driver knows, and whether a device can do what they say.

use std::ffi::c_int;

use crate::abi::In;
use crate::error::Error;
use crate::model::Model;

const IGNORE: c_int = 0;
const ACCESS_POLICY: c_int = 1;
const COOPERATIVE: c_int = 2;
const CLUSTER: c_int = 4;
const CLUSTER_SCHEDULING: c_int = 5;
const PROGRAMMATIC_SERIALIZATION: c_int = 6;
const PRIORITY: c_int = 8;
const DOMAIN_MAP: c_int = 9;
const DOMAIN: c_int = 10;
const CARVEOUT: c_int = 14;

/// `CUlaunchAttribute`.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub(crate) struct Attribute {
    name: c_int,
    padding: c_int,
    value: Value,
}

/// `CUlaunchAttributeValue`, as words.
pub(crate) type Value = [u32; 16];

/// What of them changes a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attributes {
    pub(crate) is_cooperative: bool,
    /// Blocks of a cluster; one is none.
    pub(crate) cluster: [u32; 3],
    /// Whether the launch may begin before the one before it has ended. It never does.
    is_programmatic: bool,
    /// Per cent of a multiprocessor's shared memory. Without effect.
    carveout: Option<u32>,
}

impl Attributes {
    pub(crate) const NONE: Self =
        Self { is_cooperative: false, cluster: [1; 3], is_programmatic: false, carveout: None };

    pub(crate) const COOPERATIVE: Self = Self { is_cooperative: true, ..Self::NONE };

    /// The attributes of a launch: as many as are said.
    pub(crate) fn of_launch(attributes: In<Attribute>, count: usize) -> Result<Self, Error> {
        let mut all = Self::NONE;
        for index in 0..count {
            let Attribute { name, value, .. } = attributes.at(index)?;
            match name {
                PROGRAMMATIC_SERIALIZATION => all.is_programmatic = value[0] != 0,
                _ => all.set(name, &value)?,
            }
        }
        Ok(all)
    }

    /// Sets one that both launches and nodes have.
    ///
    /// # Errors
    /// For one that isn't known or means nothing there, and for those that are known and not supported.
    pub(crate) fn set(&mut self, name: c_int, value: &Value) -> Result<(), Error> {
        match name {
            COOPERATIVE => self.is_cooperative = value[0] != 0,
            CLUSTER => {
                let [x, y, z, ..] = *value;
                if x == 0 || y == 0 || z == 0 {
                    return Err(Error::INVALID_VALUE);
                }
                self.cluster = [x, y, z];
            }
            // 0 to 100, or all bits for no preference.
            CARVEOUT => match value[0] {
                u32::MAX => self.carveout = None,
                percent @ 0..=100 => self.carveout = Some(percent),
                _ => return Err(Error::INVALID_VALUE),
            },
            // A policy of three, and hints that change nothing.
            CLUSTER_SCHEDULING if value[0] > 2 => return Err(Error::INVALID_VALUE),
            IGNORE | ACCESS_POLICY | CLUSTER_SCHEDULING | PRIORITY | DOMAIN_MAP | DOMAIN => {}
            // Events in the middle of launches, nodes that kernels update, preferred clusters beside the least.
            7 | 11..=13 => return Err(Error::NOT_SUPPORTED),
            // The policy of synchronisation among them: streams have one.
            _ => return Err(Error::INVALID_VALUE),
        }
        Ok(())
    }

    /// What a node tells of one.
    pub(crate) fn get(&self, name: c_int) -> Result<Value, Error> {
        let mut value = [0; 16];
        match name {
            COOPERATIVE => value[0] = self.is_cooperative.into(),
            CLUSTER => value[..3].copy_from_slice(&self.cluster),
            CARVEOUT => value[0] = self.carveout.unwrap_or(u32::MAX),
            1..=14 => return Err(Error::NOT_SUPPORTED),
            _ => return Err(Error::INVALID_VALUE),
        }
        Ok(value)
    }

    /// Blocks of a cluster.
    pub(crate) fn cluster_size(&self) -> u64 {
        self.cluster.iter().fold(1, |product: u64, &size| product.saturating_mul(size.into()))
    }

    /// Whether a device can do it with so many blocks, of which a cluster may have so many.
    pub(crate) fn check(&self, model: &Model, grid: [u32; 3], largest_cluster: u32) -> Result<(), Error> {
        let has_clusters = model.has_clusters();
        if (self.is_programmatic || self.cluster_size() > 1) && !has_clusters {
            return Err(Error::NOT_SUPPORTED);
        }
        if grid.iter().zip(self.cluster).any(|(blocks, of_cluster)| blocks % of_cluster != 0) {
            return Err(Error::INVALID_VALUE);
        }
        if self.cluster_size() > 1 && self.cluster_size() > largest_cluster.into() {
            return Err(Error::INVALID_CLUSTER_SIZE);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Attributes, CARVEOUT, CLUSTER};
    use crate::error::Error;
    use crate::model::Model;

    fn with(name: i32, first: [u32; 3]) -> Result<Attributes, Error> {
        let (mut all, mut value) = (Attributes::NONE, [0; 16]);
        value[..3].copy_from_slice(&first);
        all.set(name, &value).map(|()| all)
    }

    #[test]
    fn values_that_mean_nothing_are_refused() {
        assert_eq!(with(CLUSTER, [2, 0, 1]), Err(Error::INVALID_VALUE));
        assert_eq!(with(CARVEOUT, [101, 0, 0]), Err(Error::INVALID_VALUE));
        assert_eq!(with(CARVEOUT, [u32::MAX, 0, 0]), Ok(Attributes::NONE));
        assert_eq!(with(3, [0; 3]), Err(Error::INVALID_VALUE), "of streams");
        assert_eq!(with(99, [0; 3]), Err(Error::INVALID_VALUE));
        assert_eq!(with(7, [0; 3]), Err(Error::NOT_SUPPORTED));
    }

    #[test]
    fn clusters_divide_the_grid_and_fit() {
        let sm_90 = Model::default();
        let sm_80 = Model::named("sm_80").expect("known");
        let of = |cluster| with(CLUSTER, cluster).expect("a cluster");
        assert_eq!(of([4, 2, 1]).check(&sm_90, [8, 2, 3], 8), Ok(()));
        assert_eq!(of([4, 2, 1]).check(&sm_90, [8, 3, 1], 8), Err(Error::INVALID_VALUE));
        assert_eq!(of([16, 1, 1]).check(&sm_90, [32, 1, 1], 8), Err(Error::INVALID_CLUSTER_SIZE));
        assert_eq!(of([16, 1, 1]).check(&sm_90, [32, 1, 1], 16), Ok(()));
        assert_eq!(of([2, 1, 1]).check(&sm_80, [2, 1, 1], 8), Err(Error::NOT_SUPPORTED));
        assert_eq!(of([1, 1, 1]).check(&sm_80, [3, 1, 1], 0), Ok(()));
    }
}
