//! Nothing but its tests, whose images are for sm_90, where those of the examples are for sm_80.

#[cfg(test)]
mod tests;
