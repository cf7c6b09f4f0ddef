//! What launches ask for beyond their sizes: whether the device can do it.

use gridwright_core::{Carveout, ConfigError, LaunchAttributes, LaunchSizes, Signature};

use crate::launch::Prepared;
use crate::submission::Attribute;
use crate::{DeviceKind, Error};

impl<K: Signature> Prepared<K> {
    /// Whether a launch of these sizes can have its attributes, which fit its sizes.
    #[cold]
    pub(crate) fn check_attributes(
        &self,
        attributes: &LaunchAttributes,
        sizes: &LaunchSizes,
    ) -> Result<(), Error> {
        // All of it, or what is new here isn't looked at.
        let LaunchAttributes { cooperative, cluster, programmatic_dependent, carveout, .. } = *attributes;
        if cooperative {
            self.check_cooperative(sizes)?;
        }
        if programmatic_dependent {
            if Self::is_safe() {
                return Err(invalid::<K>(ConfigError::ProgrammaticDependent));
            }
            self.check_support(Attribute::ProgrammaticDependent)?;
        }
        if let Some(cluster) = cluster {
            // The CPU runs the groups of a cluster's kernel together, and others' one after the other.
            if !(K::CPU.is_of_clusters() && self.device().kind() == DeviceKind::Cpu) {
                self.check_support(Attribute::Cluster)?;
            }
            if K::CPU.is_of_clusters() {
                self.check_image_of_clusters()?;
            }
            let groups = cluster.axes().iter().fold(1, |product: u128, &n| product.saturating_mul(n as u128));
            let most = self.device().backend().most_groups_in_cluster(&*self.loaded, sizes)?;
            at_most::<K>(
                "workgroups in a cluster",
                groups,
                most,
                "take smaller clusters, or smaller workgroups",
            )?;
        }
        if let Some(carveout) = carveout {
            self.check_support(Attribute::PreferredWorkgroupMemory)?;
            let most = self.device().backend().workgroup_memory_of_processor();
            if let (Carveout::Bytes(bytes), Some(most)) = (carveout, most) {
                let what = "preferred bytes of a processor's workgroup memory";
                at_most::<K>(what, bytes as u128, most, "prefer at most all of it")?;
            }
        }
        Ok(())
    }

    /// Whether a launch with these attributes, whose groups may meet, can be a part of a graph.
    pub(crate) fn check_recorded(&self, attributes: &LaunchAttributes, meets: bool) -> Result<(), Error> {
        if meets {
            let reason = "a graph repeats its launches with the same memory, and the groups of a grid meet in memory that \
                          is each launch's own; launch it by itself";
            let device = self.device().name().into();
            let (kernel, reason) = (K::NAME, reason.into());
            return Err(Error::AttributeUnsupported { kernel, device, attribute: "grid", reason });
        }
        if attributes.programmatic_dependent && !Self::is_safe() {
            let reason = "a graph orders its launches by the memory that they use; launch it by itself";
            return Err(self.unsupported(Attribute::ProgrammaticDependent, reason.into()));
        }
        Ok(())
    }

    fn check_cooperative(&self, sizes: &LaunchSizes) -> Result<(), Error> {
        let LaunchSizes { geometry, memory, .. } = sizes;
        let most = self.most_groups(geometry.block.iter().product(), memory.bytes)?;
        let groups = geometry.groups.iter().fold(1, |product: u128, &n| product.saturating_mul(n as u128));
        if groups > most {
            return Err(invalid::<K>(ConfigError::Cooperative { groups, most }));
        }
        Ok(())
    }

    /// How many workgroups of so many threads and bytes run at the same time and may wait for each other.
    fn most_groups(&self, threads: usize, bytes: usize) -> Result<u128, Error> {
        let backend = self.device().backend();
        if !backend.has_cooperative_launches() {
            return Ok(0);
        }
        let occupancy = backend.occupancy(&*self.loaded, threads, bytes)?;
        Ok(occupancy.groups() as u128)
    }

    /// Whether the code that the device got for a cluster's kernel knows of clusters.
    fn check_image_of_clusters(&self) -> Result<(), Error> {
        let Some(architecture) = self.loaded.architecture().filter(|name| !has_clusters(name)) else {
            return Ok(());
        };
        let reason = format!(
            "its code is for {architecture}, and clusters of several workgroups take code for sm_90 or newer: add `sm_90` to \
             `architectures` in [package.metadata.gridwright], or to GRIDWRIGHT_ARCHITECTURES when building"
        );
        Err(self.unsupported(Attribute::Cluster, reason))
    }

    fn check_support(&self, attribute: Attribute) -> Result<(), Error> {
        self.device()
            .backend()
            .lacks(attribute)
            .map_or(Ok(()), |reason| Err(self.unsupported(attribute, reason)))
    }

    fn unsupported(&self, attribute: Attribute, reason: String) -> Error {
        let device = self.device().name().into();
        Error::AttributeUnsupported { kernel: K::NAME, device, attribute: attribute.name(), reason }
    }
}

/// Whether an architecture, such as `sm_90`, has clusters.
fn has_clusters(architecture: &str) -> bool {
    let number = architecture.strip_prefix("sm_").map(|name| name.trim_end_matches(char::is_alphabetic));
    number.and_then(|number| number.parse().ok()).is_some_and(|number: u32| number >= 90)
}

fn invalid<K: Signature>(reason: ConfigError) -> Error {
    Error::InvalidConfig { kernel: K::NAME, reason }
}

fn at_most<K: Signature>(
    what: &'static str,
    value: u128,
    limit: usize,
    remedy: &'static str,
) -> Result<(), Error> {
    let limit = limit as u128;
    if value > limit {
        return Err(invalid::<K>(ConfigError::OverLimit { what, value, limit, remedy }));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::has_clusters;

    #[test]
    fn architectures_from_sm_90_on_have_clusters() {
        assert!(["sm_90", "sm_90a", "sm_100", "sm_120f"].iter().all(|name| has_clusters(name)));
        assert!(["sm_80", "sm_89", "gfx942", "", "sm_", "sm_a"].iter().all(|name| !has_clusters(name)));
    }
}
