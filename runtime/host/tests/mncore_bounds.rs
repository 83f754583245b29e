//! The error bound of matrix products on MN-Core 2, checked on products computed by the chip's
//! arithmetic. The bound holds and is tight, and products of a lower precision exceed it.

mod common;

use common::{op, operation, tensor};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_tensix::Arch;
use tessera_mncore::numerics::convert::{narrow_unchecked, widen_single};
use tessera_mncore::numerics::format::{Double, Format, Half, Single};
use tessera_mncore::numerics::matrix::{
    self, fma, DoubleBlocks, HalfBlocks, PseudoSingleBlocks, SingleBlocks,
};
use tessera_mncore::numerics::oracle::block_float;
use tessera_mncore::undetermined::UndeterminedSet;
use tessera_program::*;
use tessera_reference::Tensor;
use tessera_runtime::devices::mncore;
use tessera_runtime::devices::reference::ReferenceDevice;
use tessera_runtime::golden::numerics::Numerics;
use tessera_runtime::golden::Bound;
use tessera_runtime::{run, Device, DeviceError, Golden, Init, SavedTensors, Source};
use tessera_test_support::is_long_run;

/// The product of two matrices and a bias as the chip computes it: blocks of factors with common
/// exponents, one rounding for each block.
struct Product {
    precision: Precision,
    relu: bool,
    data_type: DataType,
}

impl Product {
    /// Returns the words of a converted block.
    fn block(&self, values: Vec<f64>) -> Vec<u64> {
        let singles = values
            .iter()
            .map(|&value| u64::from((value as f32).to_bits()));
        let singles: Vec<u64> = singles.collect();
        match self.precision {
            Precision::Half => {
                let words = singles.into_iter().map(narrow_unchecked::<Single, Half>);
                block_float::<Half>(&words.collect::<Vec<_>>(), 9, 0, false)
            }
            Precision::Single => block_float::<Single>(&singles, 23, 0, false),
            Precision::Double => {
                let words = singles.into_iter().map(|word| widen_single(word as u32));
                block_float::<Double>(&words.collect::<Vec<_>>(), 52, 0, false)
            }
            _ => block_float::<Single>(&singles, 18, 0, false),
        }
    }

    /// Divides the terms into blocks: sixteen terms in half precision; the even and the odd terms
    /// of eight in single and double precision.
    fn blocks(&self, values: &[f64]) -> Vec<Vec<u64>> {
        let (size, step) = match self.precision {
            Precision::Half => (16, 1),
            Precision::Single | Precision::Double => (8, 2),
            _ => (8, 1),
        };
        let blocks = values.chunks(size).flat_map(|block| {
            let padding = std::iter::repeat_n(0.0, size - block.len());
            let block: Vec<f64> = block.iter().copied().chain(padding).collect();
            let of = |first: usize| block[first..].iter().copied().step_by(step).collect();
            (0..step).map(of).collect::<Vec<_>>()
        });
        blocks.map(|block| self.block(block)).collect()
    }

    fn element(&self, row: &[Vec<u64>], column: &[Vec<u64>], bias: f64) -> f64 {
        let single = match self.precision {
            Precision::Half => sum::<HalfBlocks, Single>(row, column, bias),
            Precision::Single => sum::<SingleBlocks, Single>(row, column, bias),
            Precision::Double => sum::<DoubleBlocks, Double>(row, column, bias),
            _ => sum::<PseudoSingleBlocks, Single>(row, column, bias),
        };
        let value = f64::from(single);
        if self.relu {
            value.max(0.0)
        } else {
            value
        }
    }

    fn eval(&self, [m, k, n]: [usize; 3], a: &[f64], b: &[f64], bias: &[f64]) -> Tensor {
        let rows: Vec<_> = a.chunks(k).map(|row| self.blocks(row)).collect();
        let column = |at: usize| (0..k).map(|row| b[row * n + at]).collect::<Vec<_>>();
        let columns: Vec<_> = (0..n).map(|at| self.blocks(&column(at))).collect();
        let elements = rows.iter().flat_map(|row| {
            let columns = columns.iter().zip(bias);
            columns.map(|(column, bias)| self.element(row, column, *bias))
        });
        let values: Vec<_> = elements.collect();
        Tensor::from_f64s(vec![m as u64, n as u64], self.data_type, &values).expect("a tensor")
    }
}

