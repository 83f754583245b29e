use super::*;

#[test]
fn written_words_are_read_across_pages_and_around_the_end() {
    for address in [0, 5, PAGE_WORDS - 3, DRAM_WORDS - 2, 2 * DRAM_WORDS + 7] {
        let mut dram = Dram::new(false);
        let words: Vec<u64> = (1..=20_000).collect();
        dram.write(address, &words);
        let mut read = vec![0; words.len()];
        assert_eq!(dram.read(address, &mut read), Ok(()));
        assert_eq!(read, words, "at {address}");
    }
}

#[test]
fn a_cleared_dram_is_as_new() {
    let mut dram = Dram::new(false);
    dram.write(0, &[u64::MAX; 2 * PAGE_WORDS as usize]);
    dram.clear();
    assert_eq!(dram, Dram::new(false));
    assert_eq!(dram.read(0, &mut [0]), Err(NeverWritten(0)));
    dram.write(5, &[1, 2]);
    let mut page = [7; PAGE_WORDS as usize];
    assert_eq!(dram.read(0, &mut page), Ok(()));
    let mut expect = [0; PAGE_WORDS as usize];
    (expect[5], expect[6]) = (1, 2);
    assert_eq!(page, expect);
}

#[test]
fn reads_of_unwritten_words_are_errors_unless_zeroed() {
    let mut words = [7; 4];
    let mut dram = Dram::new(false);
    dram.write(0, &[1]);
    assert_eq!(
        dram.read(PAGE_WORDS - 2, &mut words),
        Err(NeverWritten(PAGE_WORDS))
    );
    assert_eq!(Dram::new(true).read(PAGE_WORDS - 2, &mut words), Ok(()));
    assert_eq!(words, [0; 4]);
}

#[test]
fn reused_pages_read_as_zero_where_nothing_was_written() {
    for range in [5..7, 100..300, 128..256, 127..129, 8000..8192, 0..8192] {
        let mut dram = Dram::new(false);
        dram.write(0, &[u64::MAX; PAGE_WORDS as usize]);
        dram.clear();
        let mut expect = [0; PAGE_WORDS as usize];
        for word in [1, 2] {
            let words = vec![word; range.len()];
            dram.write(range.start as u64, &words);
            expect[range.clone()].copy_from_slice(&words);
        }
        let mut page = [7; PAGE_WORDS as usize];
        assert_eq!(dram.read(0, &mut page), Ok(()));
        assert_eq!(page, expect, "{range:?}");
        let mut fresh = Dram::new(false);
        fresh.write(0, &expect);
        assert_eq!(dram, fresh, "{range:?}");
    }
}
