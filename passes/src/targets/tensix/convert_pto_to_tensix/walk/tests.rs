use tessera_isa_tensix::Arch;

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
