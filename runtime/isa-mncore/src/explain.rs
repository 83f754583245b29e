//! Help pages for opcodes, and the list of all opcodes, generated from the instruction table.

mod control;
use std::fmt::Write;

use control::CONTROL;

use crate::ast::StatementKind;
use crate::fields::{field_assignments, Field, Shape};
use crate::memory::Precision;
use crate::table::l1bm::Parameter;
use crate::table::l2bm::{Direction, L1bSelection};
use crate::table::mau::{self, Port};
use crate::table::mv::{rows, OperandForm};
use crate::table::{self, AluOp, L1bmKind, L1bmOp, L2bmKind, MauOp, Opcode, Rrn};

/// Returns the help page of a mnemonic as programs spell it, without parameters, or of a control
/// statement.
pub fn render_page(mnemonic: &str) -> Option<String> {
    if let Some(opcode) = table::find_opcode(mnemonic) {
        return Some(Page::new(mnemonic, opcode).text());
    }
    mv_page(mnemonic).or_else(|| control::page(mnemonic))
}

/// Returns the opcode or control statement closest to a misspelt name.
pub fn nearest_mnemonic(name: &str) -> Option<String> {
    let opcodes = table::mnemonics();
    let transfers = rows().iter().map(|row| row.stem.to_owned());
    let controls = CONTROL.iter().map(|control| control.name.to_owned());
    let known = opcodes.into_iter().chain(transfers).chain(controls);
    tessera_diagnostic::nearest(name, known)
}

/// The content of a help page.
struct Page {
    mnemonic: String,
    /// The grammar, line by line.
    synopsis: Vec<String>,
    doc: String,
    sections: String,
    group: &'static str,
    /// A line that the assembler accepts.
    example: String,
    notes: Vec<String>,
}

impl Page {
    fn new(mnemonic: &str, opcode: Opcode) -> Page {
        match opcode {
            Opcode::L2bm(kind, rrn) => l2bm_page(mnemonic, kind, rrn),
            Opcode::L1bm(kind, rrn, narrow) => l1bm_page(mnemonic, kind, rrn, narrow),
            Opcode::Mau(op) => mau_page(mnemonic, op),
            Opcode::Mwrite(precision) | Opcode::Mread(precision) => {
                matrix_page(mnemonic, precision, matches!(opcode, Opcode::Mwrite(_)))
            }
            Opcode::Alu(op) => alu_page(mnemonic, op),
            Opcode::Nop
            | Opcode::Noforward
            | Opcode::Wait
            | Opcode::DarStart
            | Opcode::DarWrite => plain_page(mnemonic),
        }
    }

    fn text(&self) -> String {
        let mut out = format!("{}: {}\n", self.mnemonic, self.doc);
        for line in &self.synopsis {
            write!(out, "\n    {line}").expect("a String takes everything");
        }
        write!(
            out,
            "\n\nmanual   {}\ngroup    {}\nexample  {}\nfields   {}\n",
            self.sections,
            self.group,
            self.example,
            fields(&self.example)
        )
        .expect("a String takes everything");
        for note in &self.notes {
            writeln!(out, "{note}").expect("a String takes everything");
        }
        out
    }
}

