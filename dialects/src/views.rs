//! The views of operations that `build.rs` generates from ODS, a module for each dialect.

/// Declares the module of a dialect.
macro_rules! dialect {
    ($(#[$meta:meta])* $dialect:ident) => {
        $(#[$meta])*
        pub mod $dialect {
            #![allow(unused_imports, clippy::wrong_self_convention)]

            use crate::mlir::attribute_key::*;
            use crate::mlir::op_view::{op_family, op_view, NamedOp, OpView};
            use crate::mlir::{Op, Region, Value};

            include!(concat!(env!("OUT_DIR"), "/", stringify!($dialect), "/views.rs"));
        }
    };
}

dialect!(
    /// Operations of `arith`.
    arith
);
dialect!(
    /// Operations of `builtin`.
    builtin
);
dialect!(
    /// Operations of `func`.
    func
);
dialect!(
    /// Operations of `llvm`.
    llvm
);
dialect!(
    /// Operations of `mncore`.
    mncore
);
dialect!(
    /// Operations of `pto`.
    pto
);
dialect!(
    /// Operations of `scf`.
    scf
);
dialect!(
    /// Operations of `tensix`.
    tensix
);
dialect!(
    /// Operations of `tensor`.
    tensor
);
dialect!(
    /// Operations of `ttcore`.
    ttcore
);
dialect!(
    /// Operations of `ttir`.
    ttir
);
dialect!(
    /// Operations of `ttnn`.
    ttnn
);
