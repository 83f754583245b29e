//! Programs of several kernels on one board: tensors are handed over in place or by relayout.

use std::rc::Rc;

use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::race::RacePolicy;
use tessera_mncore_code::compile::{
    self, compile_program, Call, CompiledProgram, Kernel, RelayoutReason,
};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::kernel::Stage;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Binary, Broadcast, Compute, Element, Group, TensorType, TileType, Unary, Value,
};

use crate::board::{fetch, first_wrong, integers, run_on, write_tensor};
use crate::groups::{over_tiles, product_of, TILE};
use crate::matmul;

/// A program under construction: its tensors with their values, and its kernels.
#[derive(Default)]
struct Program {
    tensors: Vec<(TensorType, Vec<f32>)>,
    calls: Vec<(Group, Vec<usize>)>,
}

/// Rounds a number to an element type.
fn rounded(element: Element, value: f32) -> f32 {
    match element {
        Element::Bf16 => {
            let bits = value.to_bits();
            f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000)
        }
        _ => value,
    }
}

impl Program {
    fn given(&mut self, element: Element, [rows, columns]: [u32; 2]) -> usize {
        let tensor = TensorType {
            matrices: 1,
            rows,
            columns,
            element,
        };
        let values = integers((rows * columns) as usize, self.tensors.len() as u32 + 1);
        self.tensors.push((tensor, values));
        self.tensors.len() - 1
    }

    fn call(
        &mut self,
        arguments: &[usize],
        [rows, columns]: [u32; 2],
        values: Vec<f32>,
        value: impl FnOnce(&mut Builder, [Value; 2]) -> Value,
    ) -> usize {
        let element = self.tensors[arguments[0]].0.element;
        let result = TensorType {
            matrices: 1,
            rows,
            columns,
            element,
        };
        let mut kinds: Vec<_> = arguments.iter().map(|&one| self.tensors[one].0).collect();
        kinds.push(result);
        let group = over_tiles(&kinds, |builder, row, column| {
            let value = value(builder, [row, column]);
            match element {
                Element::Bf16 => {
                    builder.compute(Compute::Convert, &[value], TileType { element, ..TILE })
                }
                _ => value,
            }
        });
        let values = values.into_iter().map(|value| rounded(element, value));
        self.tensors.push((result, values.collect()));
        let made = self.tensors.len() - 1;
        self.calls.push((group, [arguments, &[made]].concat()));
        made
    }

    /// relu(a·b)
    fn product(&mut self, a: usize, b: usize) -> usize {
        let [(left, x), (right, y)] = [&self.tensors[a], &self.tensors[b]];
        let [m, k, n] = [left.rows, left.columns, right.columns];
        let tile = TileType {
            element: left.element,
            ..TILE
        };
        let sums = matmul(x, y, [m, k, n]).into_iter();
        let values = sums.map(|sum| sum.max(0.0)).collect();
        self.call(&[a, b], [m, n], values, |builder, [row, column]| {
            let sum = product_of(builder, row, column, k, [tile, tile]);
            builder.unary(Unary::Relu, sum)
        })
    }

    /// a·b + bias, where bias is a row
    fn linear(&mut self, a: usize, b: usize, bias: usize) -> usize {
        let [(left, x), (right, y), (_, z)] = [a, b, bias].map(|one| &self.tensors[one]);
        let [m, k, n] = [left.rows, left.columns, right.columns];
        let sums = matmul(x, y, [m, k, n]).into_iter().enumerate();
        let values = sums.map(|(at, sum)| sum + z[at % n as usize]).collect();
        self.call(&[a, b, bias], [m, n], values, |builder, [row, column]| {
            let sum = product_of(builder, row, column, k, [TILE, TILE]);
            let zero = builder.constant(0);
            let bias = builder.load(2, zero, column, TILE);
            let op = Compute::Binary(Binary::Add, Broadcast::Row);
            builder.compute(op, &[sum, bias], TILE)
        })
    }

    /// A function of pairs of elements.
    fn binary(&mut self, function: Binary, a: usize, b: usize) -> usize {
        let [(kind, x), (_, y)] = [&self.tensors[a], &self.tensors[b]];
        let of =
            |(x, y): (&f32, &f32)| function.eval(Element::F32, (*x).into(), (*y).into()) as f32;
        let (extents, element) = ([kind.rows, kind.columns], kind.element);
        let values = x.iter().zip(y).map(of).collect();
        self.call(&[a, b], extents, values, |builder, [row, column]| {
            let tile = TileType { element, ..TILE };
            let [x, y] = [0, 1].map(|one| builder.load(one, row, column, tile));
            builder.binary(function, x, y)
        })
    }

