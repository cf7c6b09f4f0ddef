//! A plugin: a kernel behind a C interface, for a program that loads the library when it runs.

mod add;
#[cfg(not(gridwright_device))]
mod interface;

#[cfg(not(gridwright_device))]
pub use interface::gridwright_plugin_add;
