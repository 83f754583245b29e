//! `.npy` files with an odd header.

use super::numbers;
use tessera_test_support::random::Rng;

const DESCRIPTIONS: &[&str] = &[
    "'<f4'",
    "'>f4'",
    "'|f4'",
    "'=f4'",
    "'<f8'",
    "'<f2'",
    "'<i4'",
    "'<u4'",
    "'|u1'",
    "'<u2'",
    "'<c8'",
    "'O'",
    "''",
    "'<f99999999999999999999'",
    "[('a', '<f4')]",
    "None",
    "'<f4",
    "\"<f4\"",
];

/// Returns a file of these bytes with a header that is assembled at random from valid and invalid
/// pieces.
pub fn made_up(rng: &mut Rng, shape: &[u64], data: &[u8]) -> Vec<u8> {
    let good = |rng: &mut Rng| rng.percent(80);
    let description = if good(rng) {
        "'<f4'"
    } else {
        rng.pick(DESCRIPTIONS)
    };
    let order = if good(rng) {
        "False"
    } else {
        rng.pick(&["True", "0", "false", "None", ""])
    };
    let mut extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    if !good(rng) {
        let at = rng.below(extents.len() + 1);
        match rng.below(3) {
            0 => extents.insert(at, numbers::small_or_edge(rng)),
            1 if at < extents.len() => drop(extents.remove(at)),
            _ => extents
                .iter_mut()
                .for_each(|extent| *extent = numbers::small_or_edge(rng)),
        }
    }
    let shape = if good(rng) {
        format!("({},)", extents.join(", "))
    } else {
        nested(rng, &extents)
    };
    let mut items = vec![
        format!("'descr': {description}"),
        format!("'fortran_order': {order}"),
        format!("'shape': {shape}"),
    ];
    if !good(rng) {
        let at = rng.below(items.len());
        match rng.below(3) {
            0 => drop(items.remove(at)),
            1 => items.push(items[at].clone()),
            _ => items.swap(at, 0),
        }
    }
    file(rng, &format!("{{{}, }}", items.join(", ")), data)
}

/// Returns a shape that is not a tuple of numbers.
fn nested(rng: &mut Rng, extents: &[String]) -> String {
    let depth = rng.pick(&[1, 2, 100, 30_000]);
    match rng.below(3) {
        0 => format!(
            "{}{}{}",
            "(".repeat(depth),
            extents.join(","),
            ")".repeat(depth)
        ),
        1 => format!("[{}]", extents.join(", ")),
        _ => "()".to_owned(),
    }
}

/// Returns the magic, a version, the header's length and the header, some of them wrong.
fn file(rng: &mut Rng, header: &str, data: &[u8]) -> Vec<u8> {
    let version = rng.weighted(&[(70, 1_u8), (10, 2), (10, 3), (5, 0), (5, 255)]);
    let mut header = header.as_bytes().to_vec();
    if rng.percent(90) {
        let prefix = if version == 1 { 10 } else { 12 };
        let padded = (prefix + header.len() + 1).next_multiple_of(64);
        header.resize(padded - prefix - 1, b' ');
        header.push(b'\n');
    }
    let length = match rng.percent(92) {
        true => header.len() as u64,
        false => numbers::edge_bits(rng),
    };
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend((length as u16).to_le_bytes()),
        _ => bytes.extend((length as u32).to_le_bytes()),
    }
    [&bytes[..], &header, data].concat()
}
