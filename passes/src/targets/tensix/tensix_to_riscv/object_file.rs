//! Extracts images from an object file.
//!
//! An image is a single code section. Other allocated sections and remaining relocations are
//! internal errors, since no program makes LLVM emit them. A program can only exceed a core's
//! limits.

use std::collections::HashMap;

use gimli::{AttributeValue, DebugLine, DebugLineOffset, LittleEndian};
use object::{
    elf, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags,
};
use tessera_isa_tensix::tile;
use tessera_program::{Image, Step};
use tessera_riscv::table::Format;
use tessera_riscv::{Instruction, Op};

use super::compile::section;
use super::lower::Runs;
use super::{Function, Problem};

/// The stack pointer.
const SP: u8 = 2;
/// Maximum stack frame in bytes. The thread cores have 2048 bytes of local memory.
const LARGEST_FRAME: u32 = 1024;

/// Extracts the images of functions.
///
/// # Errors
/// The file has something that an image cannot hold.
pub(super) fn images(file: &[u8], functions: &[&Function]) -> Result<Vec<Image>, Problem> {
    let file = object::File::parse(file)
        .map_err(|error| Problem::Internal(format!("reading the object file: {error}")))?;
    let sections: Vec<String> = functions.iter().map(|f| section(f.name())).collect();
    for found in file.sections() {
        let name = found.name().unwrap_or_default();
        let is_code = sections.iter().any(|section| section == name);
        if allocated(found.flags()) && found.size() > 0 && !is_code {
            return Err(Problem::Internal(format!(
                "needs {} bytes of data in section '{name}', but an image contains only code",
                found.size()
            )));
        }
        if let Some((offset, relocation)) = found.relocations().next().filter(|_| is_code) {
            return Err(Problem::Internal(format!(
                "refers to {} at offset {offset:#x} of section '{name}', but there is no linker for images",
                target(&file, relocation.target())
            )));
        }
    }
    let mut lines = lines(&file)?;
    let one = |(function, section): (&&Function, &String)| {
        let code = file
            .section_by_name(section)
            .ok_or_else(|| Problem::Internal(format!("has no section '{section}'")))?;
        let data = code.data().map_err(Problem::internal)?;
        let lines = lines.remove(function.name()).unwrap_or_default();
        image(function, data, lines)
    };
    functions.iter().zip(&sections).map(one).collect()
}

fn allocated(flags: SectionFlags) -> bool {
    matches!(flags, SectionFlags::Elf { sh_flags, .. } if sh_flags.contains(elf::SHF_ALLOC))
}

/// Describes a relocation's target for messages.
fn target(file: &object::File, target: RelocationTarget) -> String {
    let name = match target {
        RelocationTarget::Symbol(index) => file
            .symbol_by_index(index)
            .and_then(|symbol| symbol.name().map(str::to_owned)),
        RelocationTarget::Section(index) => file
            .section_by_index(index)
            .and_then(|section| section.name().map(str::to_owned)),
        _ => return "an absolute address".into(),
    };
    name.map_or_else(
        |_| "a symbol without a name".into(),
        |name| format!("'{name}'"),
    )
}

/// Returns the rows of the line table by function: the address relative to the function, and the
/// line, which is an operation's number.
fn lines(file: &object::File) -> Result<HashMap<String, Vec<(u64, u64)>>, Problem> {
    let damaged =
        |error: gimli::Error| Problem::Internal(format!("reading the line table: {error}"));
    let mut lines = HashMap::<String, Vec<(u64, u64)>>::new();
    let Some(section) = file.section_by_name(".debug_line") else {
        return Ok(lines);
    };
    let data = relocated(file, &section)?;
    let table = DebugLine::new(&data, LittleEndian);
    let program = table.program(DebugLineOffset(0), 4, None, None);
    let mut rows = program.map_err(damaged)?.rows();
    while let Some((header, row)) = rows.next_row().map_err(damaged)? {
        let name = row.file(header).map(|file| file.path_name());
        let Some(AttributeValue::String(name)) = name else {
            continue;
        };
        if !row.end_sequence() {
            let name = String::from_utf8_lossy(name.slice()).into_owned();
            let line = row.line().map_or(0, |line| line.get());
            lines.entry(name).or_default().push((row.address(), line));
        }
    }
    Ok(lines)
}

