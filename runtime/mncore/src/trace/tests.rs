use super::*;

#[test]
fn units_and_transfers_on_their_tracks() {
    let source =
        "mvp/n640i01 $p0@0 $lc0@0.0\nmvp/n64 $p0@0 $d0@0\nnop\nlpassa $lm0v $lr0v; wait i01\n\
                  mvp/n64 $p0@0 $d0@0\nmvp/n64i02 $p0@0 $d0@0\nnop; wait i02\n";
    let program = tessera_isa_mncore::parse(source).expect("it is in the language");
    let mut bytes = Vec::new();
    write(&program.statements, &mut bytes).expect("memory takes it");
    let trace: Value = serde_json::from_slice(&bytes).expect("it is JSON");
    let events = trace["traceEvents"].as_array().expect("it is an array");
    let track = |event: &Value| {
        let named = events.iter().find(|name| {
            name["name"] == "thread_name"
                && name["pid"] == event["pid"]
                && name["tid"] == event["tid"]
        });
        named.expect("every track has a name")["args"]["name"].clone()
    };
    let slices: Vec<_> = events
        .iter()
        .filter(|event| event["ph"] == "X")
        .map(|event| {
            let number = |key: &str| event[key].as_u64().expect("a number");
            let text = event["name"].as_str().expect("a text");
            let line = event["args"]["line"].as_u64().expect("a number");
            (text, track(event), line, number("ts"), number("dur"))
        })
        .collect();
    assert_eq!(
        slices,
        [
            ("nop", json!("nop"), 3, 0, 4),
            ("mvp/n640i01 $p0@0 $lc0@0.0", json!("i01"), 1, 0, 40),
            ("lpassa $lm0v $lr0v", json!("alu"), 4, 40, 4),
            ("wait i01", json!("wait"), 4, 40, 4),
            ("mvp/n64 $p0@0 $d0@0", json!("no tag 1"), 2, 0, 52),
            ("mvp/n64 $p0@0 $d0@0", json!("no tag 2"), 5, 44, 8),
            ("mvp/n64i02 $p0@0 $d0@0", json!("i02"), 6, 44, 8),
            ("nop", json!("nop"), 7, 52, 4),
            ("wait i02", json!("wait"), 7, 52, 4),
        ]
    );
}

#[test]
fn programs_follow_one_another() {
    let source = "mvp/n64 $p0@0 $d0@0\nnop/3\nmvp/n640 $p0@0 $d0@0\n";
    let program = tessera_isa_mncore::parse(source).expect("it is in the language");
    let mut bytes = Vec::new();
    let mut trace = TraceWriter::new(&mut bytes).expect("memory takes it");
    for (name, source) in [("a", None), ("b", Some("a.mlir:3:1"))] {
        for statement in &program.statements {
            trace.statement(statement, source).expect("memory takes it");
        }
        trace.end_program(Some(name)).expect("memory takes it");
    }
    trace.finish().expect("memory takes it");
    let trace: Value = serde_json::from_slice(&bytes).expect("it is JSON");
    let events = trace["traceEvents"].as_array().expect("it is an array");
    let slice = |name: &str| {
        let slices = events.iter().filter(move |event| event["name"] == name);
        let slices = slices.map(|event| {
            let number = |key: &str| event[key].as_u64().expect("a number");
            (number("pid"), number("tid"), number("ts"), number("dur"))
        });
        slices.collect::<Vec<_>>()
    };
    // Each begins when the transfers of the one before are complete.
    assert_eq!(slice("a"), [(3, 1, 0, 52)]);
    assert_eq!(slice("b"), [(3, 1, 52, 52)]);
    assert_eq!(
        slice("mvp/n640 $p0@0 $d0@0"),
        [(2, 257, 12, 40), (2, 257, 64, 40)]
    );
    let moves = |event: &&Value| event["args"]["source"] == "a.mlir:3:1";
    let last = events.iter().rfind(moves).expect("the second has a source");
    assert_eq!(last["args"]["moves from"], 64);
    assert_eq!(last["args"]["moves until"], 104);
}

#[test]
fn every_unit_has_a_track() {
    let mut tracks = TRACKS.to_vec();
    tracks.sort();
    tracks.dedup();
    assert_eq!(tracks.len(), TRACKS.len());
    // The last of the groups.
    assert_eq!(Group::Wait as usize + 1, TRACKS.len());
}
