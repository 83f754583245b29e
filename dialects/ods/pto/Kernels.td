// Kernels of the pto dialect, and what starts them.

#ifndef TESSERA_PTO_KERNELS_TD
#define TESSERA_PTO_KERNELS_TD

include "pto/Base.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def PTO_FuncOp : PTO_Op<"func", [IsolatedFromAbove, FunctionOpInterface, VerifiedInRust]> {
  let summary = "A kernel";
  let description = [{
    Its arguments are tensors in global memory, row-major in tiles: inputs first, then what it writes. A `memref` gives the
    extent that holds data: a matrix, or a sequence of matrices, each of which begins with a tile of its own. What is
    stored beyond it, up to the next tile, is +0. A `memref` of bytes with one dimension is a slot buffer: rings in global memory.

    | kind | tiles | has |
    |---|---|---|
    | `mixed` | in all spaces | everything but launches; what crosses sides does so in `pto.tmove` or through pipes |
    | `cube` | in `mat`, `left`, `right`, `acc`, `bias` | its ends of pipes |
    | `vector` | in `vec` | its ends of pipes; it may run on two cores, which `pto.subblock_index` tells apart |
    | `orchestration` | none | launches of groups |
    | `movement` | none | one `pto.rearrange` |

    Control flow is structured: `scf.for` and `scf.if`. `platform` says where rings lie, in the memory of the core that pops
    (`a5`, if it says nothing) or in global memory (`a2a3`); `placement` where the kernels of a group run, if it is not left to the
    passes. A mixed kernel may say how its tiles are spread over vector kernels (`split`) and how many slots the rings that
    expansion makes have (`slot_num`).

    ```mlir
    pto.func @neg(%a: memref<64x40xbf16>, %result: memref<64x40xbf16>)
        attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
      ...
      pto.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, PTO_KindAttr:$kind,
                       OptionalAttr<PTO_FidelityAttr>:$fidelity, OptionalAttr<PTO_DstAttr>:$dst,
                       OptionalAttr<PTO_PlatformAttr>:$platform, OptionalAttr<PTO_PlacementAttr>:$placement,
                       OptionalAttr<PTO_SplitAttr>:$split, OptionalAttr<I64Attr>:$slot_num,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def PTO_ReturnOp : PTO_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "End of a kernel";
  let assemblyFormat = "attr-dict";
}

def PTO_LaunchOp : PTO_Op<"launch", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Run a cube kernel and its one or two vector kernels together";
  let description = [{
    All of them get all arguments, and start and end together. The same vector kernel may be named twice.

    ```mlir
    pto.launch cube @product vector [@relu, @relu](%a, %b, %c) : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$cube, FlatSymbolRefArrayAttr:$vector, Variadic<AnyMemRef>:$arguments);
  let assemblyFormat = "`cube` $cube `vector` $vector `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}

def PTO_AllocSlotBufferOp : PTO_Op<"alloc_slot_buffer", [VerifiedInRust]> {
  let summary = "Global memory for the rings of a group";
  let description = [{
    Scratch memory: it holds nothing before and after a launch, and orders no launch after another.

    ```mlir
    %slots = pto.alloc_slot_buffer : memref<24576xi8>
    ```
  }];
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

def PTO_SubblockIndexOp : PTO_Op<"subblock_index", [Pure, VerifiedInRust]> {
  let summary = "Which vector kernel of its group this is: 0, or 1 if there are two";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

#endif // TESSERA_PTO_KERNELS_TD
