//! Program files: the on-disk form of a compiled model, and the only code that reads and writes it.
//!
//! `program.fbs` declares the format. Other crates use the owned types ([`Binary`], [`Program`],
//! [`Operation`], [`Kernel`] and their parts); the generated code is private. A kernel consists of
//! lists of [`tessera_isa_tensix::list`], images of code for RISC-V cores, groups of tile kernels
//! of [`tessera_pto::kernel`], or packed units and layouts of `tessera_isa_mncore`. A file is one
//! size-prefixed FlatBuffer.
//!
//! [`Binary::read`] accepts untrusted bytes. It checks, in this order:
//!
//! * the size prefix and file identifier,
//! * the schema hash,
//! * the structure, by the verifier of FlatBuffers with limits on depth, tables and size,
//! * the range of every enumeration,
//! * the content hash of every kernel, and
//! * [`Binary::validate`]: ids, lifetimes, shapes, data types, data lengths, kernel arguments, and
//!   resources of cores that kernels name.
//!
//! It does not check that kernels compute what their operations mean, nor that all their words are
//! instructions; the device that runs them traps there.

mod builder;
mod entry;
mod groups;
mod hash;
mod images;
mod json;
mod kernel;
mod link;
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
pub use link::{Linked, LinkedCall};
pub use mncore::{
    image_bytes, MncorePacker, MncoreProgram, MncoreRun, MncoreStatement, MncoreStorage,
    MncoreTensor, MAX_IMAGE_BYTES,
};
pub use ops::{KernelOp, KernelRef, Op, Operation, Product, TensorOp, UnknownOp};
pub use read::{ReadError, MAX_FILE_BYTES};
pub use schema::{schema_hash, FILE_IDENTIFIER};
pub use types::{
    Binary, CachedCall, Chip, DataType, GlobalId, Layout, MemorySpace, Mlir, Program, SystemDesc,
    TensorDesc, Version,
};
pub use validate::{Problem, ValidateError, MAX_RANK, MAX_TENSOR_BYTES};
