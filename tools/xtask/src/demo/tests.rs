use super::*;

#[test]
fn the_highest_score_is_the_digit() {
    let check = |columns: u64, scores: &[f64], expect: &[usize]| {
        let shape = vec![scores.len() as u64 / columns, columns];
        let scores = Tensor::from_f64s(shape, DataType::BF16, scores).expect("a small tensor");
        assert_eq!(highest(&scores).expect("two dimensions"), expect);
    };
    check(3, &[0.0, 2.0, 1.0, -1.0, -2.0, -3.0], &[1, 0]);
    check(2, &[1.0, 1.0], &[0]);
    check(1, &[-7.0], &[0]);
}

/// Returns a device that is right on the first `right` of 1797 images, all of which show a 1, and
/// sees a 0 in the others.
fn answers(device: &'static str, right: usize) -> Answers {
    let right: Vec<_> = (0..1797).map(|image| image < right).collect();
    Answers {
        device,
        digits: right.iter().map(|&right| usize::from(right)).collect(),
        right,
        seconds: 0.125,
    }
}

#[test]
fn the_accuracy_is_printed_as_promised() {
    let text = report(&[
        answers("reference", 1734),
        answers("tensix", 1732),
        answers("mncore", 1735),
    ]);
    assert_eq!(
        text,
        "reference: accuracy 0.9649 (1734/1797)\ntensix: accuracy 0.9638 (1732/1797)\nmncore: \
         accuracy 0.9655 (1735/1797)\n\nof these held out from training\nreference: accuracy \
         0.8740 (437/500)\ntensix: accuracy 0.8700 (435/500)\nmncore: accuracy 0.8760 \
         (438/500)\n\nreference: 0.12 s\ntensix: 0.12 s\nmncore: 0.12 s\nimages on which tensix \
         differs: 2\nimages on which mncore differs: 1\n"
    );
}

#[test]
fn bad_answers_are_an_error() {
    let check = |right: [usize; 3], expect: Result<(), &str>| {
        let [reference, tensix, mncore] = right;
        let found = verdict(&[
            answers("reference", reference),
            answers("tensix", tensix),
            answers("mncore", mncore),
        ]);
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found, expect.map_err(str::to_owned));
    };
    check([1797, 1794, 1797], Ok(()));
    let differs =
        |chip: &str| format!("{chip} differs from the reference on 4 images, more than 3");
    check([1797, 1793, 1797], Err(&differs("tensix")));
    check([1797, 1797, 1793], Err(&differs("mncore")));
    check([1708, 1708, 1708], Ok(()));
    check(
        [1708, 1707, 1708],
        Err("tensix: accuracy 0.9499, less than 0.95"),
    );
    check(
        [1707, 1708, 1708],
        Err("reference: accuracy 0.9499, less than 0.95"),
    );
}
