//! Launches: their sizes are checked, and what runs them is given all that it needs.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::{Device, Launch, Loaded};
use crate::checks::{GlobalShadow, Synchronisation};
use crate::execute::{self, Shared};
use crate::machine::Shape;
use crate::module::Entry;
use crate::report::{Collected, LaunchError, Report};

const MOST_THREADS: u64 = 1024;
/// Groups of a cluster at most, where a kernel is given leave; 8 without, which a driver knows.
const MOST_GROUPS_OF_CLUSTER: u32 = 16;

impl Device {
    /// Runs a kernel, and returns when all its groups have ended. Several launches may run at once, from several host threads.
    ///
    /// # Errors
    /// [`LaunchError::Fault`] where a thread did what ends a launch: memory keeps what was written up to there, and the device
    /// stays usable. Other errors are found before anything runs.
    pub fn launch(&self, loaded: &Loaded, entry: &str, launch: &Launch<'_>) -> Result<Report, LaunchError> {
        let image = &loaded.module().image;
        let number = image.entries.iter().position(|known| known.name() == entry);
        let number = number.ok_or_else(|| LaunchError::NoEntry { name: entry.to_owned() })?;
        let entry = &image.entries[number];
        let launch = &clustered(entry, launch);
        let shape = check(self, loaded, entry, launch)?;
        let mut parameters = vec![0_u128; launch.parameters.len().div_ceil(16)];
        for (word, bytes) in parameters.iter_mut().zip(launch.parameters.chunks(16)) {
            let mut whole = [0; 16];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u128::from_ne_bytes(whole);
        }
        let shared = Arc::new(Shared {
            memory: Arc::clone(&self.memory),
            objects: Arc::clone(&self.objects),
            image: Arc::clone(image),
            entry: number,
            parameters,
            parameter_bytes: entry.parameter_bytes() as u64,
            workspace: launch.workspace,
            instruction_limit: launch.instruction_limit,
            stack_limit: launch.stack_limit,
            stop: AtomicBool::new(false),
            collected: Mutex::new(Collected::new(launch.most_findings)),
            fault: Mutex::new(None),
            print: launch.print.clone(),
            count_lines: launch.count_lines,
            approximations: self.options.approximations,
            shadow: launch.checks.device_races.then(|| GlobalShadow::new(entry.finest_global.into())),
            synchronisation: Synchronisation::default(),
            started: Instant::now(),
            next_cluster: AtomicU64::new(0),
        });
        let constants = loaded.constants(number, entry);
        let host_threads = self.options.host_threads as u64;
        execute::run(&shared, &constants, shape, launch.checks, launch.cooperative, host_threads)
    }
}

/// The launch with the clusters that the kernel asks for, where it says nothing of them itself.
fn clustered<'p>(entry: &Entry, launch: &Launch<'p>) -> Launch<'p> {
    let own = entry.required_cluster().filter(|_| launch.cluster == [1; 3]);
    Launch { cluster: own.unwrap_or(launch.cluster), ..launch.clone() }
}

fn check(device: &Device, loaded: &Loaded, entry: &Entry, launch: &Launch<'_>) -> Result<Shape, LaunchError> {
    let refuse = |what: &'static str, given: String, allowed: String| LaunchError::Configuration {
        kernel: entry.name().to_owned(),
        what,
        given,
        allowed,
    };
    if !loaded.belongs_to(&device.memory) {
        return Err(refuse(
            "the device",
            "another one".into(),
            "the one that the module was loaded on".into(),
        ));
    }
    let text = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
    let most_grid = [i32::MAX as u32, 65535, 65535];
    let in_range = |sizes: [u32; 3], most: [u32; 3]| {
        sizes.iter().zip(most).all(|(&size, most)| (1..=most).contains(&size))
    };
    if !in_range(launch.grid, most_grid) {
        return Err(refuse("the grid", text(launch.grid), format!("(1, 1, 1) to {}", text(most_grid))));
    }
    let groups: u64 = launch.grid.iter().map(|&size| u64::from(size)).product();
    if groups > u64::from(u32::MAX) {
        return Err(refuse("the number of groups", groups.to_string(), format!("at most {}", u32::MAX)));
    }
    let groups_of_cluster: u64 = launch.cluster.iter().map(|&size| u64::from(size)).product();
    if !in_range(launch.cluster, [MOST_GROUPS_OF_CLUSTER; 3])
        || groups_of_cluster > u64::from(MOST_GROUPS_OF_CLUSTER)
        || launch.grid.iter().zip(launch.cluster).any(|(groups, of_cluster)| groups % of_cluster != 0)
    {
        let grid = text(launch.grid);
        let allowed = format!("1 to {MOST_GROUPS_OF_CLUSTER} groups that divide the grid {grid}");
        return Err(refuse("the cluster", text(launch.cluster), allowed));
    }
    if let Some(required) = entry.required_cluster()
        && launch.cluster != required
    {
        return Err(refuse("the cluster", text(launch.cluster), format!("{} only", text(required))));
    }
    if let Some(most) = entry.most_groups_of_cluster().filter(|most| groups_of_cluster > u64::from(*most)) {
        return Err(refuse("the cluster", text(launch.cluster), format!("at most {most} groups")));
    }
    let most_block = [1024, 1024, 64];
    if !in_range(launch.block, most_block) {
        return Err(refuse("the block", text(launch.block), format!("(1, 1, 1) to {}", text(most_block))));
    }
    if let Some(required) = entry.required_block()
        && launch.block != required
    {
        return Err(refuse("the block", text(launch.block), format!("{} only", text(required))));
    }
    let product = |[x, y, z]: [u32; 3]| u64::from(x) * u64::from(y) * u64::from(z);
    let threads = product(launch.block);
    let most = entry.max_block().map_or(MOST_THREADS, |most| product(most).min(MOST_THREADS));
    if threads > most {
        return Err(refuse(
            "the number of threads of a group",
            threads.to_string(),
            format!("at most {most}"),
        ));
    }
    let shared = entry.dynamic_shared.max(entry.shared_bytes()).saturating_add(launch.dynamic_shared);
    if shared > device.options.workgroup_memory {
        let most = format!("at most {} bytes", device.options.workgroup_memory);
        return Err(refuse("workgroup memory", format!("{shared} bytes"), most));
    }
    if launch.parameters.len() < entry.parameter_bytes() {
        let given = format!("{} bytes", launch.parameters.len());
        return Err(refuse(
            "the size of the parameters",
            given,
            format!("{} bytes", entry.parameter_bytes()),
        ));
    }
    let local = loaded.module().image.functions[entry.function as usize].frame_bytes;
    if local > launch.stack_limit {
        let most = format!("at most {} bytes", launch.stack_limit);
        return Err(refuse("local memory", format!("{local} bytes"), most));
    }
    let threads = threads as u32;
    Ok(Shape {
        grid: launch.grid,
        block: launch.block,
        cluster: launch.cluster,
        threads,
        shared,
        dynamic_shared: launch.dynamic_shared,
    })
}
