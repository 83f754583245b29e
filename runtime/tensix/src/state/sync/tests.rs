use super::*;

#[test]
fn semaphores_saturate() {
    let mut s = Sync::new(Arch::WormholeB0);
    s.init(0b110, 14, 2);
    s.post(0b010);
    s.post(0b010);
    assert_eq!((s.value(1), s.value(2), s.value(0)), (15, 14, 0));
    s.get(0b001);
    assert_eq!(s.value(0), 0);
    assert_eq!(s.left_over(), ["semaphore 1 started at 14 and is 15"]);
}

#[test]
fn wait_conditions() {
    let mut s = Sync::new(Arch::WormholeB0);
    s.init(1, 1, 2);
    let waits = |s: &Sync| {
        (
            s.keeps_waiting(1, 1),
            s.keeps_waiting(1, 2),
            s.keeps_waiting(3, 1),
        )
    };
    assert_eq!(waits(&s), (false, false, true));
    s.post(1);
    assert_eq!(waits(&s), (false, true, true));
    s.get(1);
    s.get(1);
    assert_eq!(waits(&s), (true, false, true));
}

#[test]
fn mutexes() {
    let mut s = Sync::new(Arch::WormholeB0);
    for (arch, last) in [(Arch::WormholeB0, 7), (Arch::Blackhole, 4)] {
        let fresh = Sync::new(arch);
        let free = (0..100).filter(|&index| fresh.mutex_free(index, 1));
        let expect = std::iter::once(0).chain(2..=last);
        assert!(free.eq(expect), "{arch}");
    }
    s.take_mutex(2, 1);
    assert!(s.mutex_free(2, 1) && !s.mutex_free(2, 0));
    s.release_mutex(2, 0);
    assert_eq!(s.left_over(), ["thread 1 still holds mutex 2"]);
    s.release_mutex(2, 1);
    assert!(s.mutex_free(2, 0) && s.mutex_free(2, 2));
    s.pass_mutex_on(2, 1);
    assert!(!s.mutex_free(2, 0) && s.mutex_free(2, 2));
    s.take_mutex(2, 2);
    s.pass_mutex_on(2, 0);
    s.release_mutex(2, 2);
    assert!(s.mutex_free(2, 0) && s.mutex_free(2, 1));
}
