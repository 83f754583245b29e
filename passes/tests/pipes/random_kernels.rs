//! Random mixed kernels, as text: nested loops and branches that carry tiles of both sides and
//! indices, tiles that cross sides in both directions, and tensors that both sides access.
//!
//! A tile that crosses is computed from a tile that is loaded nowhere else, so that two crossing
//! tiles are equal only by chance.

use std::fmt::Write;

use tessera_pto::schedule::Random;

/// Properties of the generated kernels.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Rows and columns of tiles.
    pub tile: u64,
    /// Operations in a block.
    pub ops: u64,
    /// Maximum nesting depth of loops and branches.
    pub depth: u64,
    /// Whether every operation is executed at least once, and every tile that crosses is stored.
    pub lively: bool,
    /// Whether most tiles cross through memory.
    pub memory: bool,
    /// Number of matrices of the tensors that both sides access: 1, 2 or 4.
    pub matrices: u64,
    /// Number of rows and columns that are missing in the last tiles of a matrix.
    pub lacking: u64,
}

impl Shape {
    /// Returns the extents of a tensor that both sides access, of [`EXTENT`] rows and columns of
    /// tiles.
    fn tensor(&self) -> String {
        let extent = |tiles: u64| self.tile * tiles - self.lacking;
        let (rows, columns) = (extent(EXTENT / self.matrices), extent(EXTENT));
        format!("{}x{rows}x{columns}", self.matrices)
    }
}

/// The kind of a tile: its element type and memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mat16,
    Mat32,
    Left16,
    Acc32,
    Vec16,
    Vec32,
}

use Kind::{Acc32, Left16, Mat16, Mat32, Vec16, Vec32};

impl Kind {
    fn element(self) -> &'static str {
        match self {
            Mat16 | Left16 | Vec16 => "bf16",
            Mat32 | Acc32 | Vec32 => "f32",
        }
    }

    fn place(self) -> &'static str {
        match self {
            Mat16 | Mat32 => "mat",
            Left16 => "left, layout = nz",
            Acc32 => "acc",
            Vec16 | Vec32 => "vec",
        }
    }

    fn bits(self) -> &'static str {
        match self.element() {
            "f32" => "32",
            _ => "16",
        }
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Index,
    Tile(Kind),
}

/// Rows and columns, in tiles, of the tensors that are accessed at random. Loops end there at the
/// latest.
const EXTENT: u64 = 4;

/// The kinds of a tile before and after it crosses.
const CROSSINGS: [(Kind, Kind); 6] = [
    (Acc32, Vec32),
    (Mat16, Vec16),
    (Mat32, Vec32),
    (Vec16, Mat16),
    (Vec16, Left16),
    (Vec32, Acc32),
];

struct Writer<'r> {
    random: &'r mut Random,
    shape: Shape,
    text: String,
    /// The values that are in scope.
    scope: Vec<(String, Type)>,
    names: u64,
    /// Number of tiles of tensors that only one operation accesses.
    sites: u64,
    /// The counters of enclosing loops that begin at 0 with step 1.
    counters: Vec<String>,
    indent: usize,
}

/// Returns a random mixed kernel `@k`.
pub fn kernel(random: &mut Random, shape: Shape) -> String {
    let mut writer = Writer {
        random,
        shape,
        text: String::new(),
        scope: Vec::new(),
        names: 0,
        sites: 0,
        counters: Vec::new(),
        indent: 1,
    };
    writer.body();
    let (text, sites) = (writer.text, writer.sites.max(1));
    let (small, large) = (
        shape.tensor(),
        format!("{}x{}", shape.tile * sites, shape.tile),
    );
    let mut arguments = Vec::new();
    for (bits, element) in [("16", "bf16"), ("32", "f32")] {
        for name in ["in", "scratch"] {
            arguments.push(format!("%{name}{bits}: memref<{small}x{element}>"));
        }
        for name in ["own", "cube", "vector"] {
            arguments.push(format!("%{name}{bits}: memref<{large}x{element}>"));
        }
    }
    let arguments = arguments.join(", ");
    let text = text.replace("LARGE", &large);
    format!(
        "pto.func @k({arguments})\n    attributes {{dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>}} {{\n{text}  pto.return\n}}\n"
    )
}

