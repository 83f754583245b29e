//! Fuzz targets, one for each kind of input.

pub mod arrays;
pub mod images;
pub mod mncore;
pub mod modules;
pub mod program_files;
pub mod stablehlo;
pub mod tensix;
pub mod traces;
