// Operations of the mncore dialect.
//
// One operation for each family of PE expressions, and one for MV instructions. The table of
// runtime/isa-mncore defines the instructions of each family.

#ifndef TESSERA_MNCORE_OPS_TD
#define TESSERA_MNCORE_OPS_TD

include "Forward.td"
include "mncore/Dialect.td"
include "mncore/Types.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Mncore_Op<string mnemonic, list<Trait> traits = []> : Op<Mncore_Dialect, mnemonic, !listconcat(traits, [VerifiedInRust])>;

def Mncore_KernelOp : Mncore_Op<"kernel", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator]> {
  let summary = "A program of the whole board: a sequence of loops";
  let description = [{
    `implements` names the kernel it is lowered from. `tensors` describe the arguments in the DRAM
    of the board: the number of the argument, its type, and its layout in the notation of the judge
    tool. Inputs come first; an argument that is read in two layouts is listed twice. An argument
    with a `view` is a box of a tensor's elements, in row-major order. A result may consist of
    several views; the last one that contains an element defines it.

    ```mlir
    mncore.kernel @k_mncore implements @k inputs 1 tensors [0 : tensor<1x32x32xf32> "...", 1 : tensor<1x32x32xf32> "..."] {
      mncore.pipeline "relu" trip [4] {
        %0 = mncore.l1bm "l1bmd" lb[64 * i0] -> long any
        mncore.alu "frelu" %0, %0 -> lm[8 * i0]v
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$implements, I32Attr:$inputs, ArrayAttr:$tensors);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `implements` $implements `inputs` $inputs `tensors` custom<Tensors>($tensors) $body attr-dict";
}

def Mncore_RepeatOp : Mncore_Op<"repeat", [SingleBlock, NoTerminator, ParentOneOf<["KernelOp", "RepeatOp"]>]> {
  let summary = "Repetition of a sequence of loops";
  let description = [{
    Adds an outer dimension to the indices of the loops inside.
  }];
  let arguments = (ins I32Attr:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count $body attr-dict";
}

def Mncore_PipelineOp : Mncore_Op<"pipeline", [SingleBlock, NoTerminator, ParentOneOf<["KernelOp", "RepeatOp"]>]> {
  let summary = "A loop that is software-pipelined by modulo scheduling";
  let description = [{
    Its semantics are sequential: iterations in order, the last dimension fastest, and instructions
    in order within each. Without `trip` it is a block of one iteration. `min_ii` is a lower bound
    of its initiation interval, in steps. The indices `i0`, `i1`, ... are those of `mncore.repeat`
    around it, outermost first, then its own.

    `mncore-schedule` adds the initiation interval (`ii`), the number of overlapping iterations
    (`stages`), a lower bound of the interval (`mii`) and the resource or dependence that sets it
    (`bound_by`). It also adds the step of each instruction (`at`) and the register of each value
    (`in`). Constants are assigned to long words of a register file or a local memory.

    ```mlir
    mncore.pipeline "product" trip [4, 16] ii 2 stages 3 mii 2 bound_by "the slot l1bm" constants [0x3f800000 in r[508]] {
      ...
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<DenseI64ArrayAttr>:$trip, OptionalAttr<I32Attr>:$min_ii,
                       OptionalAttr<I32Attr>:$ii, OptionalAttr<I32Attr>:$stages, OptionalAttr<I32Attr>:$mii, OptionalAttr<StrAttr>:$bound_by,
                       OptionalAttr<ArrayAttr>:$constants);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`trip` $trip^)? (`min_ii` $min_ii^)? (`ii` $ii^)? (`stages` $stages^)? (`mii` $mii^)? (`bound_by` $bound_by^)?
    (`constants` custom<Constants>($constants)^)? $body attr-dict
  }];
}