impl Writer<'_> {
    fn body(&mut self) {
        for number in 0..=EXTENT {
            self.line(&format!("%c{number} = arith.constant {number} : index"));
        }
        self.scope.push(("%c0".into(), Type::Index));
        for kind in [Mat16, Vec16, Vec32] {
            self.load(kind);
        }
        let fill = self.fresh(Mat16);
        let other = self.fresh(Mat16);
        self.matmul(&fill, &other, Mat16);
        self.block(self.shape.depth);
        for kind in [Acc32, Vec16, Vec32] {
            if let Some(tile) = self.pick(Type::Tile(kind)) {
                self.store_own(&tile, kind);
            }
        }
    }

    fn line(&mut self, text: &str) {
        let indent = 2 * self.indent;
        writeln!(self.text, "{:indent$}{text}", "").expect("a string takes everything");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    /// Returns `true` with probability 1 / `chances`.
    fn one_in(&mut self, chances: u64) -> bool {
        self.random.below(chances) == 0
    }

    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len() as u64) as usize]
    }

    /// Returns a value of a type, preferably a recent one.
    fn pick(&mut self, r#type: Type) -> Option<String> {
        let values = self.scope.iter().filter(|(_, other)| *other == r#type);
        let values: Vec<_> = values.map(|(name, _)| name.clone()).collect();
        let last = values.len() as u64;
        if last == 0 {
            return None;
        }
        let back = if self.one_in(2) { last } else { last.min(3) };
        Some(values[(last - 1 - self.random.below(back)) as usize].clone())
    }

    /// Returns the text of a tile type.
    fn tile(&self, kind: Kind) -> String {
        let (tile, element, place) = (self.shape.tile, kind.element(), kind.place());
        format!("<tensor<{tile}x{tile}x{element}>, {place}>")
    }

    fn spelled(&self, r#type: Type) -> String {
        match r#type {
            Type::Index => "index".into(),
            Type::Tile(kind) => format!("!pto.tile{}", self.tile(kind)),
        }
    }

    fn small(&self, kind: Kind) -> String {
        format!("memref<{}x{}>", self.shape.tensor(), kind.element())
    }

    fn large(kind: Kind) -> String {
        format!("memref<LARGEx{}>", kind.element())
    }

    /// Appends an operation that makes a tile.
    fn make(&mut self, kind: Kind, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        self.scope.push((name.clone(), Type::Tile(kind)));
        name
    }

    /// Returns a row or column of tiles in a small tensor.
    fn place(&mut self) -> String {
        let index = self.pick(Type::Index).unwrap_or_else(|| "%c0".into());
        let safe = index.starts_with("%c") || index.starts_with("%i");
        if safe {
            return index;
        }
        let name = self.name();
        self.line(&format!("{name} = arith.remsi {index}, %c{EXTENT} : index"));
        name
    }

    /// Returns a position in a large tensor that no other operation accesses.
    fn site(&mut self) -> String {
        let name = self.name();
        self.line(&format!("{name} = arith.constant {} : index", self.sites));
        self.sites += 1;
        name
    }

    fn load(&mut self, kind: Kind) {
        let [row, column] = [self.place(), self.place()];
        let from = if self.one_in(3) { "scratch" } else { "in" };
        let (bits, memory, tile) = (kind.bits(), self.small(kind), self.tile(kind));
        self.make(
            kind,
            &format!("pto.tload %{from}{bits}[{row}, {column}] : {memory} -> {tile}"),
        );
    }

    /// Loads a tile that is loaded nowhere else.
    fn fresh(&mut self, kind: Kind) -> String {
        let row = self.site();
        let (bits, memory, tile) = (kind.bits(), Self::large(kind), self.tile(kind));
        self.make(
            kind,
            &format!("pto.tload %own{bits}[{row}, %c0] : {memory} -> {tile}"),
        )
    }

    fn store(&mut self, tile: &str, kind: Kind) {
        let [row, column] = [self.place(), self.place()];
        let (bits, memory, r#type) = (kind.bits(), self.small(kind), self.tile(kind));
        self.line(&format!(
            "pto.tstore {tile}, %scratch{bits}[{row}, {column}] : {type} -> {memory}"
        ));
    }

    /// Stores a tile to a position of its own.
    fn store_own(&mut self, tile: &str, kind: Kind) {
        if kind == Left16 {
            let factor = self.fresh(Mat16);
            let product = self.matmul(tile, &factor, Left16);
            return self.store_own(&product, Acc32);
        }
        let side = match kind {
            Vec16 | Vec32 => "vector",
            _ => "cube",
        };
        let row = self.site();
        let (bits, memory, r#type) = (kind.bits(), Self::large(kind), self.tile(kind));
        self.line(&format!(
            "pto.tstore {tile}, %{side}{bits}[{row}, %c0] : {type} -> {memory}"
        ));
    }

    fn matmul(&mut self, left: &str, right: &str, kind: Kind) -> String {
        let (a, b, c) = (self.tile(kind), self.tile(Mat16), self.tile(Acc32));
        let so_far = self
            .pick(Type::Tile(Acc32))
            .filter(|_| self.random.below(2) == 0);
        match so_far {
            Some(sum) => self.make(
                Acc32,
                &format!("pto.tmatmul_acc {sum}, {left}, {right} : {c}, {a}, {b} -> {c}"),
            ),
            None => self.make(
                Acc32,
                &format!("pto.tmatmul {left}, {right} : {a}, {b} -> {c}"),
            ),
        }
    }

    fn unit(kind: Kind) -> &'static str {
        match kind {
            Vec16 | Vec32 => "sfpu",
            _ => "fpu",
        }
    }

    fn binary(&mut self, name: &str, kind: Kind, left: &str, right: &str, spread: &str) -> String {
        let (tile, unit) = (self.tile(kind), Self::unit(kind));
        self.make(
            kind,
            &format!(
                "pto.t{name} {left}, {right} {{{spread}unit = #pto.unit<{unit}>}} : {tile}, {tile} -> {tile}"
            ),
        )
    }

    fn compute(&mut self) {
        match self.random.below(6) {
            0 | 1 => {
                let kind = self.choose(&[Mat16, Left16]);
                let factors = (self.pick(Type::Tile(kind)), self.pick(Type::Tile(Mat16)));
                if let (Some(left), Some(right)) = factors {
                    self.matmul(&left, &right, kind);
                }
            }
            2 => {
                let kind = self.choose(&[Vec16, Vec32]);
                let name = self.choose(&["neg", "abs", "relu", "sigmoid", "tanh"]);
                if let Some(source) = self.pick(Type::Tile(kind)) {
                    let tile = self.tile(kind);
                    let text = format!(
                        "pto.t{name} {source} {{unit = #pto.unit<sfpu>}} : {tile} -> {tile}"
                    );
                    self.make(kind, &text);
                }
            }
            3 => {
                let (from, to) = self.choose(&[(Vec16, Vec32), (Vec32, Vec16)]);
                if let Some(source) = self.pick(Type::Tile(from)) {
                    let (old, new) = (self.tile(from), self.tile(to));
                    let text =
                        format!("pto.tcvt {source} {{unit = #pto.unit<fpu>}} : {old} -> {new}");
                    self.make(to, &text);
                }
            }
            _ => {
                let kind = self.choose(&[Vec16, Vec32, Acc32]);
                let tiles = (self.pick(Type::Tile(kind)), self.pick(Type::Tile(kind)));
                let name = self.choose(&["add", "sub", "max", "min", "mul"]);
                if let (Some(left), Some(mut right)) = tiles {
                    let mut spread = String::new();
                    if self.one_in(3) {
                        let word = self.choose(&["row", "column", "scalar"]);
                        spread = format!("broadcast = #pto.broadcast<{word}>, ");
                        // A tile that is popped in halves cannot be broadcast to both.
                        if kind != Acc32 {
                            right = self.fresh(kind);
                        }
                    }
                    self.binary(name, kind, &left, &right, &spread);
                }
            }
        }
    }

    fn cross(&mut self) {
        let (from, to) = self.choose(&CROSSINGS);
        let Some(tile) = self.pick(Type::Tile(from)) else {
            return;
        };
        let own = self.fresh(if from == Acc32 { Mat16 } else { from });
        let tile = match from {
            Acc32 => self.matmul(&own, &own, Mat16),
            Mat16 | Mat32 | Left16 => own,
            Vec16 | Vec32 => self.binary("add", from, &tile, &own, ""),
        };
        let (old, new) = (self.tile(from), self.tile(to));
        let crossed = self.make(to, &format!("pto.tmove {tile} : {old} -> {new}"));
        if self.shape.lively || self.one_in(2) {
            if self.one_in(2) {
                self.op(0);
            }
            self.store_own(&crossed, to);
        }
    }

    fn condition(&mut self) -> String {
        let always = self.counters.last().cloned();
        let (left, right) = match always.filter(|_| self.shape.lively) {
            Some(counter) => (counter, "%c1".to_owned()),
            None => {
                let bound = self.random.below(EXTENT);
                (
                    self.pick(Type::Index).unwrap_or_else(|| "%c0".into()),
                    format!("%c{bound}"),
                )
            }
        };
        let name = self.name();
        self.line(&format!("{name} = arith.cmpi slt, {left}, {right} : index"));
        name
    }

    /// Returns the types of loop-carried or yielded values.
    fn carried(&mut self, most: u64) -> Vec<Type> {
        const TYPES: [Type; 5] = [
            Type::Index,
            Type::Tile(Acc32),
            Type::Tile(Mat16),
            Type::Tile(Vec16),
            Type::Tile(Vec32),
        ];
        let count = self.random.below(most + 1);
        let types = (0..count).map(|_| self.choose(&TYPES));
        let types: Vec<_> = types.collect();
        let known = |r#type: &Type| self.scope.iter().any(|(_, other)| other == r#type);
        types.into_iter().filter(known).collect()
    }

    fn r#yield(&mut self, types: &[Type]) {
        let values: Vec<_> = types.iter().filter_map(|it| self.pick(*it)).collect();
        let spelled: Vec<_> = types.iter().map(|it| self.spelled(*it)).collect();
        if !types.is_empty() {
            self.line(&format!(
                "scf.yield {} : {}",
                values.join(", "),
                spelled.join(", ")
            ));
        }
    }

    /// Returns the beginning of a control flow operation, and its results.
    fn results(&mut self, types: &[Type]) -> (String, Vec<(String, Type)>) {
        let name = self.name();
        let results = types.iter().enumerate();
        let results: Vec<_> = results
            .map(|(number, r#type)| (format!("{name}#{number}"), *r#type))
            .collect();
        let begin = match types.len() {
            0 => String::new(),
            count => format!("{name}:{count} = "),
        };
        (begin, results)
    }

    fn arrow(&self, types: &[Type]) -> String {
        let spelled: Vec<_> = types.iter().map(|it| self.spelled(*it)).collect();
        match types {
            [] => String::new(),
            _ => format!(" -> ({})", spelled.join(", ")),
        }
    }

    fn r#for(&mut self, depth: u64) {
        let types = self.carried(3);
        let first: Vec<_> = types.iter().filter_map(|it| self.pick(*it)).collect();
        let (begin, results) = self.results(&types);
        let low = if self.shape.lively {
            0
        } else {
            self.random.below(2)
        };
        let least = if self.shape.lively { 2 } else { 0 };
        let high = least + self.random.below(EXTENT + 1 - least);
        let step = 1 + self.random.below(2) * u64::from(!self.shape.lively);
        let counter = self.name().replace('v', "i");
        let arguments: Vec<_> = types.iter().map(|r#type| (self.name(), *r#type)).collect();
        let pairs = arguments.iter().zip(&first);
        let pairs: Vec<_> = pairs
            .map(|((name, _), first)| format!("{name} = {first}"))
            .collect();
        let carried = match types.len() {
            0 => String::new(),
            _ => format!(" iter_args({}){}", pairs.join(", "), self.arrow(&types)),
        };
        self.line(&format!(
            "{begin}scf.for {counter} = %c{low} to %c{high} step %c{step}{carried} {{"
        ));
        let outside = self.scope.len();
        self.scope.push((counter.clone(), Type::Index));
        self.scope.extend(arguments);
        self.counters.push(counter);
        self.nested(depth, &types, outside);
        self.counters.pop();
        self.line("}");
        self.scope.extend(results);
    }

    fn r#if(&mut self, depth: u64) {
        let condition = self.condition();
        let types = self.carried(2);
        let (begin, results) = self.results(&types);
        let arrow = self.arrow(&types);
        self.line(&format!("{begin}scf.if {condition}{arrow} {{"));
        let outside = self.scope.len();
        // A branch inside by the same counter would have one that is never taken.
        let counter = self.counters.pop();
        self.nested(depth, &types, outside);
        if !types.is_empty() || self.one_in(2) {
            self.line("} else {");
            self.nested(depth, &types, outside);
        }
        self.counters.extend(counter);
        self.line("}");
        self.scope.extend(results);
    }

    fn nested(&mut self, depth: u64, types: &[Type], outside: usize) {
        self.indent += 1;
        self.block(depth);
        self.r#yield(types);
        self.indent -= 1;
        self.scope.truncate(outside);
    }

    fn block(&mut self, depth: u64) {
        let count = self.shape.ops / 2 + self.random.below(self.shape.ops);
        for _ in 0..count {
            self.op(depth);
        }
    }

    fn op(&mut self, depth: u64) {
        let can_branch = !self.shape.lively || !self.counters.is_empty();
        match self.random.below(20) {
            0..=1 => {
                let kind = self.choose(&[Mat16, Mat32, Vec16, Vec32]);
                self.load(kind);
            }
            2..=5 => self.compute(),
            6..=9 if !self.shape.memory || self.one_in(8) => self.cross(),
            6..=11 => {
                let kind = self.choose(&[Mat16, Acc32, Vec16, Vec32]);
                if let Some(tile) = self.pick(Type::Tile(kind)) {
                    self.store(&tile, kind);
                }
            }
            12..=15 if depth > 0 => self.r#for(depth - 1),
            16..=17 if depth > 0 && can_branch => self.r#if(depth - 1),
            18 => {
                let [left, right] = [0, 1].map(|_| self.pick(Type::Index));
                if let (Some(left), Some(right)) = (left, right) {
                    let name = self.name();
                    self.line(&format!("{name} = arith.addi {left}, {right} : index"));
                    self.scope.push((name, Type::Index));
                }
            }
            _ => {
                let kind = self.choose(&[Mat16, Acc32, Vec16, Vec32]);
                let tiles = (self.pick(Type::Tile(kind)), self.pick(Type::Tile(kind)));
                if let (Some(left), Some(right)) = tiles {
                    let condition = self.condition();
                    let r#type = self.spelled(Type::Tile(kind));
                    self.make(
                        kind,
                        &format!("arith.select {condition}, {left}, {right} : {type}"),
                    );
                }
            }
        }
    }
}
