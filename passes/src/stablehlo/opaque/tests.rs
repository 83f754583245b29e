use super::*;

#[test]
fn keywords_are_read() {
    let text = "#stablehlo<comparison_direction EQ>";
    assert_eq!(keyword(text, "comparison_direction"), Some("EQ"));
    assert_eq!(keyword(text, "comparison_type"), None);
    assert_eq!(keyword("#stablehlo<EQ>", "comparison_direction"), None);
    assert_eq!(keyword("EQ", "comparison_direction"), None);
}

#[test]
fn records_are_read() {
    let names = &["a", "b", "c"];
    let record = Record::parse("#stablehlo.dot<a = [1, -2], b = 3>", "dot", names);
    let record = record.expect("it is well-formed");
    assert_eq!(record.list("a"), [1, -2]);
    assert_eq!(record.list("b"), [3]);
    assert!(record.list("c").is_empty());
    assert!(Record::parse("#stablehlo.dot<>", "dot", names).is_some());
    assert!(Record::parse("#stablehlo.dot<a = []>", "dot", names).is_some());
}

#[test]
fn malformed_records_are_refused() {
    for text in [
        "#stablehlo.dot",
        "#stablehlo.dot<a>",
        "#stablehlo.dot<a = >",
        "#stablehlo.dot<a = [1>",
        "#stablehlo.dot<a = [1,]>",
        "#stablehlo.dot<a = [x]>",
        "#stablehlo.dot<a = 1 b = 2>",
        "#stablehlo.dot<a = 1, a = 2>",
        "#stablehlo.dot<d = 1>",
        "#stablehlo.gather<a = 1>",
        "#stablehlo.dot<a = 99999999999999999999>",
    ] {
        assert_eq!(Record::parse(text, "dot", &["a", "b"]), None, "{text}");
    }
}

#[test]
fn labels_are_read() {
    let text = "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, f, 1, 0]>";
    let [input, kernel, output] = convolution_labels(text).expect("it is well-formed");
    assert_eq!(input.position(Label::Named('f')), Some(3));
    assert_eq!(kernel.position(Label::Named('o')), Some(3));
    assert_eq!(output.position(Label::Spatial(0)), Some(3));
}

#[test]
fn malformed_labels_are_refused() {
    for text in [
        "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]>",
        "#stablehlo.conv<[b, 0, 1, f]->[b, f, 1, 0]>",
        "#stablehlo.conv<[b, 0, 2, f]x[0, 1, i, o]->[b, f, 1, 0]>",
        "#stablehlo.conv<[b, 0, 1, i]x[0, 1, i, o]->[b, f, 1, 0]>",
        "#stablehlo.conv<[b]x[i, o]->[b, f]>",
        "#stablehlo.conv<[b, 0, 0, f]x[0, 1, i, o]->[b, f, 1, 0]>",
    ] {
        assert_eq!(convolution_labels(text), None, "{text}");
    }
}
