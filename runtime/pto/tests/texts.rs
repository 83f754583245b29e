//! Texts of traps that valid groups with correct flags never cause; a ring reports them otherwise.

use tessera_pto::ring::Owner;
use tessera_pto::trap::Reason;

#[test]
fn slots_of_somebody_else() {
    for (reason, expect) in [
        (
            Reason::Overwrite {
                slot: 1,
                owner: Owner::Ready(3),
            },
            "push to slot 1, which is not free: it has tile 3, which was not popped; the flags \
             gave a credit that was not there",
        ),
        (
            Reason::Overwrite {
                slot: 0,
                owner: Owner::Held(2),
            },
            "push to slot 0, which is not free: it has tile 2, which the consumer holds; the flags \
             gave a credit that was not there",
        ),
        (
            Reason::SlotMismatch {
                slot: 2,
                owner: Owner::Free,
            },
            "slot 2 does not hold the next tile: it is free",
        ),
    ] {
        assert_eq!(reason.to_string(), expect);
    }
}