/// Lists the instruction word fields that a line sets.
fn fields(line: &str) -> String {
    let program = crate::parse(line).unwrap_or_default();
    let mut names = Vec::new();
    for statement in &program.statements {
        if let StatementKind::Step(step) = &statement.kind {
            let fields = field_assignments(step)
                .into_iter()
                .map(|assignment| assignment.field);
            let real =
                fields.filter(|field| field.shape() != Shape::Once || *field == Field::Immediate);
            names.extend(real.map(Field::name));
        }
    }
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

fn plain_page(mnemonic: &str) -> Page {
    let row = table::PLAIN_OPCODES.iter().find(|row| row.0 == mnemonic);
    let &(name, _, section, doc) = row.expect("a plain opcode has a row");
    let (synopsis, example, group) = match name {
        "nop" => ("nop[/<n>]", "nop", "nop"),
        "wait" => ("nop; wait i<tag>", "nop; wait i01", "wait"),
        "l2bmdars" => (
            "l2bmdars $lc<addr>@.<l2b> $dar<entry>",
            "l2bmdars $lc0@.0 $dar0",
            "l2bm",
        ),
        other => (other, name, other),
    };
    Page {
        mnemonic: name.to_owned(),
        synopsis: vec![synopsis.to_owned()],
        doc: doc.to_owned(),
        sections: section.to_owned(),
        group: table::PLAIN_OPCODES
            .iter()
            .find(|row| row.0 == group)
            .map_or("l2bm", |row| row.0),
        example: example.to_owned(),
        notes: Vec::new(),
    }
}

fn l2bm_page(mnemonic: &str, kind: L2bmKind, rrn: Option<Rrn>) -> Page {
    let kinds = [Some(kind), table::l2bm::reversed(kind)];
    let mut page = Page {
        mnemonic: mnemonic.to_owned(),
        synopsis: Vec::new(),
        doc: String::new(),
        sections: String::new(),
        group: "l2bm",
        example: String::new(),
        notes: Vec::new(),
    };
    for kind in kinds.into_iter().flatten() {
        let row = kind.row();
        let set = match row.select {
            L1bSelection::None => "",
            L1bSelection::Optional => "[@<l1bset>]",
            L1bSelection::Proper => "@<l1bset>",
            L1bSelection::One => "@<l1b>",
        };
        let operands = match row.flow {
            Direction::Down => "$lc<addr> $lb<addr>",
            Direction::Up => "$lb<addr> $lc<addr>",
            Direction::Across => "$lb<addr> $lb<addr>",
        };
        page.synopsis.push(format!("{mnemonic}{set} {operands}"));
        append(&mut page.doc, " ", row.doc);
        append(&mut page.sections, ", ", row.section);
        page.notes.push(format!(
            "{}: {} long words of L2BM and {} of L1BM a cycle; addresses are multiples of these",
            row.section, row.l2_rate, row.l1_rate
        ));
        if page.example.is_empty() {
            let set = if matches!(row.select, L1bSelection::One | L1bSelection::Proper) {
                "@0"
            } else {
                ""
            };
            let operands = operands.replace("<addr>", "0");
            page.example = format!("{mnemonic}{set} {operands}");
        }
    }
    page.notes
        .extend(rrn.map(|rrn| format!("{}: {}", rrn.mnemonic(), rrn.doc())));
    page
}

fn l1bm_page(mnemonic: &str, kind: L1bmKind, rrn: Option<Rrn>, narrow: bool) -> Page {
    let mut page = Page {
        mnemonic: mnemonic.to_owned(),
        synopsis: Vec::new(),
        doc: String::new(),
        sections: String::new(),
        group: "l1bm; from $lbi or $llbi l1bm-turnaround",
        example: String::new(),
        notes: Vec::new(),
    };
    for kind in [Some(kind), table::l1bm::reversed(kind)]
        .into_iter()
        .flatten()
    {
        let row = kind.row();
        let op = L1bmOp {
            rrn,
            narrow,
            ..L1bmOp::new(kind, false)
        };
        let parameter = match row.parameter {
            Parameter::None | Parameter::Reduction => String::new(),
            Parameter::Mab(count) => format!("@<0 to {}>", count - 1),
            Parameter::Shift => "[+<mabs>|-<mabs>]".to_owned(),
        };
        let wide = op.has_wide_form();
        let width = if wide { "(l|ll)" } else { "l" };
        let l1 = format!("${width}b(<addr>|i)");
        page.synopsis.push(if row.down {
            format!("{mnemonic}{parameter} {l1} <dst>...")
        } else {
            format!("{mnemonic}{parameter} <src> {l1}")
        });
        append(&mut page.doc, " ", row.doc);
        append(&mut page.sections, ", ", row.sections.0);
        if let Some(two) = row.sections.1 {
            append(&mut page.sections, ", ", two);
        }
        let twice = if wide { ", twice as many with ll" } else { "" };
        page.notes.push(format!(
            "{}: {} long words of L1BM a cycle{twice}",
            row.sections.0, row.rate
        ));
        if page.example.is_empty() {
            page.example = match (row.down, row.parameter) {
                (true, _) => format!("{mnemonic} $lb0 $lr0v"),
                (false, Parameter::Mab(_)) => format!("{mnemonic}@0 $lr0v $lb0"),
                (false, _) => format!("{mnemonic} $lr0v $lb0"),
            };
        }
    }
    page.notes
        .extend(rrn.map(|rrn| format!("{}: {}", rrn.mnemonic(), rrn.doc())));
    page
}

fn mau_page(mnemonic: &str, op: MauOp) -> Page {
    let row = op.kind.row();
    let matrix = if row.matrix { " $l(x|y)" } else { "" };
    let ports: String = row
        .ports
        .iter()
        .map(|port| format!(" <{}>", port_name(*port)))
        .collect();
    let half = op.precision == Precision::Half;
    let notes = row.ports.iter().map(|&port| {
        let width = op.port_width(port).name();
        let conversion = match port {
            Port::Vector => "; block floats, no conversion",
            Port::A | Port::B if half => "; `r` narrows two long words",
            _ => "; `e` widens half of it",
        };
        format!(
            "{}: {width}{conversion}; `-` inverts signs",
            port_name(port)
        )
    });
    let mut notes: Vec<String> = notes.collect();
    notes.push(format!("result: {}", op.result_width().name()));
    notes.push("flags: 1 where the result is not negative".to_owned());
    let operands = ["$t", "$mauf", "$aluf"][..row.ports.len()].join(" ");
    Page {
        mnemonic: mnemonic.to_owned(),
        synopsis: vec![format!("{mnemonic}[/<mask>]{matrix}{ports} <dst>...")],
        doc: row.doc.to_owned(),
        sections: op.section().to_owned(),
        group: "mau-calc",
        example: format!(
            "{mnemonic}{} {operands} $lr0v",
            if row.matrix { " $lx" } else { "" }
        ),
        notes,
    }
}

const fn port_name(port: Port) -> &'static str {
    match port {
        Port::Vector => "vector",
        Port::A => "x",
        Port::B => "y",
        Port::C => "z",
    }
}

