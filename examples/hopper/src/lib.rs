//! Nothing: the package is there for its tests, whose images are for sm_90, where those of the examples are for sm_80.
