//! Kernels over tiles become code for the cores of a Tensix tile.

pub(crate) mod convert_pto_to_tensix;
pub(crate) mod tensix_form_mop;
pub(crate) mod tensix_form_replay;
pub(crate) mod tensix_pipeline;
pub mod tensix_to_riscv;
pub(crate) mod tensix_words;
