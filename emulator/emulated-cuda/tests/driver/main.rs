//! Unmodified cudarc on the library. Each test is a process of its own, with the library as `libcuda.so.1` in
//! `LD_LIBRARY_PATH`.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "functions that tests share fail as tests do")]

mod alone;
mod attributes;
mod capture;
mod devices;
mod failures;
mod forks;
mod gpu;
mod graph_changes;
mod graph_kinds;
mod graph_memory;
mod graphs;
mod ipc;
mod launches;
mod libraries;
mod links;
mod managed;
mod memory;
mod modules;
mod occupancy;
mod settings;
mod streams;
mod symbols;
mod tensor_maps;
mod texture_objects;
mod texture_references;
mod textures;
mod waits;
