//! A product of matrices of tiles, as a list program of any size: C = A @ B, all row-major, A the first argument.
//!
//! It is `matmul_three_tiles.tensix` with another sequence of steps behind the same configuration.

use std::fmt::Write;

use tessera_isa_tensix::list::Lists;

const THREE_TILES: &str = include_str!("../programs/matmul_three_tiles.tensix");

/// Rows and columns of C and columns of A, in tiles.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
}

impl Shape {
    /// How many tiles A, B and C have.
    pub fn tiles(self) -> [usize; 3] {
        [
            self.rows * self.depth,
            self.depth * self.columns,
            self.rows * self.columns,
        ]
    }

    fn steps(self) -> usize {
        self.rows * self.columns * self.depth
    }
}

/// The program for a shape, with so many fidelity phases (1 is LoFi, 4 is HiFi4).
pub fn product(shape: Shape, phases: usize) -> Lists {
    let counted = THREE_TILES.replace(
        ".mopcfg 1, 0x00000004",
        &format!(".mopcfg 1, {phases:#010x}"),
    );
    let text = [
        set_up(&counted, ".unpack", ".wait"),
        unpack(shape),
        set_up(&counted, ".math", "ttmop "),
        math(shape),
        set_up(&counted, ".pack", "ttsemwait"),
        pack(shape),
        ".dm\n".to_owned(),
        data_movement(shape),
    ];
    text.concat().parse().unwrap_or_else(|e| panic!("{e}"))
}

/// The lines from that of a section to its first that starts with `end`.
fn set_up(text: &str, section: &str, end: &str) -> String {
    let lines = text.lines().skip_while(|line| line.trim() != section);
    lines
        .take_while(|line| !line.trim().starts_with(end))
        .fold(String::new(), |text, line| text + line + "\n")
}

fn unpack(shape: Shape) -> String {
    let mut text = String::new();
    for step in 0..shape.steps() {
        let context = step % 2;
        writeln!(text, ".wait 0, {}", step + 1).unwrap();
        if step > 0 {
            text += "ttstallwait 2, 6\nttsempost 8\n";
        }
        for unpacker in 0..2 {
            writeln!(
                text,
                "ttunpacr {unpacker}, 0, 0, {context}, 0, 1, 1, 0, 0, 0, 0, 0, 1"
            )
            .unwrap();
        }
        if step > 0 {
            text += ".sem_poll 3, 1\n.sem_get 3\n.post 1\n";
        }
    }
    text
}

fn math(shape: Shape) -> String {
    let mut text = String::new();
    for tile in 0..shape.rows * shape.columns {
        let half = tile % 2;
        text += "ttsemwait 322, 2, 2\n";
        writeln!(text, "ttsetc16 1, {}\nttzeroacc 2, 0, {half}", 256 * half).unwrap();
        text += &"ttmop 1, 0, 0\n".repeat(shape.depth);
        text += "ttstallwait 2, 16512\nttsempost 2\n";
    }
    text
}

fn pack(shape: Shape) -> String {
    let mut text = String::new();
    for tile in 0..shape.rows * shape.columns {
        let half = tile % 2;
        if tile > 1 {
            writeln!(text, ".wait 3, {}", tile - 1).unwrap();
        }
        writeln!(
            text,
            "ttwrcfg {}, 1, 152\nttwrcfg {}, 0, 57",
            4 + 4 * half,
            2 + half
        )
        .unwrap();
        text += "ttsemwait 6, 2, 1\nttpacr 0, 0, 15, 0, 0, 0, 1\nttstallwait 2, 120\n";
        text += "ttsemget 2\nttsempost 4\n.sem_poll 2, 1\n.sem_get 2\n.post 2\n";
    }
    text
}

/// Fetches the tiles of a step into the buffers that the step before the last had; writes a tile while the next one is computed.
fn data_movement(shape: Shape) -> String {
    let mut text = String::new();
    let write = |text: &mut String, tile: usize| {
        let l1 = 0x1a000 + 0x800 * (tile % 2);
        writeln!(
            text,
            ".wait 2, {}\n.write 2, {tile}, {l1:#x}\n.post 3",
            tile + 1
        )
        .unwrap();
    };
    for step in 0..shape.steps() {
        let (tile, k) = (step / shape.depth, step % shape.depth);
        let (row, column) = (tile / shape.columns, tile % shape.columns);
        if step > 1 {
            writeln!(text, ".wait 1, {}", step - 1).unwrap();
        }
        for (argument, page, l1) in [
            (1, k * shape.columns + column, 0x18000),
            (0, row * shape.depth + k, 0x19000),
        ] {
            let l1 = l1 + 0x800 * (step % 2);
            writeln!(text, ".read {argument}, {page}, {l1:#x}").unwrap();
        }
        text += ".post 0\n";
        if k + 1 == shape.depth && tile > 0 {
            write(&mut text, tile - 1);
        }
    }
    write(&mut text, shape.rows * shape.columns - 1);
    text
}
