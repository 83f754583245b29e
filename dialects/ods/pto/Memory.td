// Moves of tiles and tensors.

#ifndef TESSERA_PTO_MEMORY_TD
#define TESSERA_PTO_MEMORY_TD

include "pto/Base.td"

def PTO_TLoadOp : PTO_Op<"tload", [VerifiedInRust, MemoryEffects<[MemRead]>]> {
  let summary = "Load a tile of a tensor in global memory, or of a local one, to mat or vec";
  let description = [{
    `row` and `column` count tiles of the loaded shape; rows are counted through all matrices.

    ```mlir
    %t = pto.tload %a[%i, %k] : memref<64x128xbf16> -> !pto.tile<tensor<32x32xbf16>, mat>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Index:$row, Index:$column);
  let results = (outs PTO_TileType:$result);
  let assemblyFormat = "$source `[` $row `,` $column `]` attr-dict `:` type($source) `->` type($result)";
}

def PTO_TStoreOp : PTO_Op<"tstore", [VerifiedInRust, MemoryEffects<[MemWrite]>]> {
  let summary = "Write a tile to a tensor in global memory, or to a local one";
  let arguments = (ins PTO_TileType:$tile, AnyMemRef:$target, Index:$row, Index:$column);
  let assemblyFormat = "$tile `,` $target `[` $row `,` $column `]` attr-dict `:` type($tile) `->` type($target)";
}

def PTO_TMoveOp : PTO_Op<"tmove", [Pure, VerifiedInRust]> {
  let summary = "Move a tile to another space or layout; its values do not change";
  let description = [{
    A move between `vec` and another space crosses sides. It is allowed in mixed kernels only, where
    expansion turns it into a push and a pop. Moving a popped tile to its own space makes a copy
    that outlives the slot.

    ```mlir
    %v = pto.tmove %sum : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
    ```
  }];
  let arguments = (ins PTO_TileType:$source);
  let results = (outs PTO_TileType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def PTO_RearrangeOp : PTO_Op<"rearrange", [VerifiedInRust, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copy elements of tensors in global memory to another tensor, by an index map";
  let description = [{
    Elements are counted in row-major order, through all matrices. Each entry of `copies` copies a
    box of elements, of `extents`, from a source to the target: the element with an index is at the
    offset plus the index times the strides. `operand` is the number of the source. Strides of
    sources may be negative, or 0; the dimensions of a box are nested in the target, the outermost
    first. Where copies overlap, the last one wins. Elements that no copy writes are `fill`, rounded
    to the element type of the target.

    With `lookup`, there is one copy, and its source positions along the first dimension are
    elements of the source with the number `indices`, a tensor of 32-bit integers. They are from 0 to
    below `rows`; others are an error of the run.

    The only operation of a kernel of kind `movement`.

    ```mlir
    pto.rearrange %a, %b : memref<4x3xf32>, memref<4x2xf32> to %c : memref<4x5xf32> {copies = [
        {extents = array<i64: 4, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 5, 1>,
         source_offset = 0 : i64, source_strides = array<i64: 3, 1>},
        {extents = array<i64: 4, 2>, operand = 1 : i64, result_offset = 3 : i64, result_strides = array<i64: 5, 1>,
         source_offset = 0 : i64, source_strides = array<i64: 2, 1>} ], fill = 0.0 : f64}
    ```
  }];
  let arguments = (ins Variadic<AnyMemRef>:$sources, AnyMemRef:$target, ArrayAttr:$copies, F64Attr:$fill,
                       OptionalAttr<DictionaryAttr>:$lookup);
  let assemblyFormat = "($sources^ `:` type($sources))? `to` $target `:` type($target) attr-dict";
}

#endif // TESSERA_PTO_MEMORY_TD
