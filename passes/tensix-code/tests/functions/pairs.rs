//! Loops that compute two vectors in an iteration.

use tessera_isa_tensix::Arch;
use tessera_tensix_code::functions::{all, FunctionImpl};
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

/// An iteration over two vectors has the bits that one vector at a time has.
#[test]
fn two_vectors_have_the_same_bits() {
    let words = floats(32 * 32, 5);
    let tile: Tile = std::array::from_fn(|row| std::array::from_fn(|at| words[32 * row + at]));
    let mut pairs = 0;
    for row in all().filter(|row| row.arity == 1) {
        let code = loop_of(row).expect("one function fits into the LRegs");
        if code.vectors != 2 {
            continue;
        }
        pairs += 1;
        let instructions = [code.code.setup, code.code.body].concat();
        let elements = tile[..ROWS].iter().flat_map(|row| &row[..COLUMNS]);
        let elements: Vec<u32> = elements.copied().collect();
        for arch in Arch::ALL {
            let found = run_on_tile(arch, &tile, &instructions, 0);
            let found = found[..ROWS].iter().flat_map(|row| &row[..COLUMNS]);
            let expect = Kernel::on(arch, row).run(&[&elements]);
            assert!(
                found.eq(&expect),
                "{} of {} on {arch}",
                row.name(),
                row.element
            );
        }
    }
    assert!(pairs > 10, "only {pairs} functions compute two vectors");
}
