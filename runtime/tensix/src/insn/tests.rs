use tessera_isa_tensix::Arch;

use crate::testing::Bench;

/// The front end expands these instructions; the units refuse them.
#[test]
fn expansions_do_not_come_here() {
    for (text, fault) in [
        (
            "ttmop 1, 0, 0",
            "undefined behaviour: MOP comes out of the expanders",
        ),
        (
            "ttreplay 0, 1, 0, 0",
            "undefined behaviour: REPLAY comes out of the expanders",
        ),
    ] {
        Bench::on(Arch::WormholeB0).refuses(text, fault);
    }
}
