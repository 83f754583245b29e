use super::*;
use tessera_dialects::mlir::Sign;

/// `dram/tile/bf16`
fn read(text: &str) -> State {
    let parts: Vec<_> = text.split('/').collect();
    let [memory, order, element] = parts[..] else {
        panic!("{text}")
    };
    let memory = match memory {
        "dram" => Memory::Dram,
        "l1" => Memory::L1,
        _ => Memory::System,
    };
    let order = match order {
        "tile" => Order::Tile,
        _ => Order::RowMajor,
    };
    let unsigned = |width| Scalar::Integer {
        width,
        sign: Sign::Unsigned,
    };
    let element = match element {
        "bf16" => Scalar::BF16,
        "f32" => Scalar::F32,
        "ui8" => unsigned(8),
        _ => unsigned(32),
    };
    State {
        layout: Layout::new(memory, order),
        element,
    }
}

#[test]
fn plans_conversions() {
    let rows = [
        "dram/tile/bf16",
        "dram/rows/bf16 dram/tile/bf16",
        "dram/tile/bf16 dram/rows/bf16",
        "dram/rows/f32 dram/tile/bf16",
        "dram/tile/f32 dram/tile/bf16 dram/rows/bf16",
        "dram/rows/ui32 dram/tile/ui32 dram/tile/bf16",
        "dram/tile/bf16 dram/tile/ui32 dram/rows/ui32",
        "dram/tile/bf16 dram/tile/ui32",
        "host/rows/bf16 dram/rows/bf16 dram/tile/bf16",
        "dram/tile/bf16 dram/rows/bf16 host/rows/bf16",
        "host/rows/f32 host/rows/bf16 host/tile/bf16",
        "dram/tile/bf16 l1/tile/bf16",
        "dram/rows/bf16 dram/tile/bf16 l1/tile/bf16",
        "l1/tile/bf16 dram/tile/bf16 dram/rows/bf16",
        "l1/rows/bf16 l1/tile/bf16 dram/tile/bf16",
        "l1/tile/f32 l1/tile/bf16 dram/tile/bf16",
        // ui8 is not reordered on the device.
        "dram/tile/ui8 host/tile/ui8 host/rows/ui8 dram/rows/ui8",
        "dram/rows/ui8 host/rows/ui8 host/tile/ui8 dram/tile/ui8",
        "host/rows/ui8 host/tile/ui8 dram/tile/ui8",
        "host/tile/ui8 host/rows/ui8 dram/rows/ui8",
        "dram/rows/ui8 dram/rows/bf16 dram/tile/bf16",
        "dram/tile/ui8 dram/tile/bf16 dram/rows/bf16",
    ];
    for row in rows {
        let states: Vec<_> = row.split(' ').map(read).collect();
        let (first, rest) = states.split_first().expect("a state");
        assert_eq!(plan(*first, *states.last().unwrap_or(first)), rest, "{row}");
    }
}
