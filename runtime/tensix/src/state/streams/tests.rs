use tessera_isa_tensix::Instruction;

use super::*;
use crate::issue::coprocessor::Coprocessor;

#[test]
fn counters_of_circular_buffers() {
    for arch in Arch::ALL {
        let mut o = Streams::new(arch);
        let at = |stream: usize, register: Register| {
            let known = REGISTERS.iter().find(|&&(r, _)| r == register);
            address(stream, number(arch, known.unwrap().1).unwrap())
        };
        o.store(at(8, BufSize), 0x2_0005).unwrap();
        o.store(at(8, BufStart), 3).unwrap();
        let loaded = |o: &Streams, register| o.load(at(8, register)).unwrap();
        assert_eq!((loaded(&o, BufSize), loaded(&o, BufStart)), (5, 3));
        assert_eq!((loaded(&o, Space), o.load(at(9, Space))), (5, Ok(0)));
        o.store(at(8, SpaceUpdate), 2 << 6).unwrap();
        assert_eq!((loaded(&o, Space), loaded(&o, BufSize)), (7, 5));
        let text = |r: Result<(), Fault>| r.unwrap_err().to_string();
        assert_eq!(
            text(o.store(address(63, 33), 0)),
            "not modelled: register 33 of stream 63 of the NoC overlay (0xffb7f084)"
        );
        let update = at(8, SpaceUpdate);
        assert_eq!(
            text(o.store(update, 1)),
            format!(
                "undefined behaviour: adds to space 1 of stream 8, which has one ({update:#x})"
            )
        );
        assert!(o.load(at(0, SpaceUpdate)).is_err());
        assert!(o.store(at(0, SpaceUpdate), 1).is_err() && o.store(at(8, Space), 1).is_err());
    }
}
/// A base is added to what is stored, and taken off what is loaded.
#[test]
fn phases_have_bases() {
    let mut o = Streams::new(Arch::Blackhole);
    let [base, phase] = [address(5, 28), address(5, 29)];
    o.store(base, 100).unwrap();
    o.store(phase, 7).unwrap();
    assert_eq!(
        (o.load(base), o.load(phase), o.phase(5)),
        (Ok(100), Ok(7), 7)
    );
    o.store(base, 90).unwrap();
    assert_eq!((o.load(phase), o.phase(4)), (Ok(17), 0));
    assert!(Streams::new(Arch::WormholeB0).load(phase).is_err());
}

/// A thread waits for a phase until a core has stored it.
#[test]
fn threads_wait_for_phases() {
    let mut coprocessor = Coprocessor::new(Arch::Blackhole);
    let post = "ttsempost 2";
    for (entry, text) in ["ttsetc16 60, 9", "ttstreamwait 2, 3, 0, 1", post]
        .into_iter()
        .enumerate()
    {
        let instruction = Instruction::parse(Arch::Blackhole, text).unwrap();
        let word = instruction.encode(Arch::Blackhole).unwrap();
        assert!(coprocessor.frontends[1].push(word, entry));
    }
    let posted = |coprocessor: &mut Coprocessor, phase: u32| {
        let streams = &mut coprocessor.core.streams;
        streams.store(address(9, 29), phase).unwrap();
        coprocessor.forget_satisfied_waits();
        while coprocessor.issue(1, 1).unwrap().1 {}
        coprocessor.sync.value(1)
    };
    assert_eq!([2, 3].map(|phase| posted(&mut coprocessor, phase)), [0, 1]);
}
