use super::*;
use crate::chip::Stop;
use crate::host::{elf, Dump};
use crate::tile::Break;
use tessera_isa_tensix::{asm, Arch};

const AT: Coordinate = (1, 1);

/// Returns a device in which threads push the words of these texts.
fn device(texts: [&str; 3]) -> (Device, [Range<u32>; 3]) {
    let mut device = Device::new(Arch::WormholeB0, 0);
    let words = texts.map(|text| asm::assemble(Arch::WormholeB0, text).unwrap());
    let places = device.load_words(AT, words.each_ref().map(|words| &words[..]));
    let threads: Vec<_> = (0..3).filter(|&k| !words[k].is_empty()).collect();
    device.release_words(AT, &threads).unwrap();
    (device, places.unwrap())
}

#[test]
fn words_run() {
    let (mut device, places) = device([
        "",
        "ttsetdmareg 0, 4660, 0, 10\nttsetdmareg 0, 1, 0, 11\n",
        "",
    ]);
    assert_eq!(places, [0..0, 0x2_0000..0x2_000c, 0..0]);
    device.record(AT).unwrap();
    assert_eq!(device.run(100_000), Ok(Stop::Quiescent));
    let gprs = device.dump(AT, Dump::Gprs).unwrap();
    let registers = gprs
        .lines()
        .find_map(|line| line.strip_prefix("T1 GPR 00-07 "));
    let words: Vec<&str> = registers.unwrap().split(' ').collect();
    assert_eq!(words[5], "00011234", "{gprs}");
    assert_eq!(device.timeline(AT).unwrap().slices().len(), 2);
    let cores = device.dump(AT, Dump::Cores).unwrap();
    assert!(cores.starts_with("T1 pc 0x20008\n"), "{cores}");
}

/// Three threads pass on a semaphore.
#[test]
fn words_of_threads_run_together() {
    // The second one's code lies after the first half of 4 KiB, so that its address is rounded
    // up.
    let many = "ttnop\n".repeat(600) + "ttseminit 15, 0, 2\nttsempost 2\n";
    let (mut device, places) = device([
        &many,
        "ttsemwait 2, 2, 1\nttsempost 4\n",
        "ttsetdmareg 0, 7, 0, 0\n",
    ]);
    assert_eq!(places[1], 0x2_0980..0x2_098c);
    assert_eq!(places[2].start, 0x2_09c0);
    let done = device.run(1_000_000);
    assert_eq!(done, Ok(Stop::Quiescent), "{:?}", device.waiting(AT));
}

#[test]
fn breaks_stop_once() {
    let (mut device, _) = device(["ttnop\nttnop\nttnop\n", "", ""]);
    device.stop_at(AT, Break::Pc(1, 0x2_0004)).unwrap();
    assert_eq!(device.run(100_000), Ok(Stop::Break(AT)));
    assert!(device
        .dump(AT, Dump::Cores)
        .unwrap()
        .starts_with("T0 pc 0x20004\n"));
    device.stop_at(AT, "NOP:2".parse().unwrap()).unwrap();
    assert_eq!(device.run(100_000), Ok(Stop::Break(AT)));
    assert_eq!(device.run(1), Ok(Stop::StepLimit));
    assert_eq!(device.run(100_000), Ok(Stop::Quiescent));
}

/// An executable that receives its start address, and one that starts where its core does.
#[test]
fn executables_run() {
    // addi x10, x0, 5; j .
    let code = [0x13, 5, 0x50, 0, 0x6f, 0, 0, 0];
    for entry in [0x2_3804, IMAGES[3].start] {
        let mut device = Device::new(Arch::WormholeB0, 0);
        let file = elf::tests::file(entry, &[(1, entry, &code), (1, 0x3_0000, b"data")]);
        let executable = Executable::parse(&file).unwrap();
        device.load_executable(AT, 3, &executable).unwrap();
        device.release(AT, &[3]).unwrap();
        assert_eq!(device.run(100_000), Ok(Stop::Quiescent));
        let cores = device.dump(AT, Dump::Cores).unwrap();
        assert!(
            cores.starts_with(&format!("T2 pc {:#x}\n", entry + 4)),
            "{cores}"
        );
        assert_eq!(device.read(AT, 0x3_0000, 4).unwrap(), b"data");
    }
}

#[test]
fn executables_that_are_refused() {
    for (entry, address, expect) in [
        (
            0,
            0x16_dffd,
            "the executable of core B has 4 bytes for 0x16dffd; L1 ends at 0x16e000",
        ),
        (
            0,
            0xffff_fffe,
            "the executable of core B has 4 bytes for 0xfffffffe; L1 ends at 0x16e000",
        ),
        (
            0xffc0_0000,
            0,
            "the executable of core B begins at 0xffc00000, which is not in L1",
        ),
        (
            0x100,
            0,
            "the executable of core B begins at 0x100, and has something else at 0x0, where the \
             core does",
        ),
    ] {
        let mut device = Device::new(Arch::WormholeB0, 0);
        let file = elf::tests::file(entry, &[(1, address, &[0; 4])]);
        let executable = Executable::parse(&file).unwrap();
        let refused = device.load_executable(AT, 0, &executable).unwrap_err();
        assert_eq!(refused.to_string(), format!("tile (1, 1): {expect}"));
    }
}

#[test]
fn programs_that_are_refused() {
    let mut device = Device::new(Arch::WormholeB0, 0);
    let text = |r: Result<(), ChipTrap>| r.unwrap_err().to_string();
    let mut words = |words| text(device.load_words(AT, [&[], words, &[]]).map(|_| ()));
    assert_eq!(
        words(&[0, 0xc000_0000]),
        "tile (1, 1): word 1 is 0xc0000000; cores push words below 0xc0000000"
    );
    assert_eq!(
        words(&[0; 342_016]),
        "tile (1, 1): core T1 is to push 342016 words; there is room for 342015"
    );
    assert_eq!(
        text(device.load_image(AT, 2, &[0; 0x4001])),
        "tile (1, 1): the image of core T1 has 16385 bytes; there is room for 16384"
    );
    assert_eq!(
        text(device.load_image((0, 3), 2, &[0])),
        "tile (0, 3): not modelled: the tile at (0, 3), which is neither Tensix, nor Ethernet, nor \
         DRAM"
    );
}
