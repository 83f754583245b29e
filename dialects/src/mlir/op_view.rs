//! Typed views of operations: an [`Op`] whose name is known.
//!
//! The views themselves are generated from ODS by `build.rs`. Their accessors read declared
//! properties. An unverified operation may lack any of them, so the accessors return `None` instead
//! of failing.

use std::fmt;

use super::attribute_key::{AttributeKey, DenseInts};
use super::op::Op;
use super::rewrite::NewOp;
use super::structure::Value;
use melior::ir::Location;

/// A view of operations with one name, or with one of a family of names.
pub trait OpView<'a>: Copy + fmt::Debug {
    /// Returns whether operations with a name have this view.
    fn has(name: &str) -> bool;

    /// Returns the view of an operation, regardless of its name. Accessors return `None` for
    /// properties that it lacks.
    fn view(op: Op<'a>) -> Self;

    /// Returns the operation.
    fn op(self) -> Op<'a>;
}

/// A view of operations with one name.
pub trait NamedOp<'a>: OpView<'a> {
    /// The full name, such as `ttir.matmul`.
    const NAME: &'static str;

    /// Describes a new operation, without operands, results, attributes and regions.
    fn build(location: Location<'a>) -> NewOp<'a> {
        NewOp::new(Self::NAME, location)
    }
}

impl<'a> Op<'a> {
    /// Returns whether the operation has a view.
    pub fn isa<V: OpView<'a>>(self) -> bool {
        V::has(self.name())
    }

    /// Returns the operation as a view, or `None` if its name does not match.
    pub fn dyn_cast<V: OpView<'a>>(self) -> Option<V> {
        self.isa::<V>().then(|| V::view(self))
    }

    /// Returns the operands without the first `before` and the last `after`.
    pub fn operands_between(self, before: usize, after: usize) -> Vec<Value<'a>> {
        between(self.operands(), before, after)
    }

    /// Returns the results without the first `before` and the last `after`.
    pub fn results_between(self, before: usize, after: usize) -> Vec<Value<'a>> {
        between(self.results(), before, after)
    }

    /// Returns an operand by its index from the end, 0 for the last.
    pub fn operand_from_end(self, index: usize) -> Option<Value<'a>> {
        self.operand(self.operand_count().checked_sub(index + 1)?)
    }

    /// Returns a result by its index from the end, 0 for the last.
    pub fn result_from_end(self, index: usize) -> Option<Value<'a>> {
        self.result(self.result_count().checked_sub(index + 1)?)
    }

    /// Returns the operands of a group, whose sizes an attribute specifies (ODS trait
    /// `AttrSizedOperandSegments`).
    pub fn operand_segment(self, group: usize) -> Vec<Value<'a>> {
        let sizes = OPERAND_SEGMENTS.get(self).unwrap_or_default();
        let size = |size: &i64| usize::try_from(*size).unwrap_or(0);
        let first = sizes.iter().take(group).map(size).sum();
        let count = sizes.get(group).map_or(0, size);
        let operands = self.operands().into_iter();
        operands.skip(first).take(count).collect()
    }
}

const OPERAND_SEGMENTS: AttributeKey<DenseInts<32>> = AttributeKey::new("operandSegmentSizes");

fn between(mut values: Vec<Value>, before: usize, after: usize) -> Vec<Value> {
    values.truncate(values.len().saturating_sub(after));
    values.drain(..before.min(values.len()));
    values
}

/// Declares the view of operations with one name.
macro_rules! op_view {
    ($(#[$meta:meta])* $view:ident = $name:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $view<'a>(Op<'a>);

        impl $view<'_> {
            /// The full name.
            pub const NAME: &'static str = $name;
        }

        impl<'a> NamedOp<'a> for $view<'a> {
            const NAME: &'static str = $name;
        }

        $crate::mlir::op_view::implement_view! { $view, $name }
    };
}

/// Declares the view of operations with several names.
macro_rules! op_family {
    ($(#[$meta:meta])* $view:ident = [$($member:ident),*]) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $view<'a>(Op<'a>);

        $crate::mlir::op_view::implement_view! { $view, $($member::NAME)|* }
    };
}

/// Implements the traits of views.
macro_rules! implement_view {
    ($view:ident, $($name:pat_param)|*) => {
        impl<'a> OpView<'a> for $view<'a> {
            fn has(name: &str) -> bool {
                matches!(name, $($name)|*)
            }

            fn view(op: Op<'a>) -> Self {
                Self(op)
            }

            fn op(self) -> Op<'a> {
                self.0
            }
        }

        impl<'a> std::ops::Deref for $view<'a> {
            type Target = Op<'a>;

            fn deref(&self) -> &Op<'a> {
                &self.0
            }
        }

        impl std::fmt::Debug for $view<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

pub(crate) use {implement_view, op_family, op_view};
