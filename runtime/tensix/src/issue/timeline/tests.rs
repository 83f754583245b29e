use super::*;

#[test]
fn slices_end_in_the_order_of_their_units() {
    let mut t = Timeline::new(Arch::WormholeB0);
    let nop = Instruction::parse(t.arch, "ttnop").unwrap();
    t.issued(0, 0, Some(nop));
    t.issued(1, 0b101, Some(nop));
    t.issued(1, 0b100, Some(nop));
    t.left(|unit| usize::from(unit == 2));
    t.left(|_| 0);
    let spans: Vec<_> = t
        .slices()
        .iter()
        .map(|s| (s.unit, s.start, s.end))
        .collect();
    assert_eq!(
        spans,
        [
            (None, 1, 2),
            (Some(0), 2, 4),
            (Some(2), 2, 4),
            (Some(2), 3, 5)
        ]
    );
    let mut text = Vec::new();
    write(&t, &mut text).unwrap();
    let parsed: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let events = parsed["traceEvents"].as_array().unwrap();
    let count = |ph: &str| events.iter().filter(|e| e["ph"] == ph).count();
    assert_eq!((count("X"), count("M")), (4, 2 + 3));
    assert_eq!(events[2]["args"]["name"], "no unit");
    assert_eq!(events[5]["name"], "ttnop");
}
#[test]
fn kernels_follow_one_another() {
    let line = |mnemonic: &str, count: u64| {
        let mut line = Timeline::new(Arch::WormholeB0);
        let instruction = Instruction::parse(line.arch, mnemonic).unwrap();
        (0..count).for_each(|_| line.issued(1, 0, Some(instruction)));
        line
    };
    let first = [((1, 1), line("ttnop", 2)), ((2, 1), line("ttnop", 1))];
    let second = [((2, 1), line("ttdmanop", 1))];
    let mut text = Vec::new();
    write_kernels(&[("a", &first), ("b", &second)], &mut text).unwrap();
    let parsed: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let events = parsed["traceEvents"].as_array().unwrap();
    let process = |event: &serde_json::Value| {
        let named = events
            .iter()
            .find(|name| name["name"] == "process_name" && name["pid"] == event["pid"]);
        let name = named.expect("every process has a name")["args"]["name"].as_str();
        name.unwrap().to_owned()
    };
    let slices: Vec<_> = events
        .iter()
        .filter(|event| event["ph"] == "X")
        .map(|event| {
            let name = event["name"].as_str().unwrap();
            (name, process(event), event["ts"].as_u64().unwrap())
        })
        .collect();
    let expect = [
        ("a", "kernels", 0),
        ("ttnop", "tile (1, 1), thread 1", 1),
        ("ttnop", "tile (1, 1), thread 1", 2),
        ("ttnop", "tile (2, 1), thread 1", 1),
        ("b", "kernels", 2),
        ("ttdmanop", "tile (2, 1), thread 1", 3),
    ];
    assert_eq!(
        slices,
        expect.map(|(name, at, ts)| (name, at.to_owned(), ts))
    );
}
