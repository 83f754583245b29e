//! Loops that compute two vectors in an iteration.

use tessera_isa_tensix::{Arch, Instruction};
use tessera_ops::{Binary, Unary};
use tessera_pto::kernel::Element;
use tessera_tensix_code::functions::{all, Function, FunctionImpl};
use tessera_tensix_code::vector::{compile, VectorCode, VectorNode, VectorProgram};

use crate::machine::{run_on_tile, Kernel, Tile};
use crate::sample::floats;

/// Rows and columns of the elements of two vectors.
const ROWS: usize = 4;
const COLUMNS: usize = 16;

fn loop_of(function: &'static FunctionImpl) -> Option<VectorCode> {
    let computed = VectorNode::Computed {
        function,
        operands: vec![0],
    };
    let program = VectorProgram {
        nodes: vec![VectorNode::Dst(0), computed],
        results: vec![(1, 0)],
    };
    compile(&program, [0; 2])
}

/// Returns a tile of special and random words, and its elements that a loop computes.
fn random_tile(seed: u64) -> (Tile, Vec<u32>) {
    let words = floats(32 * 32, seed);
    let tile: Tile = std::array::from_fn(|row| std::array::from_fn(|at| words[32 * row + at]));
    let elements = computed_elements(&tile);
    (tile, elements)
}

/// Returns the elements of a tile that a loop computes.
fn computed_elements(tile: &Tile) -> Vec<u32> {
    let elements = tile[..ROWS].iter().flat_map(|row| &row[..COLUMNS]);
    elements.copied().collect()
}

/// Runs a loop on a tile and returns the elements that it computes.
fn run_loop(arch: Arch, tile: &Tile, code: &VectorCode) -> Vec<u32> {
    let instructions = [&code.code.setup[..], &code.code.body].concat();
    computed_elements(&run_on_tile(arch, tile, &instructions, 0))
}

/// An iteration over two vectors has the bits that one vector at a time has.
#[test]
fn two_vectors_have_the_same_bits() {
    let (tile, elements) = random_tile(5);
    let mut pairs = 0;
    for row in all().filter(|row| row.arity == 1) {
        let code = loop_of(row).expect("one function fits into the LRegs");
        if code.vectors != 2 {
            continue;
        }
        pairs += 1;
        for arch in Arch::ALL {
            let expect = Kernel::on(arch, row).run(&[&elements]);
            assert!(
                run_loop(arch, &tile, &code) == expect,
                "{} of {} on {arch}",
                row.name(),
                row.element
            );
        }
    }
    assert!(pairs > 10, "only {pairs} functions compute two vectors");
}

/// Returns `gelu(x + x)` as a program.
fn gelu_of_sum([add, gelu]: [&'static FunctionImpl; 2]) -> VectorProgram {
    let computed = |function, operands: &[usize]| VectorNode::Computed {
        function,
        operands: operands.to_vec(),
    };
    VectorProgram {
        nodes: vec![
            VectorNode::Dst(0),
            computed(add, &[0, 0]),
            computed(gelu, &[1]),
        ],
        results: vec![(2, 0)],
    }
}

/// A sum that is kept in Dst while GELU needs the LRegs leads to the same bits as two programs.
#[test]
fn spilled_values_have_the_same_bits() {
    let functions = [Function::Binary(Binary::Add), Function::Unary(Unary::Gelu)];
    let [add, gelu] = functions.map(|one| FunctionImpl::find(one, Element::F32).unwrap());
    let code = compile(&gelu_of_sum([add, gelu]), [0; 2]).unwrap();
    assert_eq!(code.vectors, 2);
    let is_store = |one: &&Instruction| matches!(one, Instruction::Sfpstore(_));
    let stores = code.code.body.iter().filter(is_store).count();
    assert_eq!(stores, 4, "a spill and a result for each vector");
    let (tile, elements) = random_tile(6);
    for arch in Arch::ALL {
        let sums = Kernel::on(arch, add).run(&[&elements, &elements]);
        let expect = Kernel::on(arch, gelu).run(&[&sums]);
        assert!(run_loop(arch, &tile, &code) == expect, "{arch}");
    }
}
