use super::*;
use tessera_isa_tensix::Arch;
use tessera_tensix::Stats;

/// Cycles are those of the chip that has run.
#[test]
fn rates_are_the_chips() {
    for (arch, unit) in [(Arch::WormholeB0, false), (Arch::Blackhole, true)] {
        let figures = Figures::from_run(&KernelRun {
            arch,
            kernel: String::new(),
            loc: String::new(),
            phases: 0,
            stats: Stats::default(),
            workers: vec![Stats::default()],
            timelines: Vec::new(),
        });
        let parts = [figures.clone(), Figures::sum(&[figures.clone(), figures])].map(|figures| {
            figures
                .busy
                .iter()
                .any(|busy| busy.part == "configuration unit")
        });
        assert_eq!(parts, [unit; 2], "{arch}");
    }
}
