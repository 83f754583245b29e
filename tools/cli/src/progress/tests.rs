use super::*;
use indicatif::InMemoryTerm;

/// Waits until the terminal shows `expect`.
#[track_caller]
fn await_text(terminal: &InMemoryTerm, expect: &str) {
    for _ in 0..500 {
        if terminal.contents().contains(expect) {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{expect:?} is not in {:?}", terminal.contents());
}

fn start(total: Option<u64>, delay: Duration) -> (Progress, InMemoryTerm) {
    let terminal = InMemoryTerm::new(4, 80);
    let target = Box::new(terminal.clone());
    let progress = Progress::start_on(total, delay, || ProgressDrawTarget::term_like(target));
    (progress, terminal)
}

#[test]
fn a_long_run_shows_its_progress_and_clears_it() {
    let (progress, terminal) = start(Some(3), Duration::ZERO);
    progress.set_message("matmul on tensix");
    progress.advance(2);
    await_text(&terminal, "2/3 matmul on tensix");
    progress.restart(7);
    await_text(&terminal, "0/7 matmul on tensix");
    assert_eq!(progress.suspend(|| terminal.contents()), "");
    drop(progress);
    assert_eq!(terminal.contents(), "");
}

#[test]
fn a_run_without_a_total_shows_the_time() {
    let (progress, terminal) = start(None, Duration::ZERO);
    progress.set_message("tile (1, 1)");
    await_text(&terminal, "tile (1, 1)");
    assert!(terminal.contents().starts_with("[00:00:0"));
}

#[test]
fn a_short_run_shows_nothing() {
    let (progress, terminal) = start(Some(1), Duration::from_secs(3600));
    progress.advance(1);
    progress.set_message("done");
    drop(progress);
    assert_eq!(terminal.moves_since_last_check(), "");
}