/// Returns the bytes of a section of debug information with its relocations applied; LLVM leaves
/// even distances within a function to the linker. Every symbol counts from the beginning of its
/// section, where its function begins.
fn relocated(file: &object::File, section: &object::Section) -> Result<Vec<u8>, Problem> {
    let wrong = |what: &str| Problem::Internal(format!("a relocation of the line table {what}"));
    let mut data = section.data().map_err(Problem::internal)?.to_vec();
    for (offset, relocation) in section.relocations() {
        let RelocationTarget::Symbol(symbol) = relocation.target() else {
            return Err(wrong("refers to something that is no symbol"));
        };
        let symbol = file.symbol_by_index(symbol).map_err(Problem::internal)?;
        let value = symbol.address().wrapping_add_signed(relocation.addend()) as u32;
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            return Err(wrong("is none of ELF"));
        };
        let bytes = if r_type == elf::R_RISCV_32 { 4 } else { 2 };
        let place = data
            .get_mut(offset as usize..)
            .and_then(|rest| rest.get_mut(..bytes))
            .ok_or_else(|| wrong("lies outside of it"))?;
        let old = place
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u32::from(*byte));
        let new = match r_type {
            elf::R_RISCV_32 => value,
            elf::R_RISCV_ADD16 => old.wrapping_add(value),
            elf::R_RISCV_SUB16 => old.wrapping_sub(value),
            other => return Err(wrong(&format!("is of kind {other:?}"))),
        };
        place.copy_from_slice(&new.to_le_bytes()[..bytes]);
    }
    Ok(data)
}

/// Builds the image of a core: initialization of the stack pointer, then the function.
fn image(function: &Function, code: &[u8], lines: Vec<(u64, u64)>) -> Result<Image, Problem> {
    let core = function.core.number();
    let mut words = set_stack_pointer(core)?;
    let begin = words.len();
    let code = code.chunks_exact(4);
    if !code.remainder().is_empty() {
        return Err(Problem::Internal(format!(
            "ends in the middle of a word: {} bytes are left",
            code.remainder().len()
        )));
    }
    words.extend(code.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
    let frame = frame(&words[begin..])?;
    if frame > LARGEST_FRAME {
        return Err(Problem::Program(format!(
            "needs {frame} bytes of stack, but has {LARGEST_FRAME}; keep fewer values over a loop"
        )));
    }
    let room = tile::IMAGES[core].len() / 4;
    if words.len() > room {
        return Err(Problem::Program(format!(
            "has {} words of code, but the limit is {room}; use loops for repeated code",
            words.len()
        )));
    }
    let steps = steps(&lines, begin as u32, &function.runs);
    Ok(Image::new(words, steps))
}

fn set_stack_pointer(core: usize) -> Result<Vec<u32>, Problem> {
    let top = tile::LOCAL + tile::LOCAL_BYTES[core] as u32;
    let upper = top.wrapping_add(0x800) & !0xfff;
    [
        Instruction::i(Op::Lui, SP, 0, upper as i32),
        Instruction::i(Op::Addi, SP, SP, top.wrapping_sub(upper) as i32),
    ]
    .iter()
    .map(|instruction| instruction.encode().map_err(Problem::internal))
    .collect()
}

/// Maps words to operations. In a run of pushes, each word belongs to the next operation.
fn steps(lines: &[(u64, u64)], begin: u32, runs: &Runs) -> Vec<Step> {
    let mut steps = vec![Step {
        word: 0,
        operation: 0,
    }];
    for &(address, line) in lines {
        let (word, operation) = (begin + address as u32 / 4, line as u32);
        for k in 0..runs.get(&operation).copied().unwrap_or(1) {
            let step = Step {
                word: word + k,
                operation: operation + k,
            };
            match steps.last_mut() {
                // If several operations begin at a word, the last one owns it.
                Some(last) if last.word == step.word => last.operation = step.operation,
                Some(last) if last.operation == step.operation => {}
                _ => steps.push(step),
            }
        }
    }
    steps
}

/// Returns the stack frame size of a function in bytes.
fn frame(code: &[u32]) -> Result<u32, Problem> {
    let mut frame = 0;
    for instruction in code
        .iter()
        .filter_map(|word| Instruction::decode(*word).ok())
    {
        let Instruction {
            op, rd, rs1, imm, ..
        } = instruction;
        let writes = !matches!(
            op.row().format,
            Format::Store | Format::Branch | Format::Push
        );
        match op {
            Op::Addi if rd == SP && rs1 == SP => frame += imm.saturating_neg().max(0) as u32,
            _ if writes && rd == SP => return Err(Problem::Program(
                "moves the stack pointer by more than an immediate; keep fewer values over a loop"
                    .into(),
            )),
            _ => {}
        }
    }
    Ok(frame)
}
