//! Assembly of the Tensix coprocessor, and its words: `tensix-as` and `tensix-emu words`.

use tessera_tests::process::Ending;

use crate::flags::{self, Flag};
use crate::mutate::{bytes, text};
use crate::runner::{Bench, FuzzTarget};
use tessera_test_support::random::Rng;

/// Instruction lists of real kernels.
const PROGRAMS: [&str; 3] = [
    include_str!("../../../../runtime/tensix/tests/programs/matmul_one_tile.tensix"),
    include_str!("../../../../runtime/tensix/tests/programs/matmul_three_tiles.tensix"),
    include_str!("../../../../runtime/tensix/tests/programs/subtract_row.tensix"),
];

/// Files that flags may name.
const FILES: &[&str] = &["in.bin", "out.bin", "nowhere/x", "."];

/// An instruction: mnemonic, and how many bits each operand has.
struct Form {
    mnemonic: String,
    bits: Vec<u32>,
    /// The only chip that has this form.
    chip: Option<&'static str>,
}

const CHIPS: [&str; 2] = ["wormhole_b0", "blackhole"];

struct Tensix {
    forms: Vec<Form>,
    lines: Vec<String>,
    others: Vec<String>,
    assembler: Vec<Flag>,
    emulator: Vec<Flag>,
}

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let forms = forms(&bench.printed("tensix-as", &["--list"]));
    assert!(forms.len() > 80, "{} forms", forms.len());
    let lines = PROGRAMS.iter().flat_map(|text| text.lines());
    let lines = lines.map(|line| line.trim().to_owned());
    let lines: Vec<_> = lines.filter(|line| line.starts_with("tt")).collect();
    let target = Tensix {
        forms,
        others: vec![lines.join("\n")],
        lines,
        assembler: flags::parse(&bench.printed("tensix-as", &["-h"])),
        emulator: flags::parse(&bench.printed("tensix-emu", &["words", "-h"])),
    };
    Box::new(move |bench, rng| target.case(bench, rng))
}

/// Returns the forms in the table that the assembler prints: `` `ttmop mop_type[23],
/// zmask_lo16[15:0]` ``.
fn forms(table: &str) -> Vec<Form> {
    let quoted = table.lines().flat_map(|line| {
        let parts: Vec<_> = line.split('`').collect();
        let pairs = parts
            .chunks_exact(2)
            .map(|pair| (pair[0].to_owned(), pair[1].to_owned()));
        pairs.collect::<Vec<_>>()
    });
    let form = |(before, text): (String, String)| {
        let chip = CHIPS
            .into_iter()
            .find(|chip| before.ends_with(&format!("{chip}: ")));
        let text = text.as_str();
        let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
        let bits = operands.split(", ").filter_map(|operand| {
            let (_, range) = operand.strip_suffix(']')?.split_once('[')?;
            let (high, low) = range.split_once(':').unwrap_or((range, range));
            Some(high.parse::<u32>().ok()?.checked_sub(low.parse().ok()?)? + 1)
        });
        mnemonic.starts_with("tt").then(|| Form {
            mnemonic: mnemonic.to_owned(),
            bits: bits.collect(),
            chip,
        })
    };
    quoted.filter_map(form).collect()
}

impl Tensix {
    fn case(&self, bench: &mut Bench, rng: &mut Rng) {
        let chip = rng.pick(&CHIPS);
        let arch = format!("--arch={chip}");
        let source = self.source(rng, chip);
        let source = match rng.percent(50) {
            true => source.into_bytes(),
            false => text::mutated(rng, &source, &self.others),
        };
        bench.write("in.s", &source);
        bench.write(
            "in.bin",
            &rng.next_u64().to_le_bytes().repeat(rng.below(600)),
        );
        let mut arguments = ["in.s", "-o", "out.bin", &arch].map(str::to_owned).to_vec();
        arguments.extend(flags::some(&self.assembler, 2, rng, FILES));
        if bench.run("tensix-as", &arguments) == Some(Ending::Done) && rng.percent(40) {
            let mut made = bench.read("out.bin").unwrap_or_default();
            bytes::damage(rng, &mut made);
            bench.write("made.bin", &made);
            let form = rng.pick(&["--disassemble=words", "--disassemble=bytes"]);
            let mut arguments = vec![form.to_owned(), "made.bin".to_owned(), arch.clone()];
            arguments.extend(flags::some(&self.assembler, 1, rng, FILES));
            bench.run("tensix-as", &arguments);
            self.emulate(bench, rng, &["--binary", "made.bin", &arch]);
        }
        let more = self.source(rng, chip);
        bench.write("more.s", more.as_bytes());
        let files = match rng.percent(30) {
            true => &["T0=in.s", "T1=more.s", "T2=in.s", &arch][..],
            false => &["in.s", &arch],
        };
        self.emulate(bench, rng, files);
    }

    /// Returns a part of a real kernel, and instructions with random operands.
    fn source(&self, rng: &mut Rng, chip: &str) -> String {
        let first = rng.below(self.lines.len());
        let length = rng.below(60);
        let mut lines: Vec<String> = self.lines[first..].iter().take(length).cloned().collect();
        for _ in 0..1 + rng.below(8) {
            let at = rng.below(lines.len() + 1);
            lines.insert(at, self.instruction(rng, chip));
        }
        lines.join("\n") + "\n"
    }

    fn instruction(&self, rng: &mut Rng, chip: &str) -> String {
        let is_there = |form: &&Form| form.chip.is_none_or(|only| only == chip);
        let forms: Vec<_> = self.forms.iter().filter(is_there).collect();
        let form = forms[rng.below(forms.len())];
        let operand = |bits: &u32| {
            let all = (1_u64 << bits) - 1;
            let number = match rng.below(100) {
                0..=29 => rng.next_u64() & all & 0xf,
                30..=59 => 0,
                60..=89 => rng.next_u64() & all,
                90..=98 => all,
                _ => all + 1,
            };
            number.to_string()
        };
        let operands: Vec<String> = form.bits.iter().map(operand).collect();
        format!("{} {}", form.mnemonic, operands.join(", "))
    }

    fn emulate(&self, bench: &mut Bench, rng: &mut Rng, files: &[&str]) {
        let mut arguments = vec!["words".to_owned(), "--limit=20000".to_owned()];
        arguments.extend(files.iter().map(|file| (*file).to_owned()));
        arguments.extend(flags::some(&self.emulator, 3, rng, FILES));
        bench.run("tensix-emu", &arguments);
    }
}
