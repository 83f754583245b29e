//! Products with expected results, checked for all candidates.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore::machine::Model;
use tessera_mncore_code::compile::{candidates, Kernel, Options, PrecisionChoice};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::program::Program;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Binary, Broadcast, Compute, Element, Group, ScalarOp, Unary, Value};
use tessera_test_support::is_long_run;

use crate::board::{execute, first_wrong};
use crate::cases::inputs_of;
use crate::groups::{
    batched, matrices, product, product_of_elements, product_then_relu, singles, TILE,
};
use crate::matmul;
use crate::storage::rounded;

/// A group, and its expected results.
pub struct Given {
    group: Group,
    expect: Box<dyn Fn(&[Vec<f32>]) -> Vec<f32>>,
}

impl Given {
    pub fn new(group: Group, expect: impl Fn(&[Vec<f32>]) -> Vec<f32> + 'static) -> Self {
        let expect = Box::new(expect);
        Given { group, expect }
    }

    /// A product of `batch` matrices.
    pub fn products(batch: u32, extents: [u32; 3]) -> Self {
        Given::new(products(batch, extents), move |inputs| {
            products_expected(inputs, batch, extents)
        })
    }

    /// A product with this element type.
    pub fn product(extents: [u32; 3], element: Element) -> Self {
        let group = product_of_elements(extents, element);
        Given::new(group, move |inputs| {
            let sums = matmul(&inputs[0], &inputs[1], extents).into_iter();
            match element {
                Element::Bf16 => sums.map(rounded).collect(),
                _ => sums.collect(),
            }
        })
    }

    /// relu(a·b), with this element type.
    pub fn cut_off(extents: [u32; 3], element: Element) -> Self {
        let group = product_then_relu(extents, element);
        Given::new(group, move |inputs| {
            let sums = matmul(&inputs[0], &inputs[1], extents).into_iter();
            let sums = sums.map(|sum| sum.max(0.0));
            match element {
                Element::Bf16 => sums.map(rounded).collect(),
                _ => sums.collect(),
            }
        })
    }

    /// relu(a·b + bias) + residual.
    pub fn finished(extents: [u32; 3]) -> Self {
        Given::new(finished(extents), move |inputs| {
            finished_expected(inputs, extents)
        })
    }

    /// Checks the results for small integers, on all `models`, of every `every`-th candidate for
    /// which `is` holds, or of all of them in a long run.
    #[track_caller]
    pub fn check(
        &self,
        precision: Precision,
        every: usize,
        is: &dyn Fn(&Kernel) -> bool,
        models: &[(IssueOrder, Model)],
    ) {
        let inputs = inputs_of(&self.group);
        let expected = (self.expect)(&inputs);
        let kernels = chosen(&self.group, precision, every, is);
        assert!(!kernels.is_empty());
        for (number, kernel) in kernels.iter().enumerate() {
            let result = results(kernel, &inputs, models);
            let wrong = first_wrong(&result, &expected);
            let wrong = wrong.map(|at| (at, result[at], expected[at]));
            assert_eq!(wrong, None, "{precision:?}, candidate {number}");
        }
    }
}

/// Returns every `every`-th candidate for which `is` holds, or all of them in a long run.
pub fn chosen(
    group: &Group,
    precision: Precision,
    every: usize,
    is: &dyn Fn(&Kernel) -> bool,
) -> Vec<Kernel> {
    let all = candidates(group, &options(precision)).unwrap_or_else(|error| panic!("{error}"));
    tried(all.into_iter().filter(is).collect(), every)
}

/// Returns every `every`-th kernel, or all of them in a long run.
pub fn tried(kernels: Vec<Kernel>, every: usize) -> Vec<Kernel> {
    let every = if is_long_run() { 1 } else { every };
    kernels.into_iter().step_by(every).collect()
}

pub fn options(precision: Precision) -> Options {
    Options {
        precision: PrecisionChoice::Fixed(precision),
        ..Options::default()
    }
}