/// Returns a sum of products of blocks in the format `F`, as a single.
fn sum<P: matrix::Precision, F: Format>(row: &[Vec<u64>], column: &[Vec<u64>], bias: f64) -> f32 {
    let mut undetermined = UndeterminedSet::NONE;
    let is_double = F::BITS == Double::BITS;
    let first = match is_double {
        true => bias.to_bits(),
        false => (bias as f32).to_bits().into(),
    };
    let sum = row.iter().zip(column).fold(first, |sum, (row, column)| {
        let [row, column] = [row, column].map(|block| P::decode(block, &mut undetermined));
        fma::<P, F>(&row, &column, sum, &mut undetermined)
    });
    match is_double {
        true => f64::from_bits(sum) as f32,
        false => f32::from_bits(sum as u32),
    }
}

/// A device that returns a given tensor and states a precision of its products.
struct Given<'a> {
    inner: ReferenceDevice<'a>,
    result: (GlobalId, Tensor),
    precision: Precision,
}

impl Device for Given<'_> {
    fn name(&self) -> &'static str {
        "given"
    }

    fn write(&mut self, id: GlobalId, tensor: Tensor) -> Result<(), DeviceError> {
        self.inner.write(id, tensor)
    }

    fn read(&mut self, id: GlobalId) -> Result<Tensor, DeviceError> {
        self.inner.read(id)
    }

    fn execute(&mut self, _: &Operation) -> Result<(), DeviceError> {
        let (id, result) = self.result.clone();
        self.write(id, result)
    }

    fn save(&mut self) -> SavedTensors {
        self.inner.save()
    }

    fn restore(&mut self, saved: &SavedTensors) -> Result<(), DeviceError> {
        self.inner.restore(saved)
    }

    fn numerics(&self, _: &Operation) -> Numerics {
        mncore::numerics(self.precision)
    }
}

/// The scaling of the factors' elements along K.
#[derive(Clone, Copy, Debug)]
enum Scale {
    One,
    /// By powers of two from 2^-8 to 2^8.
    Spread,
    /// One channel of 64 of the left factor is a thousand times the others.
    Outliers,
}

impl Scale {
    fn factor(self, k: usize) -> f64 {
        match self {
            Scale::One => 1.0,
            Scale::Spread => f64::from(k as i32 * 7 % 17 - 8).exp2(),
            Scale::Outliers if k % 64 == 5 => 1000.0,
            Scale::Outliers => 1.0,
        }
    }
}

/// Returns a program with a product of tensors 0 and 1, followed by a bias and a relu if `relu`.
fn program([m, k, n]: [usize; 3], data_type: DataType, relu: bool) -> Program {
    let desc = |shape: &[usize]| {
        let shape: Vec<_> = shape.iter().map(|extent| *extent as u64).collect();
        TensorDesc {
            data_type,
            ..tensor(&shape, MemorySpace::Dram)
        }
    };
    let operations = match relu {
        false => vec![operation(op("matmul", &[0, 1], &[4]))],
        true => vec![
            operation(op("linear", &[0, 1, 2], &[3])),
            operation(op("relu", &[3], &[4])),
        ],
    };
    Program {
        name: "forward".into(),
        private: false,
        tensors: [&[m, k][..], &[k, n], &[n], &[m, n], &[m, n]]
            .map(desc)
            .to_vec(),
        inputs: vec![0, 1, 2],
        cached: vec![],
        outputs: vec![4],
        operations: vec![operation(KernelOp {
            operations,
            outputs: vec![4],
            kernels: vec![],
        })],
    }
}

