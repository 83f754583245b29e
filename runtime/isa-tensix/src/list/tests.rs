use super::*;
use proptest::prelude::*;

#[test]
fn sample() {
    let text = "\
.unpack
    .wait 0, 1            # the tile is in L1
    ttreplay 16, 16, 0, 1
.math
    .mopcfg 0, 1
    .wait_mop
    .word 0x00000000
.dm
    .read 0, 5, 0x18000
    .post 0
";
    let lists: Lists = text.parse().unwrap();
    assert_eq!(
        lists.unpack,
        [
            Entry::Wait {
                counter: 0,
                at_least: 1
            },
            Entry::Push(0x0404_0101)
        ]
    );
    assert_eq!(
        lists.math,
        [
            Entry::MopCfg { index: 0, value: 1 },
            Entry::WaitMop,
            Entry::Push(0)
        ]
    );
    assert_eq!(
        lists.dm,
        [
            DmEntry::Read {
                arg: 0,
                page: 5,
                l1: 0x18000
            },
            DmEntry::Post { counter: 0 }
        ]
    );
}

#[test]
fn errors_have_a_place() {
    let cases = [
        (
            "ttnop",
            "1:1: expected a section first: .unpack, .math, .pack or .dm",
        ),
        (".math\n\n  ttfoo", "3:3: unknown instruction `ttfoo`"),
        (
            ".math\n  ttmvmul 0, 0, 4, 0",
            "2:17: MVMUL: addr_mode is 4, but its field holds 0 to 3",
        ),
        (
            ".dm\n  ttnop",
            "2:3: instructions belong in .unpack, .math or .pack; section .dm moves pages",
        ),
        (
            ".pack\n  .read 0, 0, 0",
            "2:3: `.read` is not a directive of section .pack",
        ),
        (
            ".dm\n  .sem_get 0",
            "2:3: `.sem_get` is not a directive of section .dm",
        ),
        (
            ".math\n  .wait 0",
            "2:3: `.wait` takes 2 operand(s), but 1 were given",
        ),
        (
            ".math\n  .mopcfg 9, 0",
            "2:11: operand 9 is out of range 0 to 8",
        ),
        (
            ".math\n  .post one",
            "2:9: `one` is not a number; write decimal or 0x…",
        ),
        (".math\n.math", "2:1: section .math occurs twice"),
    ];
    for (text, expect) in cases {
        assert_eq!(
            text.parse::<Lists>().unwrap_err().to_string(),
            expect,
            "{text:?}"
        );
    }
}

#[test]
fn entries_name_what_a_core_has() {
    let cases = [
        (Entry::SemPost(7), ""),
        (
            Entry::SemPost(8),
            "names semaphore 8; there are semaphores 0 to 7",
        ),
        (
            Entry::SemGet(9),
            "names semaphore 9; there are semaphores 0 to 7",
        ),
        (
            Entry::SemPoll {
                sem: 255,
                at_least: 16,
            },
            "names semaphore 255; there are semaphores 0 to 7",
        ),
        (
            Entry::SemPoll {
                sem: 2,
                at_least: 16,
            },
            "waits until semaphore 2 is 16; a semaphore is at most 15",
        ),
        (Entry::MopCfg { index: 8, value: 0 }, ""),
        (
            Entry::MopCfg { index: 9, value: 0 },
            "stores to MopCfg[9]; there are MopCfg[0] to MopCfg[8]",
        ),
        (Entry::Push(u32::MAX), ""),
    ];
    for (entry, expect) in cases {
        let found = entry
            .check()
            .map_or_else(|e| e.to_string(), |()| String::new());
        assert_eq!(found, expect, "{entry}");
    }
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        any::<u32>().prop_map(Entry::Push),
        (0..9u8, any::<u32>()).prop_map(|(index, value)| Entry::MopCfg { index, value }),
        Just(Entry::WaitMop),
        Just(Entry::WaitIdle),
        (0..8u8).prop_map(Entry::SemPost),
        (0..8u8).prop_map(Entry::SemGet),
        (0..8u8, 0..16u8).prop_map(|(sem, at_least)| Entry::SemPoll { sem, at_least }),
        any::<u16>().prop_map(|counter| Entry::Post { counter }),
        any::<(u16, u32)>().prop_map(|(counter, at_least)| Entry::Wait { counter, at_least }),
    ]
}

fn dm_entry() -> impl Strategy<Value = DmEntry> {
    prop_oneof![
        any::<(u16, u32, u32)>().prop_map(|(arg, page, l1)| DmEntry::Read { arg, page, l1 }),
        any::<(u16, u32, u32)>().prop_map(|(arg, page, l1)| DmEntry::Write { arg, page, l1 }),
        any::<u16>().prop_map(|counter| DmEntry::Post { counter }),
        any::<(u16, u32)>().prop_map(|(counter, at_least)| DmEntry::Wait { counter, at_least }),
    ]
}

proptest! {
    #[test]
    fn printing_and_parsing_are_inverse(
        unpack in prop::collection::vec(entry(), 0..20),
        math in prop::collection::vec(entry(), 0..20),
        pack in prop::collection::vec(entry(), 0..20),
        dm in prop::collection::vec(dm_entry(), 0..20),
    ) {
        let lists = Lists { unpack, math, pack, dm };
        prop_assert_eq!(lists.to_string().parse(), Ok(lists));
    }
}
