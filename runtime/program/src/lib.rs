//! The program file: what a compiled model is, on disk, and the only way in and out of it.
//!
//! `program.fbs` declares the format. The owned types here ([`Binary`], [`Program`], [`Operation`],
//! [`Kernel`] and what they hold) are what every other crate sees; the generated code stays inside
//! this one. The lists of a kernel are those of [`tessera_isa_tensix::list`]; images are code of
//! RISC-V cores; groups of kernels over tiles are those of [`tessera_pto::kernel`], in their text
//! as JSON; packed units and layouts are those of `tessera_isa_mncore`. A file is one size-prefixed
//! FlatBuffer.
//!
//! [`Binary::read`] takes bytes from anywhere. What it returns has passed, in this order: the size
//! prefix and file identifier; the schema hash; FlatBuffers' structural verifier, with limits on
//! depth, tables and size; the range of every enumeration; the content hash of every kernel; and
//! [`Binary::validate`], which checks ids, lifetimes, shapes, data types, data lengths, kernel
//! arguments, and that kernels name what a core has. Not checked: whether kernels compute what
//! their operations say, or their words are instructions at all (the device that runs them traps
//! there).

mod builder;
mod entry;
mod groups;
mod hash;
mod images;
mod json;
mod kernel;
mod mncore;
mod ops;
mod read;
mod schema;
mod tensor_op;
mod types;
mod validate;
mod write;

#[rustfmt::skip]
#[allow(missing_docs, unsafe_code, unused_imports, dead_code, clippy::all)]
mod generated;

pub use groups::PtoGroups;
pub use hash::Digest;
pub use images::{CoreImage, Image, Step, TensixImages, TileRing};
pub use json::Section;
pub use kernel::{Kernel, KernelBody, TensixLists};
pub use mncore::{
    image_bytes, MncorePacker, MncoreProgram, MncoreRun, MncoreStatement, MncoreStorage,
    MncoreTensor, MAX_IMAGE_BYTES,
};
pub use ops::{KernelOp, KernelRef, Op, Operation, Product, TensorOp, UnknownOp};
pub use read::{ReadError, MAX_FILE_BYTES};
pub use schema::{schema_hash, FILE_IDENTIFIER};
pub use types::{
    Binary, Chip, DataType, GlobalId, Layout, MemorySpace, Mlir, Program, SystemDesc, TensorDesc,
    Version,
};
pub use validate::{Problem, ValidateError, MAX_RANK, MAX_TENSOR_BYTES};
