//! Enumerations of the pto dialect.

use crate::string_enum::string_enum;

string_enum! {
    /// Which side of a core a kernel runs on.
    Kind = "pto.kind" {
        /// Both.
        Mixed = "mixed",
        /// The matrix side.
        Cube = "cube",
        /// The element-wise side.
        Vector = "vector",
        /// Neither: it starts groups of kernels.
        Orchestration = "orchestration",
        /// Neither: it moves elements of tensors.
        Movement = "movement",
    }
}

string_enum! {
    /// Fidelity of a product: the number of phases over the bits of its factors.
    Fidelity = "pto.fidelity" {
        /// One.
        LoFi = "lofi",
        /// Two.
        HiFi2 = "hifi2",
        /// Three.
        HiFi3 = "hifi3",
        /// Four: every bit.
        HiFi4 = "hifi4",
    }
}

impl Fidelity {
    /// Returns how many phases that is.
    pub fn phases(self) -> u32 {
        match self {
            Fidelity::LoFi => 1,
            Fidelity::HiFi2 => 2,
            Fidelity::HiFi3 => 3,
            Fidelity::HiFi4 => 4,
        }
    }
}

string_enum! {
    /// Format of accumulators.
    Dst = "pto.dst" {
        /// 32-bit floats.
        F32 = "f32",
        /// 16 bits.
        B16 = "b16",
    }
}

string_enum! {
    /// Executing unit of an operation.
    Unit = "pto.unit" {
        /// The matrix unit.
        Fpu = "fpu",
        /// The vector unit.
        Sfpu = "sfpu",
        /// The packers, when values leave Dst.
        Pack = "pack",
    }
}

string_enum! {
    /// Precision of the code of an element-wise function.
    Precision = "pto.precision" {
        /// For tensors of f32.
        F32 = "f32",
        /// For tensors of bf16.
        Bf16 = "bf16",
    }
}

string_enum! {
    /// Broadcast of the right operand.
    Broadcast = "pto.broadcast" {
        /// Not at all.
        None = "none",
        /// Its first row to every row.
        Row = "row",
        /// Its first column to every column.
        Column = "column",
        /// Its first element everywhere.
        Scalar = "scalar",
    }
}

string_enum! {
    /// Location of rings.
    Platform = "pto.platform" {
        /// In global memory.
        A2A3 = "a2a3",
        /// In the memory of the consumer.
        A5 = "a5",
    }
}

string_enum! {
    /// Placement of the kernels of a group.
    Placement = "pto.placement" {
        /// On the threads of one core.
        SameCore = "same_core",
        /// Each on a core of its own.
        Cluster = "cluster",
    }
}

string_enum! {
    /// Memory space of a tile.
    Space {
        /// Memory of the matrix side, the target of loads.
        Mat = "mat",
        /// Accumulators, written by the matrix unit.
        Acc = "acc",
        /// Left factors of the matrix unit.
        Left = "left",
        /// Right factors of the matrix unit.
        Right = "right",
        /// Bias, which the matrix unit adds to accumulators.
        Bias = "bias",
        /// The vector side.
        Vec = "vec",
    }
}

string_enum! {
    /// The order of a tile's elements.
    Layout {
        /// Row by row.
        Nd = "nd",
        /// Column by column.
        Dn = "dn",
        /// Blocks column by column, elements of a block row by row.
        Nz = "nz",
        /// Blocks row by row, elements of a block column by column.
        Zn = "zn",
    }
}

string_enum! {
    /// Direction of a pipe.
    Direction {
        /// From the cube side to the vector side.
        C2V = "c2v",
        /// From the vector side to the cube side.
        V2C = "v2c",
    }
}

string_enum! {
    /// Split of a tile over two vector kernels. The first gets the larger part of an odd extent.
    Split = "pto.split" {
        /// No split: one vector kernel.
        None = "none",
        /// The upper rows, the lower rows.
        UpDown = "up_down",
        /// The left columns, the right columns.
        LeftRight = "left_right",
    }
}
