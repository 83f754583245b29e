//! Fusion analysis: groups of operations that may share a kernel.
//!
//! | module | does |
//! |---|---|
//! | [`matrix_view`] | views the tensors of an operation as sequences of matrices |
//! | [`compute`] | classifies what an operation computes |
//! | [`chains`] | arranges a group as chains of operations |
//! | [`number`] | finds tensors that a number fills |
//! | [`steps`] | lowers a group to steps, each assigned to a unit |
//! | [`joined`] | describes groups that are stages of one kernel |
//! | [`values`] | computes the number of values that are live at a time |
//!
//! Which operations share a kernel is decided by `convert-ttnn-to-pto` and the targets, not here.

pub mod abilities;
pub mod chains;
pub mod compute;
pub mod extent;
pub mod joined;
pub mod matrix_view;
pub mod number;
pub mod reduction;
pub mod steps;
pub mod tensor;
pub mod values;

use tessera_dialects::mlir::Op;
use tessera_dialects::pto::{Dst, Fidelity};
use tessera_dialects::ttnn::{ComputeConfig, ConfiguredOp};

pub use abilities::Abilities;
use chains::Chains;
use compute::Compute;
use tensor::Element;

/// A candidate group of operations, in order.
#[derive(Clone, Copy)]
pub struct Candidate<'g, 'a> {
    /// The operations and their computations.
    pub ops: &'g [(Op<'a>, Compute)],
    /// The group as chains.
    pub chains: &'g Chains<'a>,
}

impl<'a> Candidate<'_, 'a> {
    /// Returns the compute configuration of the group's product, or of its first operation if it
    /// has no product.
    pub fn config(&self) -> Option<ComputeConfig<'a>> {
        let product = self.ops.iter().find(|(_, compute)| compute.is_product());
        let (op, _) = product.or(self.ops.first())?;
        op.dyn_cast().and_then(ConfiguredOp::compute_config)
    }

    /// Returns the fidelity and the accumulator type of the configuration.
    pub fn precision(&self) -> (Fidelity, Dst) {
        let config = self.config();
        let fidelity = config
            .and_then(ComputeConfig::math_fidelity)
            .and_then(|fidelity| Fidelity::from_word(fidelity.name()));
        let dst = match config.and_then(ComputeConfig::fp32_dest_acc_en) {
            Some(false) => Dst::B16,
            Some(true) | None => Dst::F32,
        };
        (fidelity.unwrap_or(Fidelity::HiFi4), dst)
    }

    /// Returns the number of tiles along the summed dimension of the product.
    pub fn depth(&self) -> u64 {
        let product = self.chains.product();
        product.map_or(1, |[left, _]| left.tiles()[1])
    }

    /// Returns whether the group has a product of f32 factors.
    pub fn multiplies_f32(&self) -> bool {
        let mut products = self.ops.iter().filter(|(_, compute)| compute.is_product());
        products.any(|(op, _)| multiplies_f32(*op))
    }
}

/// Returns whether a product has f32 factors.
pub fn multiplies_f32(product: Op) -> bool {
    product.operand(0).and_then(Element::from_value) == Some(Element::F32)
}
