//! `ttir-arrange-attention`: gives all tensors of an attention the same order of dimensions.
//!
//! Frameworks write the scores of an attention as a product with any order of dimensions, and move
//! them between the product, its scale, its mask and the softmax: heads of queries that share keys
//! are dimensions of their own in one operation, and part of the rows in another. Movements of the
//! scores, which are the largest tensors of a model, cost more than anything else, and prevent that
//! the operations share a kernel.
//!
//! For each product, whose result reaches exactly one other product through element-wise
//! operations, reductions and movements, with an exponential among them, the pass labels the
//! dimensions of all tensors by their axes ([`axes`]). If the second product sums along the axes of
//! one factor of the first one, and all reductions do, these axes are the keys, and the remaining
//! ones of the other factor the queries ([`order`]). Then all operations are written anew
//! ([`rewrite`]): scores have batch dimensions, rows of queries and columns of keys, and no
//! movement is left between the products. Queries, keys, values, masks and the result, which are
//! smaller, move instead. Operations that have this order already stay as they are.
//!
//! Keys and values that a program repeats for heads that share them are not repeated: these heads
//! become rows. What reads sums of rows after the second product, to divide by them, is arranged as
//! well.
//!
//! Invariant: all operations compute the same elements as before, in another order. Only the order
//! of terms in products and sums may differ.

mod axes;
mod labels;
mod order;
mod region;
mod rewrite;

use std::collections::HashMap;

use tessera_dialects::builtin;
use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter};

use crate::driver::registry::PassInfo;
use labels::Labels;
use order::Order;
use region::{Product, Region};

/// `ttir-arrange-attention`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-arrange-attention",
    description: "Gives all tensors of an attention the same order of dimensions",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(ArrangeAttention)),
};

struct ArrangeAttention;

impl Pass for ArrangeAttention {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for function in module.find_all::<FuncOp>() {
            let ops = function.body().map_or_else(Vec::new, |body| body.ops());
            let positions: HashMap<Op, usize> = ops.iter().copied().zip(0..).collect();
            for op in ops {
                if !rewriter.is_erased(op) {
                    arrange(op, &positions, rewriter)?;
                }
            }
        }
        Ok(())
    }
}

/// Arranges the tensors of the attention whose scores an operation computes, if there is one.
fn arrange<'a>(
    op: Op<'a>,
    positions: &HashMap<Op<'a>, usize>,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let region = Product::from_op(op).and_then(|scores| Region::collect(scores, positions));
    let Some(region) = region else {
        return Ok(());
    };
    let labels = Labels::new(&region);
    let Some((labels, order)) =
        labels.and_then(|labels| Order::new(&region, &labels).map(|order| (labels, order)))
    else {
        return Ok(());
    };
    match order.is_met(&region, &labels) {
        true => Ok(()),
        false => rewrite::rewrite(&region, &labels, &order, rewriter),
    }
}
