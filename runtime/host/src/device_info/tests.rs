use super::*;
use crate::devices::ALL;

struct Counted;
struct Other;

impl KernelRuns for Counted {
    fn statistics(&self) -> Vec<Section> {
        Vec::new()
    }

    fn to_json(&self) -> Vec<Value> {
        Vec::new()
    }
}

impl KernelRuns for Other {
    fn statistics(&self) -> Vec<Section> {
        Vec::new()
    }

    fn to_json(&self) -> Vec<Value> {
        Vec::new()
    }
}

#[test]
fn kernels_are_of_one_device() {
    let found = runs_of::<Counted>(&[&Counted, &Counted]).expect("they are of one device");
    assert_eq!(found.len(), 2);
    let error = runs_of::<Counted>(&[&Counted, &Other]).err();
    let text = error.map(|error| error.to_string());
    assert_eq!(text.as_deref(), Some("kernels of another device"));
}

#[test]
fn devices_have_names_of_their_own() {
    let mut all: Vec<_> = ALL.iter().map(|device| device.name).collect();
    assert!(all.iter().all(|name| !name.is_empty()));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), ALL.len());
}

#[test]
fn names_are_listed() {
    let [a, b, c] = ["a", "b", "c"].map(|name| DeviceInfo {
        name,
        description: "",
        options: &[],
        chip: None,
        open: |_, _, _| Err(DeviceError::Undeclared(0)),
        facts: || Value::Null,
    });
    for (devices, expect) in [
        (&[][..], "none"),
        (&[&a], "a"),
        (&[&a, &b], "a or b"),
        (&[&a, &b, &c], "a, b or c"),
    ] {
        assert_eq!(join_names(devices, "or"), expect);
    }
}
