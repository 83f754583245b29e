use tessera_isa_tensix::Arch;

use super::super::plan::{Store, Tensor, TensorMemory, TileRect, VectorProgram};
use super::*;

/// Loops one in the other that turn so often each, around nothing.
fn plan(turns: &[i64]) -> Plan {
    let nodes = turns.iter().enumerate().fold(vec![], |body, (var, high)| {
        vec![Node::Loop(Loop {
            var,
            low: Expr::Constant(0),
            high: Expr::Constant(*high),
            step: 1,
            body,
            location: 0,
        })]
    });
    Plan {
        arch: Arch::WormholeB0,
        nodes,
        phases: 4,
        pipes: vec![],
        local_bytes: 0,
        row_half: None,
    }
}

#[test]
fn not_all_turns_are_looked_at() {
    let most = MAX_ITERATIONS as i64;
    for (turns, expect) in [
        (&[most][..], true),
        (&[most + 1], false),
        (&[most / 2, 2], false),
        (&[1 << 31, 1 << 31], false),
    ] {
        assert_eq!(stores_are_disjoint(&plan(turns)), expect, "{turns:?}");
    }
}

/// A block that stores a rectangle of tiles of this shape at this row and column, which count such
/// rectangles.
fn storing(shape: [u32; 2], at: [i64; 2]) -> Node {
    let [row, column] = at.map(Expr::Constant);
    let tensor = Tensor {
        memory: TensorMemory::Argument(0),
        matrices: 1,
        rows: 256,
        columns: 256,
        element: Element::Bf16,
    };
    Node::Block(Block {
        items: vec![],
        broadcasts: vec![],
        vector: VectorProgram {
            nodes: vec![],
            results: vec![],
        },
        fold: None,
        stores: vec![Store {
            dst: 0,
            to: Target::Memory(TileRect {
                tensor,
                row,
                column,
                shape,
            }),
            element: Element::Bf16,
            relu: false,
            mask: false,
            location: 0,
        }],
        shape,
        location: 0,
    })
}

#[test]
fn rectangles_that_share_a_tile_are_not_disjoint() {
    for (first, second, expect) in [
        (([1, 1], [0, 0]), ([1, 1], [0, 1]), true),
        (([1, 1], [1, 0]), ([1, 1], [1, 0]), false),
        (([2, 1], [0, 0]), ([1, 1], [1, 0]), false),
        (([2, 1], [0, 0]), ([1, 1], [2, 0]), true),
        (([1, 1], [3, 3]), ([2, 2], [1, 1]), false),
    ] {
        let plan = Plan {
            nodes: vec![storing(first.0, first.1), storing(second.0, second.1)],
            ..plan(&[])
        };
        assert_eq!(
            stores_are_disjoint(&plan),
            expect,
            "{first:?} and {second:?}"
        );
    }
}
