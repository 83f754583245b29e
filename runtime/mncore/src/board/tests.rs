use super::*;

#[test]
fn memories_wrap_around() {
    let mut memory = MemoryWords::new(4, 2);
    for (address, expect) in [
        (0, [1, 2, 3, 0, 0, 0, 0, 0]),
        (6, [3, 0, 0, 0, 0, 0, 1, 2]),
        (15, [2, 3, 0, 0, 0, 0, 0, 1]),
    ] {
        memory.fill(0);
        write_wrapping(&mut memory, address, &[1, 2, 3]);
        assert_eq!(*memory, expect, "at {address}");
        let mut words = [0; 3];
        read_wrapping(&memory, address, &mut words);
        assert_eq!(words, [1, 2, 3], "at {address}");
    }
}
