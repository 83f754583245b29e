use super::*;

fn shell(limits: Limits, text: &str) -> Run {
    let run = Run::execute_within(limits, Path::new("sh"), ["-c", text], Path::new("."));
    run.expect("the shell starts")
}

/// Programs that compute or wait forever are ended.
#[test]
fn a_hang_is_ended() {
    let limits = [(1, 600), (600, 1)];
    let loops = ["while :; do :; done", "sleep 600"];
    for ((processor, clock), text) in limits.into_iter().zip(loops) {
        let limits = Limits {
            processor,
            clock,
            ..LIMITS
        };
        let wrong = shell(limits, text).verdict().expect_err(text);
        assert!(wrong.starts_with("it ended with "), "{text}: {wrong}");
    }
    let echo = Run::execute(Path::new("echo"), ["a"], Path::new("."));
    let verdict = echo.expect("echo starts").verdict();
    assert_eq!(verdict, Ok(Verdict::Accepted));
}

#[test]
fn memory_is_measured_and_limited() {
    // A variable of 2^24 bytes.
    let text =
        "x=0; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do x=$x$x; \
         done";
    let run = shell(LIMITS, text);
    assert_eq!(run.ending(), Ok(Ending::Done));
    assert!(run.memory > 16 << 20, "{}", run.memory);
    let memory = 16 << 20;
    let limits = Limits { memory, ..LIMITS };
    let wrong = shell(limits, text).ending().expect_err("it takes more");
    assert!(wrong.starts_with("it took "), "{wrong}");
    let limits = Limits {
        address_space: memory,
        ..LIMITS
    };
    shell(limits, text).ending().expect_err("there is no room");
}

#[test]
fn failing_needs_a_message() {
    for (text, expect) in [
        ("echo error: x >&2; exit 1", Some(Ending::Refused)),
        ("echo error: x >&2; exit 2", Some(Ending::Usage)),
        ("exit 1", None),
        ("exit 2", None),
        ("echo error: x >&2; exit 3", None),
        ("echo panicked at >&2", None),
        ("kill -SEGV $$", None),
    ] {
        assert_eq!(shell(LIMITS, text).ending().ok(), expect, "{text}");
    }
}