// Common syntax: `from, from -> to, to`, in the order of the assembler. An input is a place, a
// value, a constant word or a name of the assembler (`lx`, `msb1`), prefixed by `neg`, `widen` or
// `narrow` if its sign or precision is changed. An output is a place or a value: its width and
// register bank, `into` the value that it overwrites, and `mask` the flags or the pattern that
// select the written words.
class Mncore_Instruction<string mnemonic> : Mncore_Op<mnemonic, [HasParent<"PipelineOp">]> {
  let arguments = (ins StrAttr:$opcode, Variadic<Mncore_ValueType>:$values, ArrayAttr:$inputs, ArrayAttr:$outputs,
                       OptionalAttr<ArrayAttr>:$when, OptionalAttr<I32Attr>:$at);
  let results = (outs Variadic<Mncore_ValueType>:$results);
  let assemblyFormat = [{
    $opcode custom<Flow>($values, $inputs, $outputs, type($results)) (`when` custom<When>($when)^)? (`at` $at^)? attr-dict
  }];
}

def Mncore_MauOp : Mncore_Instruction<"mau"> {
  let summary = "Arithmetic of the MAU, perhaps with a matrix register";
  let description = [{
    ```mlir
    %2 = mncore.mau "gmfma" lx, %0, llr[8 * i1]v -> long any
    %3 = mncore.mau "fvfma" %2, neg %1, 0x3f800000 -> long in r at 7
    ```
  }];
}

def Mncore_AluOp : Mncore_Instruction<"alu"> {
  let summary = "Arithmetic of the ALU";
  let description = [{
    ```mlir
    %1 = mncore.alu "gbfn" %0 -> long forward
    mncore.alu "imm" 0x3f800000 -> lr[0]
    %3 = mncore.alu "imax" %1, %2 -> long any into %0 mask %flags
    ```
  }];
}

def Mncore_MwriteOp : Mncore_Instruction<"mwrite"> {
  let summary = "A write to a matrix register";
  let description = [{
    ```mlir
    mncore.mwrite "gmwrite" %0 -> lx[0]
    ```
  }];
}

def Mncore_MreadOp : Mncore_Instruction<"mread"> {
  let summary = "A transposed read of a matrix register";
  let description = [{
    ```mlir
    %0 = mncore.mread "gmread" lx[4] -> long any
    ```
  }];
}

def Mncore_L1bmOp : Mncore_Instruction<"l1bm"> {
  let summary = "A transfer between L1BM and PEs";
  let description = [{
    ```mlir
    %0 = mncore.l1bm "l1bmm" lb[16 * i0] -> long any
    mncore.l1bm "l1bmrffadd" %0 -> lb[64]
    ```
  }];
}

def Mncore_L2bmOp : Mncore_Instruction<"l2bm"> {
  let summary = "A transfer between L2BM and L1BM";
  let description = [{
    ```mlir
    mncore.l2bm "l2bmb" lc[64 * i0] -> lb[64 * i0]
    ```
  }];
}

def Mncore_WaitOp : Mncore_Op<"wait", [HasParent<"PipelineOp">]> {
  let summary = "Waits for the MV instruction with a tag";
  let description = [{
    ```mlir
    mncore.wait i[(i0) mod 4 + 1] when i0 from 2
    ```
  }];
  let arguments = (ins Mncore_PlaceAttr:$tag, OptionalAttr<ArrayAttr>:$when, OptionalAttr<I32Attr>:$at);
  let assemblyFormat = "custom<Place>($tag) (`when` custom<When>($when)^)? (`at` $at^)? attr-dict";
}

def Mncore_MvOp : Mncore_Op<"mv", [HasParent<"PipelineOp">]> {
  let summary = "An MV instruction, issued before the step";
  let description = [{
    ```mlir
    mncore.mv "mvb/n64" tag i[1] d[16 * i0] -> lc[64 * i0]
    ```
  }];
  let arguments = (ins StrAttr:$opcode, Mncore_PlaceAttr:$tag, Mncore_PlaceAttr:$from, Mncore_PlaceAttr:$to,
                       OptionalAttr<ArrayAttr>:$when, OptionalAttr<I32Attr>:$at);
  let assemblyFormat = [{
    $opcode `tag` custom<Place>($tag) custom<Place>($from) `->` custom<Place>($to) (`when` custom<When>($when)^)? (`at` $at^)?
    attr-dict
  }];
}

#endif // TESSERA_MNCORE_OPS_TD
