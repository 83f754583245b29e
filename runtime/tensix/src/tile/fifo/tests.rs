use super::*;

#[test]
fn four_values_by_sender() {
    let mut f = Fifos::default();
    assert!(f.send(0, 1, 7) && f.send(0, 1, 8) && f.send(0, 2, 9) && f.send(0, 3, 10));
    assert!(!f.send(0, 3, 11), "the fifth of one core");
    assert!(f.send(1, 0, 12), "another core has its own four");
    assert_eq!((f.receive(0, 1), f.receive(1, 0)), (Some(7), Some(12)));
    assert!(f.send(0, 3, 11) && f.has_mail(0, 1) && !f.has_mail(1, 0));
    f.enter_reset(0);
    assert!(!f.has_mail(0, 1));
    f.enter_reset(4);
}

#[test]
fn overrides() {
    let mut f = Fifos::default();
    assert_eq!(f.pc_override(1), None);
    f.overrides = (1 | 7 << 2) << 10 | 3 << 20;
    let [a, b] = [1, 2].map(|thread| f.pc_override(thread));
    assert_eq!(
        a,
        Some(Override {
            busy: false,
            value: 7
        })
    );
    assert_eq!(
        b,
        Some(Override {
            busy: true,
            value: 0
        })
    );
}

#[test]
fn pc_bufs() {
    let mut f = Fifos::default();
    assert!((0..16).all(|k| f.push_pc(1, k)) && !f.push_pc(1, 16));
    assert!((0..16).all(|k| f.pop_pc(1) == Some(k)));
    assert!(!f.waits_for_pc(1));
    assert_eq!(f.pop_pc(1), None);
    assert!(f.waits_for_pc(1));
    assert!(f.push_pc(1, 5) && !f.waits_for_pc(1));
    f.leave_reset(2);
    assert_eq!(f.pop_pc(1), None);
}
