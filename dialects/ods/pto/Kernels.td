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
    Its arguments are tensors in global memory, row-major in tiles: inputs first, then results. A
    `memref` gives the extent of the data: a matrix, or a sequence of matrices, each of which begins
    with a new tile. Padding up to the next tile is +0. A `memref` of bytes with one dimension is a
    slot buffer: rings in global memory.

    | kind | tiles | has |
    |---|---|---|
    | `mixed` | in all spaces | everything except launches; tiles cross sides by `pto.tmove` or through pipes |
    | `cube` | in `mat`, `left`, `right`, `acc`, `bias` | its ends of pipes |
    | `vector` | in `vec` | its ends of pipes; it may run on two cores, which `pto.subblock_index` tells apart |
    | `orchestration` | none | launches of groups |
    | `movement` | none | one `pto.rearrange` |

    Control flow is structured: `scf.for` and `scf.if`. `platform` selects where rings lie: in the
    memory of the consumer (`a5`, the default) or in global memory (`a2a3`). `placement` selects
    where the kernels of a group run; if it is absent, passes decide. A mixed kernel may specify how
    its tiles are split over vector kernels (`split`), and the number of slots of the rings that
    expansion creates (`slot_num`).

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
    All kernels get all arguments, and start and end together. The same vector kernel may be named
    twice.

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
    Scratch memory: its content is undefined before and after a launch, and it does not order
    launches.

    ```mlir
    %slots = pto.alloc_slot_buffer : memref<24576xi8>
    ```
  }];
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

def PTO_AllocTensorOp : PTO_Op<"alloc_tensor", [VerifiedInRust]> {
  let summary = "A tensor in the memory of the core that runs the kernel";
  let description = [{
    A *local tensor*: a matrix or a sequence of matrices, as an argument, that no other core can
    access. `pto.tload` and `pto.tstore` take it like an argument. Its content is undefined until it
    is stored, and ends with the kernel. A tile is loaded in the shape in which it was stored.

    It is at the top level of a kernel of kind mixed, cube or vector. In a mixed kernel, only one
    side may access it. Of two vector kernels that run the same code, each has its own.

    ```mlir
    %scores = pto.alloc_tensor : memref<32x128xf32>
    ```
  }];
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$tensor);
  let assemblyFormat = "attr-dict `:` type($tensor)";
}

def PTO_SubblockIndexOp : PTO_Op<"subblock_index", [Pure, VerifiedInRust]> {
  let summary = "Index of this vector kernel in its group: 0, or 1 for the second of two";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

#endif // TESSERA_PTO_KERNELS_TD
