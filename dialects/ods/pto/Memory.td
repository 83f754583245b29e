// Moves of tiles.

#ifndef TESSERA_PTO_MEMORY_TD
#define TESSERA_PTO_MEMORY_TD

include "pto/Base.td"

def PTO_TLoadOp : PTO_Op<"tload", [VerifiedInRust, MemoryEffects<[MemRead]>]> {
  let summary = "Tile of a tensor in global memory, to mat or vec";
  let description = [{
    `row` and `column` count tiles of the shape that is loaded, rows through all matrices.

    ```mlir
    %t = pto.tload %a[%i, %k] : memref<64x128xbf16> -> !pto.tile<tensor<32x32xbf16>, mat>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Index:$row, Index:$column);
  let results = (outs PTO_TileType:$result);
  let assemblyFormat = "$source `[` $row `,` $column `]` attr-dict `:` type($source) `->` type($result)";
}

def PTO_TStoreOp : PTO_Op<"tstore", [VerifiedInRust, MemoryEffects<[MemWrite]>]> {
  let summary = "Write a tile to a tensor in global memory";
  let arguments = (ins PTO_TileType:$tile, AnyMemRef:$target, Index:$row, Index:$column);
  let assemblyFormat = "$tile `,` $target `[` $row `,` $column `]` attr-dict `:` type($tile) `->` type($target)";
}

def PTO_TMoveOp : PTO_Op<"tmove", [Pure, VerifiedInRust]> {
  let summary = "Tile in another space, or with its elements in another order; its numbers stay as they are";
  let description = [{
    A move between `vec` and another space crosses from one side to the other: in a mixed kernel only, where expansion makes a
    push and a pop of it. A tile that was popped may be moved to where it lies: the result is a copy that outlives its slot.

    ```mlir
    %v = pto.tmove %sum : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
    ```
  }];
  let arguments = (ins PTO_TileType:$source);
  let results = (outs PTO_TileType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

#endif // TESSERA_PTO_MEMORY_TD
