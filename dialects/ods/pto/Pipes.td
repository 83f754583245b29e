// Pipes between a cube kernel and its vector kernels.
//
// Pushes, pops and frees have memory effects: each waits for another core, so none may be erased,
// merged or reordered.

#ifndef TESSERA_PTO_PIPES_TD
#define TESSERA_PTO_PIPES_TD

include "pto/Base.td"

def PTO_ReserveBufferOp : PTO_Op<"reserve_buffer", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Reserve memory of this core for a ring that it pops from";
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
  let summary = "Import a buffer that another kernel of the group reserves";
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
  let summary = "Initialize the " # side # " end of one pipe, or of one in each direction";
  let description = [{
    The mask of directions follows from the results: c2v is 1, v2c is 2, and c2v comes first. On
    platform `a5` it takes a buffer for each pipe, reserved by the consumer and imported by the
    producer. On `a2a3` it takes one slot buffer with the rings one after the other. The buffers
    also identify the other end of each pipe.
  }];
  let arguments = (ins Variadic<AnyTypeOf<[PTO_BufferType, AnyMemRef]>>:$buffers);
  let results = (outs Variadic<PTO_PipeType>:$pipes);
  let assemblyFormat = "$buffers attr-dict `:` type($buffers) `->` type($pipes)";
}

def PTO_AicInitializePipeOp : PTO_InitializePipe<"aic_initialize_pipe", "cube kernel's">;
def PTO_AivInitializePipeOp : PTO_InitializePipe<"aiv_initialize_pipe", "vector kernel's">;

def PTO_TPushOp : PTO_Op<"tpush", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Wait for a free slot, write a tile to it, and announce it";
  let arguments = (ins PTO_TileType:$tile, PTO_PipeType:$pipe);
  let assemblyFormat = "$tile `,` $pipe attr-dict `:` type($tile) `,` type($pipe)";
}

def PTO_TPopOp : PTO_Op<"tpop", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Wait for the next ready slot and hold it: the tile stays in it until pto.tfree";
  let arguments = (ins PTO_PipeType:$pipe);
  let results = (outs PTO_TileType:$tile);
  let assemblyFormat = "$pipe attr-dict `:` type($pipe) `->` type($tile)";
}

def PTO_TFreeOp : PTO_Op<"tfree", [PTO_Ordered, VerifiedInRust]> {
  let summary = "Free the slot of a popped tile; slots are freed in the order of their pops";
  let arguments = (ins PTO_TileType:$tile, PTO_PipeType:$pipe);
  let assemblyFormat = "$tile `,` $pipe attr-dict `:` type($tile) `,` type($pipe)";
}

#endif // TESSERA_PTO_PIPES_TD
