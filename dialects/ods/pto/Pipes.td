// Pipes between a cube kernel and its vector kernels.
//
// Pushes, pops and frees are effects on memory: each waits for another core, so none may vanish, be
// merged or pass another.

#ifndef TESSERA_PTO_PIPES_TD
#define TESSERA_PTO_PIPES_TD

include "pto/Base.td"

def PTO_ReserveBufferOp : PTO_Op<"reserve_buffer", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Memory of this core for the ring that it pops from";
  let description = [{
    The base is the address, or `auto` for one that pto-allocate-memory-addr chooses.

    ```mlir
    %own = pto.reserve_buffer "sums" auto : <32768, vec>
    %own = pto.reserve_buffer "sums" at 4096 : <32768, vec>
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$base);
  let results = (outs PTO_BufferType:$result);
  let assemblyFormat = "$name (`at` $base^) : (`auto`)? attr-dict `:` type($result)";
}

def PTO_ImportPeerBufferOp : PTO_Op<"import_peer_buffer", [Pure, VerifiedInRust]> {
  let summary = "The buffer of that name that another kernel of the group reserves";
  let description = [{
    ```mlir
    %peer = pto.import_peer_buffer "sums" of @relu : <32768, vec>
    ```
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$peer_func, OptionalAttr<I64Attr>:$base);
  let results = (outs PTO_BufferType:$result);
  let assemblyFormat = "$name `of` $peer_func (`at` $base^)? attr-dict `:` type($result)";
}

class PTO_InitializePipe<string mnemonic, string side> : PTO_Op<mnemonic, [PTO_Ordered, VerifiedInRust]> {
  let summary = "The " # side # " end of one pipe, or of one each way";
  let description = [{
    The mask of directions is that of the results: c2v is 1, v2c is 2, and c2v comes first. On platform `a5` it takes a buffer for
    each pipe, reserved where tiles are popped and imported where they are pushed; on `a2a3` one slot buffer with a ring after the
    other. What the buffers are is also what says which end of another kernel belongs to this one.
  }];
  let arguments = (ins Variadic<AnyTypeOf<[PTO_BufferType, AnyMemRef]>>:$buffers);
  let results = (outs Variadic<PTO_PipeType>:$pipes);
  let assemblyFormat = "$buffers attr-dict `:` type($buffers) `->` type($pipes)";
}

def PTO_AicInitializePipeOp : PTO_InitializePipe<"aic_initialize_pipe", "cube kernel's">;
def PTO_AivInitializePipeOp : PTO_InitializePipe<"aiv_initialize_pipe", "vector kernel's">;

def PTO_TPushOp : PTO_Op<"tpush", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Wait for a free slot, write a tile to it, say that it is ready";
  let arguments = (ins PTO_TileType:$tile, PTO_PipeType:$pipe);
  let assemblyFormat = "$tile `,` $pipe attr-dict `:` type($tile) `,` type($pipe)";
}

def PTO_TPopOp : PTO_Op<"tpop", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Wait for the next slot that is ready, and hold it: the tile lies in it until pto.tfree";
  let arguments = (ins PTO_PipeType:$pipe);
  let results = (outs PTO_TileType:$tile);
  let assemblyFormat = "$pipe attr-dict `:` type($pipe) `->` type($tile)";
}

def PTO_TFreeOp : PTO_Op<"tfree", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Give back the slot of a tile that was popped; slots are given back in the order of their pops";
  let arguments = (ins PTO_TileType:$tile, PTO_PipeType:$pipe);
  let assemblyFormat = "$tile `,` $pipe attr-dict `:` type($tile) `,` type($pipe)";
}

#endif // TESSERA_PTO_PIPES_TD