    fn unary(&mut self, function: Unary, a: usize) -> usize {
        let (kind, x) = &self.tensors[a];
        let of = |x: &f32| function.eval(Element::F32, (*x).into()) as f32;
        let (extents, element) = ([kind.rows, kind.columns], kind.element);
        let values = x.iter().map(of).collect();
        self.call(&[a], extents, values, |builder, [row, column]| {
            let x = builder.load(0, row, column, TileType { element, ..TILE });
            builder.unary(function, x)
        })
    }

    fn compiled(&self) -> CompiledProgram {
        let calls = self.calls.iter().map(|(group, tensors)| Call {
            group,
            tensors: tensors.clone(),
            options: compile::Options::default(),
        });
        let calls: Vec<_> = calls.collect();
        compile_program(&calls).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs all kernels on one board, and compares the result of each.
    #[track_caller]
    fn check(&self, expect: &[(usize, RelayoutReason)]) {
        let together = self.compiled();
        let anew: Vec<(usize, RelayoutReason)> = together
            .host_relayouts
            .iter()
            .map(|r| (r.call, r.reason))
            .collect();
        assert_eq!(anew, expect);
        for model in [Model::Timed, Model::Fast] {
            self.run(&together, model);
        }
    }

    #[track_caller]
    fn run(&self, together: &CompiledProgram, model: Model) {
        let mut machine = Machine::new(Options {
            model,
            races: RacePolicy::Error,
            ..Options::default()
        });
        let mut made = vec![false; self.tensors.len()];
        for (number, kernel) in together.kernels.iter().enumerate() {
            let tensors = &self.calls[number].1;
            for (at, tensor) in kernel.tensors[..kernel.inputs].iter().enumerate() {
                let argument = tensors[tensor.argument];
                let anew = together.host_relayouts.iter();
                let mut anew = anew.filter(|one| (one.call, one.tensor) == (number, at));
                if !made[argument] || anew.next().is_some() {
                    write_tensor(&mut machine, &tensor.layout, &self.tensors[argument].1);
                }
            }
            let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
            let statements = program::statements(&program, IssueOrder::Scheduled);
            let statements = statements.unwrap_or_else(|error| panic!("{error}"));
            let layout = &kernel.tensors[kernel.inputs].layout;
            let ran = run_on(&mut machine, layout, &statements);
            ran.unwrap_or_else(|trap| panic!("kernel {number}: {trap}"));
            let result = *tensors.last().expect("a kernel has a result");
            made[result] = true;
            let found = fetch(&mut machine, layout);
            let wrong = first_wrong(&found, &self.tensors[result].1);
            assert_eq!(wrong, None, "kernel {number}, {model:?}");
        }
    }
}

/// Tests a chain of products with element-wise operations between them.
#[test]
fn products_hand_their_results_over() {
    for (element, [m, k, n, last]) in [
        (Element::F32, [1797, 64, 32, 10]),
        (Element::F32, [100, 100, 100, 100]),
        (Element::F32, [33, 65, 97, 5]),
        (Element::F32, [300, 40, 1100, 70]),
        (Element::Bf16, [200, 64, 64, 96]),
    ] {
        let mut program = Program::default();
        let a = program.given(element, [m, k]);
        let [b, c] = [[k, n], [n, last]].map(|extents| program.given(element, extents));
        let first = program.product(a, b);
        program.product(first, c);
        program.check(&[]);
    }
}

/// The padding after the rows of the second layer's input contains the first layer's bias.
#[test]
fn layers_with_biases_hand_their_results_over() {
    let mut program = Program::default();
    let extents = [[33, 65], [65, 97], [1, 97], [97, 65], [1, 65], [65, 40]];
    let [a, b, bias, c, other, d] = extents.map(|of| program.given(Element::F32, of));
    let first = program.linear(a, b, bias);
    let second = program.linear(first, c, other);
    program.product(second, d);
    program.check(&[]);
}

/// If all candidates with a common layout are slow, the chip converts the layout before the loops
/// of the consumer.
#[test]
fn results_change_layout_on_chip() {
    let mut program = Program::default();
    let [a, b, c] = [[1024, 1024]; 3];
    let [a, b, c] = [a, b, c].map(|extents| program.given(Element::F32, extents));
    let first = program.product(a, b);
    program.product(first, c);
    let together = program.compiled();
    let relays = |kernel: &Rc<Kernel>| matches!(kernel.stages[0], Stage::Loop("relayout", _));
    let relays: Vec<bool> = together.kernels.iter().map(relays).collect();
    assert_eq!(relays, [false, true]);
    program.check(&[]);
}

#[test]
fn tensors_stay_between_all_kinds_of_kernels() {
    let mut program = Program::default();
    let a = program.given(Element::F32, [70, 40]);
    let b = program.given(Element::F32, [40, 90]);
    let bias = program.given(Element::F32, [1, 90]);
    let first = program.linear(a, b, bias);
    let second = program.unary(Unary::Abs, first);
    let third = program.binary(Binary::Max, second, first);
    program.unary(Unary::Neg, third);
    program.check(&[]);
}

/// A tensor with several consumers stays in DRAM until the last one has read it.
#[test]
fn tensors_stay_for_several_readers() {
    let mut program = Program::default();
    let a = program.given(Element::F32, [64, 96]);
    let b = program.given(Element::F32, [96, 96]);
    let first = program.product(a, b);
    let second = program.unary(Unary::Neg, first);
    let third = program.binary(Binary::Min, second, first);
    program.binary(Binary::Max, third, first);
    program.check(&[]);
}

/// Padding along the depth of a product must be zero. Elsewhere it is computed like the elements.
#[test]
fn padding_that_is_in_the_way() {
    for (function, depth, expect) in [
        (Unary::Neg, 40, &[][..]),
        (Unary::LogicalNot, 64, &[]),
        (Unary::LogicalNot, 40, &[(1, RelayoutReason::DepthPadding)]),
        (Unary::Rsqrt, 64, &[]),
    ] {
        let mut program = Program::default();
        let a = program.given(Element::F32, [70, depth]);
        let b = program.given(Element::F32, [depth, 30]);
        if function == Unary::Rsqrt {
            program.tensors[a].1.fill(0.25);
        }
        let first = program.unary(function, a);
        program.product(first, b);
        program.check(expect);
    }
}

/// The padding of a quotient's operands replicates elements, since 0 / 0 is undetermined.
#[test]
fn quotients_have_elements_for_padding() {
    let mut program = Program::default();
    let [a, b, c] = [[70, 64], [70, 64], [64, 30]].map(|of| program.given(Element::F32, of));
    program.tensors[b].1.fill(0.5);
    let first = program.binary(Binary::Divide, a, b);
    program.product(first, c);
    program.check(&[]);
}

/// A product needs zeros as padding of the first tensor, so its reciprocal has infinities there.
#[test]
fn padding_that_would_be_open() {
    let mut program = Program::default();
    let [a, b, c] = [[70, 40], [40, 30], [70, 40]].map(|of| program.given(Element::F32, of));
    program.tensors[a].1.fill(0.25);
    let first = program.unary(Unary::Abs, a);
    program.product(first, b);
    let third = program.unary(Unary::Reciprocal, first);
    program.binary(Binary::Multiply, third, c);
    program.check(&[(3, RelayoutReason::Undetermined)]);
}

/// A tensor that is read in two layouts is stored in one of them.
#[test]
fn squares_of_what_was_made() {
    let mut program = Program::default();
    let a = program.given(Element::F32, [40, 40]);
    let b = program.given(Element::F32, [40, 40]);
    let first = program.binary(Binary::Min, a, b);
    program.product(first, first);
    program.check(&[(1, RelayoutReason::Layout)]);
}

/// Tests the texts of relayout reasons.
#[test]
fn reasons() {
    for (why, text) in [
        (RelayoutReason::Layout, "the kernels have no common layout"),
        (
            RelayoutReason::UnwrittenPadding,
            "more of its padding is read than was written",
        ),
        (
            RelayoutReason::DepthPadding,
            "a product sums over its padding, which is not zero",
        ),
        (
            RelayoutReason::Undetermined,
            "the manual does not determine what would be computed of its padding",
        ),
    ] {
        assert_eq!(why.to_string(), text);
    }
}