fn matrix_page(mnemonic: &str, precision: Precision, write: bool) -> Page {
    let row = mau::MATRIX_MOVES.iter().find(|row| row.0 == precision);
    let &(_, written, read) = row.expect("every precision has a row");
    let wide = precision == Precision::Half;
    let width = match (wide, write) {
        (false, _) => "l",
        (true, true) => "(l|ll)",
        (true, false) => "ll",
    };
    let matrix = format!("${width}(x|y)<first>");
    let rows = mau::matrix_rows(precision);
    let (synopsis, doc, example) = if write {
        let doc = "Writes rows of a matrix register, one or two a cycle.";
        (
            format!("{mnemonic} <src> {matrix}"),
            doc,
            format!("{mnemonic} $t $lx0"),
        )
    } else {
        let doc =
            "Reads columns of a matrix register, so that what was written comes back transposed.";
        let example = if wide { "$llx0 $llr0v" } else { "$lx0 $lr0v" };
        (
            format!("{mnemonic}[/<mask>] {matrix} <dst>..."),
            doc,
            format!("{mnemonic} {example}"),
        )
    };
    Page {
        mnemonic: mnemonic.to_owned(),
        synopsis: vec![synopsis],
        doc: doc.to_owned(),
        sections: if write { written } else { read }.to_owned(),
        group: if write { "mau-mwrite" } else { "mau-mread" },
        example,
        notes: vec![format!(
            "the register has {rows} rows and columns of {}",
            precision.name()
        )],
    }
}

fn alu_page(mnemonic: &str, op: AluOp) -> Page {
    let row = op.kind.row();
    let mantissa = if op.takes_mantissa() { "/<6 to 9>" } else { "" };
    let immediate = if op.kind.is_immediate() {
        " <immediate>"
    } else {
        ""
    };
    let inputs = [" <x>", " <y>"][..row.inputs].concat();
    let example = format!(
        "{mnemonic}{}{}{} $lr0v",
        if op.takes_mantissa() { "/9" } else { "" },
        if op.kind.is_immediate() {
            " i\"1\""
        } else {
            ""
        },
        [" $aluf", " $t"][..row.inputs].concat()
    );
    let mut notes = Vec::new();
    if op.precision.is_some_and(|precision| precision.bits() == 16) {
        notes.push("`r` narrows an input of two long words".to_owned());
    }
    if op.kind.is_immediate() {
        notes.push(
            "immediate: f h i s ui us and a number in double quotes; no use of LM0 beside it"
                .to_owned(),
        );
    }
    Page {
        mnemonic: mnemonic.to_owned(),
        synopsis: vec![format!(
            "{mnemonic}{mantissa}[/<mask>]{immediate}{inputs} <dst>..."
        )],
        doc: row.doc.to_owned(),
        sections: row.section.to_owned(),
        group: "alu",
        example,
        notes,
    }
}

