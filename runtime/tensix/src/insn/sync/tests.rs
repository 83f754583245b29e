use super::*;
use tessera_isa_tensix::Arch;

use crate::testing::Bench;

#[test]
fn refusals() {
    for arch in Arch::ALL {
        let mut bench = Bench::on(arch);
        bench.run("ttsemwait 0, 2, 3");
        bench.refuses(
            "ttsemwait 0, 2, 0",
            "undefined behaviour: SEMWAIT without a condition; bit 0 waits while a semaphore is 0, \
             bit 1 while it is at its maximum",
        );
    }
}

#[test]
fn streams_have_no_messages() {
    let mut bench = Bench::on(Arch::Blackhole);
    bench.set_thread(cfg::STREAM_ID_SYNC_BankSel.nth(2), 9);
    bench.run("ttstreamwait 4, 5, 0, 2\n ttstreamwait 4, 0, 1, 2");
    bench.set_thread(cfg::STREAMWAIT_NUM_MSGS_HI_Val, 1);
    bench.refuses(
        "ttstreamwait 4, 2, 1, 2",
        "not modelled: STREAMWAIT for 1026 messages of stream 9, which receives nothing here; wait \
         for a semaphore, or for a phase that a core stores",
    );
}
