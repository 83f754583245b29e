//! Passes on a module's description of its target system.

pub mod const_eval_hoist_transform;
pub(crate) mod description_file;
pub mod ttcore_mark_functions_as_forward;
pub mod ttcore_register_device;
pub(crate) mod ttcore_wrap_device_module;
