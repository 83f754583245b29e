use super::*;

const CLOCK: u64 = 0x0000_0007_89ab_cdef;

fn words((at, bytes): Piece) -> (u32, Vec<u32>) {
    let word = |b: &[u8]| crate::state::l1::little_endian(b);
    (at, bytes.chunks(4).map(word).collect())
}

/// A stream with buffers of two pieces at 0x100 and one at 0x200, and what events do.
fn stream() -> impl FnMut(u32) -> Option<(u32, Vec<u32>)> {
    let mut t = Timestamps::new();
    for (k, value) in [0x10, 0x11, 0x20, 0x20].into_iter().enumerate() {
        t.store(BOUNDS + 4 * k as u32, value, 0).unwrap();
    }
    move |event| t.store(COMMAND, event, CLOCK).unwrap().map(words)
}

#[test]
fn events() {
    let mut s = stream();
    assert_eq!(s(0xabc0), Some((0x100, vec![0xabc0, 0x89ab_cdef, 7, 0])));
    assert_eq!(s(0x11), None);
    assert_eq!(
        s(0x21),
        Some((0x110, vec![0x11, 0x89ab_cdef, 0x21, 0x89ab_cdef]))
    );
    let short = 0xa_bc02 & 0xffff | (0x89ab_cdef & 0x001f_ffe0) << 11;
    assert_eq!([(); 3].map(|()| s(0xa_bc02)), [None, None, None]);
    assert_eq!(s(0xa_bc02), Some((0x200, vec![short; 4])));
    assert_eq!(s(0xabc0), None, "no buffer has room");
    let mut s = stream();
    assert_eq!(s(0x14), None);
    // The second event ends the piece; its rest can be flushed.
    assert_eq!(s(0x24), Some((0x100, vec![0x14, 0x89ab_cdef, 7, 0x24])));
}

#[test]
fn registers() {
    let mut t = Timestamps::new();
    t.store(BOUNDS + 4, 0, 0).unwrap();
    t.store(CONTROL, 1, 0).unwrap();
    assert_eq!(
        (t.load(CONTROL), t.load(COMMAND), t.load(BOUNDS + 4)),
        (1, 0, 0)
    );
    t.store(COMMAND, 1, CLOCK).unwrap();
    assert_eq!(t.load(STATUS), 1 << 8);
    assert_eq!(
        t.store(COMMAND, 3, CLOCK).unwrap().map(words),
        Some((0, vec![1, 0x89ab_cdef, 0, 0]))
    );
    assert_eq!(t.load(STATUS), 1 | 1 << 14, "full");
    t.store(COMMAND, 0, CLOCK).unwrap();
    assert_eq!(
        t.load(STATUS),
        1 | 1 << 4 | 1 << 14,
        "only the buffer that is used overflows"
    );
    t.store(STATUS, 1 | 1 << 4, 0).unwrap();
    assert_eq!(t.load(STATUS), 0);
    t.store(COMMAND, 2, CLOCK).unwrap();
    assert_eq!(t.load(STATUS), 1 << 9);
    let text = |r: Result<Option<Piece>, Fault>| r.unwrap_err().to_string();
    assert_eq!(
        text(t.store(COMMAND, 1, 0)),
        "undefined behaviour: appends a time stamp of 2 words to some of 1 words; flush them first"
    );
    assert_eq!(
        text(t.store(COMMAND, 5, 0)),
        "undefined behaviour: stores 0x5 to RISCV_DEBUG_REG_TIMESTAMP; there are no events of kind \
         5"
    );
    t.store(CONTROL, 1 << 31, 0).unwrap();
    assert_eq!(t.load(STATUS), 0);
}
