//! The plans of kernels with reductions and without a product.

use std::rc::Rc;

use tessera_pto::kernel::Axis;

use super::form::Form;
use super::loops::ReductionBuilder;
use super::reduction::{reductions, Reduction};
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::Distribution;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::compile::padding::Fill;
use crate::compile::strategy::Strategy;
use crate::raise::{Store, TensorProgram};

/// Maximum numbers of vectors per block to try.
const STEPS: [u32; 4] = [8, 4, 2, 1];

/// A kernel with reductions.
struct ReducedKernel<'a> {
    whole: &'a TensorProgram,
    store: &'a Store,
    fill: Fill,
    axis: Axis,
    reductions: Vec<Reduction<'a>>,
}

/// The plan of a kernel with reductions.
#[derive(Clone)]
pub(crate) struct ReductionPlan<'a> {
    kernel: Rc<ReducedKernel<'a>>,
    form: Form,
    cost: u64,
}

impl<'a> ReductionPlan<'a> {
    /// Returns the legal plans of a kernel, cheapest first.
    pub fn all(
        whole: &'a TensorProgram,
        store: &'a Store,
        fill: Fill,
    ) -> Result<Vec<Self>, CompileError> {
        let (axis, reductions) = reductions(store, &whole.tensors)?;
        let is_across = reductions.iter().any(|one| one.is_across);
        let kernel = Rc::new(ReducedKernel {
            whole,
            store,
            fill,
            axis,
            reductions,
        });
        let over_l2bs = [false, true]
            .into_iter()
            .flat_map(|tall| STEPS.map(|steps| Form::OverL2bs { steps, tall }));
        let in_groups = (!is_across).then_some(Form::InGroups);
        let (mut plans, mut refused) = (Vec::new(), None);
        let mut distributions = Vec::new();
        for form in over_l2bs.chain(in_groups) {
            match ReductionPlan::new(&kernel, form, &mut distributions) {
                Ok(plan) => plans.extend(plan),
                Err(error) => refused = Some(error),
            }
        }
        plans.sort_by_key(|plan: &ReductionPlan| plan.cost);
        match refused {
            Some(error) if plans.is_empty() => Err(error),
            _ => Ok(plans),
        }
    }

    /// Returns the plan of a form, if it is legal. Returns `None` if its distribution is among
    /// `distributions`, to which it is added.
    fn new(
        kernel: &Rc<ReducedKernel<'a>>,
        form: Form,
        distributions: &mut Vec<Distribution>,
    ) -> Result<Option<Self>, CompileError> {
        let builder = kernel.builder(form, &[])?;
        if distributions.contains(&builder.end) {
            return Ok(None);
        }
        distributions.push(builder.end);
        let cost = builder.build()?.min_steps();
        Ok(Some(ReductionPlan {
            kernel: Rc::clone(kernel),
            form,
            cost,
        }))
    }
}

impl ReducedKernel<'_> {
    fn builder<'b>(
        &'b self,
        form: Form,
        bases: &'b [u32],
    ) -> Result<ReductionBuilder<'b>, CompileError> {
        let arguments = Arguments::new(self.whole, self.fill, Distribution::ONE, bases);
        ReductionBuilder::new(arguments, self.store, (self.axis, form), &self.reductions)
    }
}

impl Strategy for ReductionPlan<'_> {
    fn cost(&self) -> u64 {
        self.cost
    }

    fn emit(&self, bases: &[u32]) -> Result<Kernel, CompileError> {
        self.kernel.builder(self.form, bases)?.build()
    }
}
