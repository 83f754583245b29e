use super::*;

#[test]
fn digests_tell_orders_apart() {
    let digest = |words: &[u32]| {
        let mut stats = Stats::default();
        words
            .iter()
            .for_each(|word| stats.note(0, Opcode::Nop, *word));
        stats.words(0)
    };
    assert_eq!(digest(&[1, 2, 3]), digest(&[1, 2, 3]));
    assert_ne!(digest(&[1, 2, 3]), digest(&[1, 3, 2]));
    assert_ne!(digest(&[1, 2]), digest(&[1, 2, 0]));
}

#[test]
fn counts_add_up() {
    let mut a = Stats::default();
    a.note(0, Opcode::Nop, 1);
    a.note(2, Opcode::Nop, 2);
    a.note(1, Opcode::Mvmul, 3);
    a.set_retired([1, 2, 3, 4, 5]);
    a.set_mop_ends([0, 1, 0]);
    a.note_moved(Some(1), 7, 9);
    a.note_noc(0, [5, 6]);
    a.note_noc(1, [7, 8]);
    a.note_dram(3);
    a.note_stall(2, Cause::Mutex);
    let mut b = a.clone();
    b.add(&a);
    assert_eq!(
        (b.mop_ends(1), b.unpacked(), b.packed(), b.dram()),
        (2, [0, 14], 18, 6)
    );
    assert_eq!(b.noc(), [[10, 12], [14, 16]]);
    assert_eq!(b.retired(), [2, 4, 6, 8, 10]);
    let stalls: Vec<_> = b.stalls().collect();
    assert_eq!(stalls, [(Cause::Mutex, [0, 0, 2])]);
    assert_eq!(
        (
            b.count(Opcode::Nop),
            b.of_thread(1, Opcode::Mvmul),
            b.total()
        ),
        (4, 2, 6)
    );
    assert_eq!(
        a.by_mnemonic().collect::<Vec<_>>(),
        [("NOP", 2), ("MVMUL", 1)]
    );
}