/// Returns the page of an MV opcode, with all its forms.
fn mv_page(mnemonic: &str) -> Option<String> {
    let (stem, rrn) = ["mvr2", "mvr4", "mvr"]
        .into_iter()
        .find_map(|stem| {
            Some((
                stem,
                Some(Rrn::from_mnemonic(mnemonic.strip_prefix(stem)?)?),
            ))
        })
        .unwrap_or((mnemonic, None));
    let mut out = String::new();
    for row in rows()
        .iter()
        .filter(|row| row.stem == stem && row.mode.reduces() == rrn.is_some())
    {
        writeln!(
            out,
            "    {mnemonic}/n<long words>[i<tag>][nd<uses>][p<priority>] {} {}\n        {} Lengths \
             are multiples of {}. (manual {})",
            operand(row.source.0),
            operand(row.target.0),
            row.doc,
            row.mode.unit(),
            row.section
        )
        .expect("a String takes everything");
    }
    (!out.is_empty()).then(|| format!("{mnemonic}: an MV instruction.\n\n{out}"))
}

/// Returns the grammar of an MV operand.
pub(crate) const fn operand(place: OperandForm) -> &'static str {
    match place {
        OperandForm::PdmOne => "$p<addr>@<group>",
        OperandForm::PdmAll => "$p<addr>",
        OperandForm::DramOne => "$d<addr>@<group>",
        OperandForm::DramAll => "$d<addr>",
        OperandForm::L2bmOne => "$lc<addr>@<group>.<l2b>",
        OperandForm::L2bmSide => "$lc<addr>@.<l2b>",
        OperandForm::L2bmGroup => "$lc<addr>@<group>",
        OperandForm::L2bmAll => "$lc<addr>",
    }
}

/// Appends an item to a separated list.
fn append(list: &mut String, separator: &str, item: &str) {
    if !list.is_empty() {
        list.push_str(separator);
    }
    list.push_str(item);
}

/// Returns the name, sections and description of every opcode and control statement. Reductions
/// appear once per family, with `dfadd`.
fn entries() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for mnemonic in table::mnemonics() {
        let Some(opcode) = table::find_opcode(&mnemonic) else {
            continue;
        };
        if let Opcode::L2bm(_, Some(rrn)) | Opcode::L1bm(_, Some(rrn), _) = opcode {
            if rrn.mnemonic() != "dfadd" {
                continue;
            }
        }
        let page = Page::new(&mnemonic, opcode);
        all.push((mnemonic, page.sections, page.doc));
    }
    all.extend(rows().iter().map(|row| {
        let stem = if row.mode.reduces() {
            format!("{}dfadd", row.stem)
        } else {
            row.stem.to_owned()
        };
        (stem, row.section.to_owned(), row.doc.to_owned())
    }));
    all.extend(CONTROL.iter().map(|control| {
        let section = match control.section {
            "" => "-",
            section => section,
        };
        (control.name.into(), section.into(), control.doc.into())
    }));
    all
}

/// Returns all opcodes and control statements, one per line.
pub fn render_list() -> String {
    let mut out = String::new();
    for (mnemonic, sections, doc) in entries() {
        writeln!(out, "{mnemonic:<12} {sections:<20} {doc}").expect("a String takes everything");
    }
    out
}

/// Returns the list of opcodes and control statements as a Markdown page.
pub fn render_markdown() -> String {
    let mut out = String::from("| opcode | manual | what it does |\n|---|---|---|\n");
    for (mnemonic, sections, doc) in entries() {
        let doc = doc.replace('|', "\\|");
        writeln!(out, "| `{mnemonic}` | {sections} | {doc} |").expect("a String takes everything");
    }
    out
}

#[cfg(test)]
mod tests;
