//! The operation table: one entry per tensor operation of `ttir` and `ttnn`.
//!
//! An entry ([`OpInfo`]) holds everything about an operation that does not depend on a target: its
//! names, operands and typed attributes, the supported element types, the shape of its result with
//! upstream's diagnostics, and its class. The class determines its value. Entries of element-wise
//! functions are derived from the rows of [`scalar`]. The following are derived from the table: the
//! ODS of the tensor dialects ([`ods`]) and their verifiers, the conversion from `ttir` to `ttnn`,
//! the operations of program files and their validation, the reference device, constant folding
//! ([`constant`]), and the documentation ([`page`]).
//!
//! The crate does not depend on MLIR, devices or targets.

mod attribute;
mod broadcast;
pub mod constant;
mod element;
pub mod enclose;
pub mod eval;
pub mod graph;
mod index_map;
mod matmul;
pub mod ods;
mod op;
pub mod page;
pub mod rounding;
pub mod scalar;
pub mod shape;
pub mod table;
mod view;

pub use attribute::{
    AttributeInfo, AttributeKind, AttributeValue, Attributes, ComputeConfig, Dialects,
    MathFidelity, Presence,
};
pub use broadcast::broadcast_sources;
pub use element::{ElementType, TensorType};
pub use index_map::{row_major_strides, IndexError, IndexMap, Lookup, MapError, StridedCopy};
pub use op::{
    Arity, Call, CallError, Class, Creation, Decompose, ElementRule, OpInfo, OperandInfo,
    Parametric, Placement, Reduction, Ternary,
};
pub use scalar::{Arithmetic, Binary, Domain, Interval, Reduce, Unary};
pub use view::{ParseViewError, View, ViewError, ViewRun};
