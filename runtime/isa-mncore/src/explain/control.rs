//! Help pages for control statements: `d get` and `d set` (manual, section 3.4), host statements of
//! an emulator, and `quit`.

use std::fmt::Write;

/// The help page of a control statement.
pub(super) struct Control {
    /// The name with which the statement begins.
    pub name: &'static str,
    /// The grammar.
    synopsis: &'static str,
    /// A one-line description.
    pub doc: &'static str,
    /// The section of the manual, or empty if the manual does not describe the statement.
    pub section: &'static str,
    /// An example line.
    example: &'static str,
    /// Notes on the parts of the statement.
    notes: &'static [&'static str],
}

/// The note on memories, shared by both debug statements.
const PLACES: &str = "memory: $p<addr> PDM, $d<addr> DRAM, $lc<addr> L2BM, $lb<addr> L1BM, \
    $r $s $m $n<addr> GRF0, GRF1, LM0, LM1, $t, $lx<row> $ly<row>, $omr<entry>; \
    l and ll before the letter widen an access";

/// The note on the letters after a memory, which select groups, blocks and PEs.
const OWNERS: &str =
    "n c b m p and a number: the only group, L2B, L1B, MAB, PE; all without; c and b after n only";

/// All control statements.
pub(super) const CONTROL: [Control; 7] = [
    Control {
        name: "d get",
        synopsis: "d get[<format>] <memory>[n<n>][c<n>][b<n>][m<n>][p<n>] <count>",
        doc: "Prints what memories hold, a line for each access.",
        section: "3.4.3",
        example: "d getd $lm0n0c0b0m0p0 1",
        notes: &[
            "format: d f h, a number; bd bf bg bh, a block float; all forms of a long word without",
            PLACES,
            OWNERS,
            "count: how many accesses, all of which must lie in the memory",
        ],
    },
    Control {
        name: "d set",
        synopsis: "d set <memory>[n<n>][c<n>][b<n>][m<n>][p<n>] <count> <long word>...",
        doc: "Writes L2BM, L1BM, GRF, LM or T.",
        section: "3.4.4",
        example: "d set $lm0n0c0b0m0p0 1 3ff0000000000000",
        notes: &[
            PLACES,
            OWNERS,
            "long word: 16 hexadecimal digits; or l, s or h and one, two or four numbers with _ \
             between; one for each access, two with ll",
        ],
    },
    Control {
        name: "r",
        synopsis: "r <group> <address> <count> <long word>...",
        doc: "Writes DRAM of a group, from the host.",
        section: "",
        example: "r 0 000000010 001 0000000000000001",
        notes: &["address: nine hexadecimal digits; count: three"],
    },
    Control {
        name: "c",
        synopsis: "c 0 0 i<tag> i00 0 <address> <count> <long word>...",
        doc: "Transfers long words from the host to PDM of group 0, and completes the tag.",
        section: "",
        example: "c 0 0 i01 i00 0 000000001 001 00000000000000aa",
        notes: &["address: nine hexadecimal digits; count: hexadecimal"],
    },
    Control {
        name: "e",
        synopsis: "e 0 0 i<tag> i00 0 <address> <count>",
        doc: "Transfers long words from PDM of group 0 to the host, and completes the tag.",
        section: "",
        example: "e 0 0 i02 i00 0 000000001 000001",
        notes: &["address: nine hexadecimal digits; count: six"],
    },
    Control {
        name: "f",
        synopsis: "f",
        doc: "Waits until the host's transfers are complete.",
        section: "",
        example: "f",
        notes: &[],
    },
    Control {
        name: "quit",
        synopsis: "quit",
        doc: "Ends the program; what follows is not read.",
        section: "3.4",
        example: "quit",
        notes: &[],
    },
];

/// Returns the help page of a control statement. `get` and `getf` are aliases of `d get`.
pub(super) fn page(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let verb = match words[..] {
        ["d", verb] => verb,
        [verb] => verb,
        _ => return None,
    };
    let is_meant = |control: &&Control| match control.name.strip_prefix("d ") {
        Some("get") => {
            let format = verb.strip_prefix("get");
            format.is_some_and(|format| FORMATS.contains(&format))
        }
        Some(debug) => verb == debug,
        None => words[..] == [control.name],
    };
    CONTROL.iter().find(is_meant).map(Control::text)
}

/// The formats of `d get`.
const FORMATS: [&str; 8] = ["", "d", "f", "h", "bd", "bf", "bg", "bh"];

impl Control {
    fn text(&self) -> String {
        let Control {
            name,
            synopsis,
            doc,
            section,
            example,
            notes,
        } = self;
        let manual = match section.is_empty() {
            true => "not described; as public programs use it",
            false => section,
        };
        let mut out = format!(
            "{name}: {doc}\n\n    {synopsis}\n\nmanual   {manual}\ngroup    control statement\n\
             example  {example}\n"
        );
        for note in *notes {
            writeln!(out, "{note}").expect("a String takes everything");
        }
        out
    }
}

#[cfg(test)]
mod tests;
