use super::*;
use tessera_runtime::golden::numerics::Erratum;
use tessera_runtime::golden::Bound;

const ERRATUM: Erratum = Erratum {
    factor: 16.0,
    elements: 1 << 16,
    cause: "the adder may have miscounted",
    hint: "",
};

fn report(used: f64, undetermined: usize, miscounted: usize) -> Report {
    let comparison = Comparison {
        equal: false,
        max_abs_error: 0.5,
        nrms: Some(0.001),
        pcc: None,
        max_ulp: None,
    };
    Report {
        operation: 3,
        name: "matmul + log".into(),
        loc: "m.mlir:1:1".into(),
        global_id: 4,
        bound: Bound::Group,
        used,
        elements: 8,
        undetermined,
        miscounted,
        miscount_candidates: 0,
        erratum: Some(&ERRATUM),
        pass: used <= 1.0 && undetermined < 8,
        isolated: comparison,
        chained: comparison,
    }
}

#[test]
fn undetermined_elements_are_shown() {
    let open = |count| {
        format!(
            "operation 3 (matmul + log): {count} of 8 elements are undetermined for these inputs: \
             operands may be at a pole or outside of the domain\n"
        )
    };
    let miscounted =
        "operation 3 (matmul + log): 1 of 8 elements are undetermined because the adder may have \
                      miscounted\n";
    let (exceeds, at) = (
        "1 of 1 results exceed their error bounds",
        ", first operation 3 (matmul + log) at m.mlir:1:1",
    );
    let all = "1 of 1 results are undetermined for these inputs in all elements";
    for (report, line, lines, failed) in [
        (report(0.5, 0, 0), "50.0%", String::new(), None),
        (report(0.5, 2, 0), "50.0%", open(2), None),
        (report(0.5, 1, 1), "50.0%", miscounted.into(), None),
        (
            report(2.0, 3, 1),
            "FAIL at m.mlir:1:1",
            open(2) + miscounted,
            Some(exceeds),
        ),
        (
            report(0.0, 8, 0),
            "UNDETERMINED at m.mlir:1:1",
            open(8),
            Some(all),
        ),
    ] {
        let passed = u8::from(report.pass);
        let text = text(std::slice::from_ref(&report));
        let end = format!("{lines}golden: {passed} of 1 results are within their bounds\n");
        assert!(text.contains(line) && text.ends_with(&end), "{text}");
        assert!(
            !lines.is_empty() || !text.contains("undetermined"),
            "{text}"
        );
        assert_eq!(failure(&[report]), failed.map(|what| format!("{what}{at}")));
    }
}

#[test]
fn shares_have_a_sane_width() {
    for (used, expect) in [
        (0.0, "0.0%"),
        (0.641, "64.1%"),
        (99.9, "9990.0%"),
        (255.98, "2.6e4%"),
        (1e300, "1.0e302%"),
        (f64::INFINITY, "over"),
        (f64::NAN, "over"),
    ] {
        assert_eq!(share(used), expect, "{used}");
    }
}