/// Checks that the assembler accepts a program.
#[track_caller]
fn assemble(program: &Program) {
    let mut text = String::new();
    let written = program::text(
        program,
        IssueOrder::Scheduled,
        &|line| line.to_string(),
        &mut |line| {
            text.push_str(line);
        },
    );
    written.unwrap_or_else(|error| panic!("{error}"));
    if let Err(error) = tessera_isa_mncore::parse(&text) {
        panic!("{error:?}");
    }
}

/// Runs a kernel and returns its result, which must be the same on all `models`. Also checks that
/// the assembler accepts its text.
#[track_caller]
pub fn results(kernel: &Kernel, inputs: &[Vec<f32>], models: &[(IssueOrder, Model)]) -> Vec<f32> {
    let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
    assemble(&program);
    let mut all = models.iter().map(|&(form, model)| {
        let statements = program::statements(&program, form);
        let statements = statements.unwrap_or_else(|error| panic!("{error}"));
        let result = execute(kernel, inputs, &statements, model);
        result.unwrap_or_else(|trap| panic!("{form:?} {model:?}: {trap}"))
    });
    let first = all.next().expect("there is a model");
    for other in all {
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&first), bits(&other));
    }
    first
}

pub const ALL: &[(IssueOrder, Model)] = &[
    (IssueOrder::Scheduled, Model::Timed),
    (IssueOrder::Scheduled, Model::Fast),
    (IssueOrder::Sequential, Model::Fast),
];

/// See [`Given::products`].
fn products(batch: u32, [m, k, n]: [u32; 3]) -> Group {
    let tensors = [
        matrices(batch, m, k),
        matrices(batch, k, n),
        matrices(batch, m, n),
    ];
    batched(&tensors, batch, |builder, x, row, column| {
        let at = |builder: &mut Builder, own: Value, extent: u32| {
            let down = builder.constant(i64::from(extent.div_ceil(32)));
            let first = builder.scalar(ScalarOp::Multiply, x, down);
            builder.scalar(ScalarOp::Add, first, own)
        };
        let factors = |builder: &mut Builder, step: Value| {
            let row = at(builder, row, m);
            let depth = at(builder, step, k);
            let a = builder.load(0, row, step, TILE);
            [a, builder.load(1, depth, column, TILE)]
        };
        let zero = builder.constant(0);
        let first = factors(builder, zero);
        let first = builder.compute(Compute::Matmul, &first, TILE);
        let steps = i64::from(k.div_ceil(32));
        if steps == 1 {
            return first;
        }
        let bounds = [1, steps, 1].map(|number| builder.constant(number));
        builder.for_loop(bounds, &[first], |builder, step, sum| {
            let [a, b] = factors(builder, step);
            vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
        })[0]
    })
}

/// See [`Given::finished`].
fn finished([m, k, n]: [u32; 3]) -> Group {
    let tensors = [
        singles(m, k),
        singles(k, n),
        singles(1, n),
        singles(m, n),
        singles(m, n),
    ];
    batched(&tensors, 1, |builder, _, row, column| {
        let zero = builder.constant(0);
        let sum = product(builder, row, column, k);
        let bias = builder.load(2, zero, column, TILE);
        let op = Compute::Binary(Binary::Add, Broadcast::Row);
        let sum = builder.compute(op, &[sum, bias], TILE);
        let sum = builder.unary(Unary::Relu, sum);
        let residual = builder.load(3, row, column, TILE);
        builder.binary(Binary::Add, sum, residual)
    })
}

/// Returns the expected result of [`products`].
fn products_expected(inputs: &[Vec<f32>], batch: u32, extents: [u32; 3]) -> Vec<f32> {
    let [m, k, n] = extents.map(|extent| extent as usize);
    (0..batch as usize)
        .flat_map(|x| matmul(&inputs[0][x * m * k..], &inputs[1][x * k * n..], extents))
        .collect()
}

/// Returns the expected result of [`finished`].
fn finished_expected(inputs: &[Vec<f32>], extents: [u32; 3]) -> Vec<f32> {
    let sums = matmul(&inputs[0], &inputs[1], extents).into_iter();
    let finished = sums.enumerate().map(|(at, sum)| {
        let column = at % extents[2] as usize;
        (sum + inputs[2][column]).max(0.0) + inputs[3][at]
    });
    finished.collect()
}
