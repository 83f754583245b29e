//! Groups of operations that may share a kernel: what each computes, how they hang together, and
//! what is done for them.
//!
//! [`view`] says which matrices a tensor is, [`compute`] what an operation computes, [`chains`] how
//! the operations of a group hang together, [`steps`] what is done for them and by which unit,
//! [`values`] how many values that needs at a time. Nothing here decides which operations share a
//! kernel: `convert-ttnn-to-pto` and the targets do.

pub mod abilities;
pub mod chains;
pub mod compute;
pub mod extent;
pub mod matrix_view;
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

/// Operations that may share a kernel, in order.
#[derive(Clone, Copy)]
pub struct Candidate<'g, 'a> {
    /// The operations, and what each computes.
    pub ops: &'g [(Op<'a>, Compute)],
    /// How they hang together.
    pub chains: &'g Chains<'a>,
}

impl<'a> Candidate<'_, 'a> {
    /// What its product says about how it is computed, or if it has none its first operation.
    pub fn config(&self) -> Option<ComputeConfig<'a>> {
        let product = self.ops.iter().find(|(_, compute)| compute.is_product());
        let (op, _) = product.or(self.ops.first())?;
        op.dyn_cast().and_then(ConfiguredOp::compute_config)
    }

    /// What it says about precision.
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

    /// Tiles along which its product is summed.
    pub fn depth(&self) -> u64 {
        let product = self.chains.product();
        product.map_or(1, |[left, _]| left.tiles()[1])
    }

    /// Whether it has a product of f32.
    pub fn multiplies_f32(&self) -> bool {
        let mut products = self.ops.iter().filter(|(_, compute)| compute.is_product());
        products.any(|(op, _)| multiplies_f32(*op))
    }
}

/// Whether an operation's first factor is of f32.
pub fn multiplies_f32(product: Op) -> bool {
    product.operand(0).and_then(Element::from_value) == Some(Element::F32)
}