/// Returns the share of the error bound of a stated precision that a product uses.
fn used(extents: [usize; 3], scale: Scale, product: &Product, stated: Precision, seed: u64) -> f64 {
    let program = program(extents, product.data_type, product.relu);
    let mut binary = Binary::new(Arch::WormholeB0);
    binary.programs.push(program);
    binary.validate().expect("it is consistent");
    let program = &binary.programs[0];
    let mut source = Source::new(Init::Randn, seed);
    let [k, n] = [extents[1], extents[2]];
    let mut input = |id: GlobalId, scale: &dyn Fn(usize) -> f64| {
        let desc = program.tensor(id).expect("it is declared");
        let values = source.tensor(desc).expect("a tensor").to_f64s();
        let scaled = values
            .iter()
            .enumerate()
            .map(|(at, value)| value * scale(at));
        let scaled: Vec<_> = scaled.collect();
        Tensor::from_f64s(desc.shape.clone(), desc.data_type, &scaled).expect("a tensor")
    };
    let inputs = [
        input(0, &|at| scale.factor(at % k)),
        input(1, &|at| match scale {
            Scale::Spread => scale.factor(at / n + 3),
            _ => 1.0,
        }),
        input(2, &|_| if product.relu { 30.0 } else { 0.0 }),
    ];
    let [a, b, bias] = [0, 1, 2].map(|id: usize| inputs[id].to_f64s());
    let result = product.eval(extents, &a, &b, &bias);
    let mut device = Given {
        inner: ReferenceDevice::new(program),
        result: (4, result),
        precision: stated,
    };
    let mut golden = Golden::new(program);
    run(&mut device, program, inputs.to_vec(), Some(&mut golden)).expect("it runs");
    let report = &golden.reports()[0];
    let bound = [Bound::Matmul, Bound::Group][usize::from(product.relu)];
    assert_eq!(report.bound, bound);
    assert_eq!(report.pass, report.used <= 1.0);
    report.used
}

#[test]
fn products_of_the_chip_keep_the_bound() {
    use DataType::{BF16, F32};
    let long = is_long_run();
    let extents: &[[usize; 3]] = match long {
        false => &[
            [1, 1, 1],
            [3, 7, 5],
            [4, 8, 4],
            [5, 9, 6],
            [16, 100, 16],
            [4, 1000, 4],
        ],
        true => &[
            [64, 64, 64],
            [32, 1000, 32],
            [16, 4096, 16],
            [256, 256, 256],
        ],
    };
    for precision in [
        Precision::Half,
        Precision::Pseudo,
        Precision::Single,
        Precision::Double,
    ] {
        let mut greatest = 0_f64;
        for (seed, extents) in extents.iter().enumerate() {
            for scale in [Scale::One, Scale::Spread, Scale::Outliers] {
                for (data_type, relu) in [(F32, false), (F32, true), (BF16, false), (BF16, true)] {
                    let product = Product {
                        precision,
                        relu,
                        data_type,
                    };
                    let used = used(*extents, scale, &product, precision, seed as u64);
                    assert!(
                        used <= 1.0,
                        "{precision:?} {extents:?} {scale:?} {data_type} {relu}: {used}"
                    );
                    if data_type == F32 {
                        greatest = greatest.max(used);
                    }
                }
            }
        }
        println!("{precision:?}, f32: up to {greatest:.3} of the bound");
        assert!(
            greatest > 0.05,
            "{precision:?}: the bound says something: {greatest}"
        );
    }
}

/// A product in one precision exceeds the error bound of the next higher one.
#[test]
fn products_in_lower_precisions_exceed_the_bound() {
    let (few, many) = ([4, 16, 4], [8, 1000, 8]);
    for (precision, stated, extents) in [
        (Precision::Half, Precision::Pseudo, few),
        (Precision::Half, Precision::Pseudo, many),
        (Precision::Pseudo, Precision::Single, few),
        (Precision::Single, Precision::Double, many),
    ] {
        for relu in [false, true] {
            let product = Product {
                precision,
                relu,
                data_type: DataType::F32,
            };
            let used = used(extents, Scale::One, &product, stated, 7);
            assert!(used > 1.0, "{precision:?} as {stated:?} {extents:?} {used}");
        }
    }
}
