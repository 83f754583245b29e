// Programs with control flow: what the five RISC-V cores of a tile run. Included by Ops.td.

#ifndef TESSERA_TENSIX_PROGRAM_TD
#define TESSERA_TENSIX_PROGRAM_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tensix_ProgramOp : Tensix_Op<"program", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator, VerifiedInRust]> {
  let summary = "A program of one Tensix tile, with control flow";
  let description = [{
    A region for each RISC-V core: those of the threads (`unpack`, `math`, `pack`), and the two that
    move data (`read` is NC, `write` is B). Control flow is `scf.for` and `scf.if`, over `arith`
    operations on `index`, `i32` and `i1`; an `index` is a 32-bit word here. Operations of a region
    execute in order; pushed instructions execute asynchronously.

    `write` runs alone until its `tensix.release`. Instructions that it pushes before go to thread
    0. The release waits for them and then starts the other cores.

    The `arguments` tensors, inputs first, are referred to by number. `work` is the number of
    independent pieces of work. Each tile that runs the program executes a range of them
    (`tensix.argument first` and `last`).

    With a `grid`, pieces form grids of that many rows and columns, and the tiles that run the
    program form a grid that covers them in several passes (`tensix.argument passes`, `extent`,
    `place`). Tiles in a row of this grid can exchange data through NoC 0, and those in a column
    through NoC 1; one of them is the leader. All tiles then execute the same range of passes.

    ```mlir
    tensix.program @k_tensix implements @k on "wormhole_b0" arguments 2 work 12 unpack {
      %first = tensix.argument first
      %last = tensix.argument last
      %one = arith.constant 1 : index
      scf.for %tile = %first to %last step %one {
        tensix.await counter 0 at_least %tile
        tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
      }
    } math {
    } pack {
    } read {
      ...
    } write {
      tensix.seminit (max_value 1, sem_sel 2)
      tensix.release
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$implements, StrAttr:$arch, I32Attr:$arguments,
                       I32Attr:$work, OptionalAttr<DenseI64ArrayAttr>:$grid);
  let regions = (region SizedRegion<1>:$unpack, SizedRegion<1>:$math, SizedRegion<1>:$pack, SizedRegion<1>:$read,
                        SizedRegion<1>:$write);
  let assemblyFormat = [{
    $sym_name `implements` $implements `on` $arch `arguments` $arguments `work` $work
    (`grid` $grid^)? `unpack` $unpack `math` $math `pack` $pack `read` $read `write` $write attr-dict
  }];
}

def Tensix_ClusterOp : Tensix_Op<"cluster", [Symbol, VerifiedInRust]> {
  let summary = "Programs that run on neighbouring tiles at the same time";
  let description = [{
    Each of the `tiles` runs a `tensix.program`, all on the same pieces of work. A ring between two
    of them is given by the consumer's tile, its counter of ready slots, the producer's tile, and
    its counter of freed slots. Both counters are equal at the end.

    ```mlir
    tensix.cluster @k_tensix implements @k on "wormhole_b0" arguments 3 work 4
      tiles [@k_aic_tensix, @k_aiv_tensix] rings [[1, 4, 0, 6]]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$implements, StrAttr:$arch, I32Attr:$arguments,
                       I32Attr:$work, FlatSymbolRefArrayAttr:$tiles, ArrayAttr:$rings);
  let assemblyFormat = [{
    $sym_name `implements` $implements `on` $arch `arguments` $arguments `work` $work `tiles` $tiles `rings` $rings attr-dict
  }];
}

def Tensix_AliasOp : Tensix_Op<"alias", [Symbol, VerifiedInRust]> {
  let summary = "Code that also implements another kernel";
  let description = [{
    `code` names the `tensix.program` or `tensix.cluster` of another kernel that is also the code of
    this one. Kernels over tensors of different shapes share code if they differ only in properties
    that code does not depend on.

    ```mlir
    tensix.alias @k_tensix implements @k of @j_tensix
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$implements, FlatSymbolRefAttr:$code);
  let assemblyFormat = "$sym_name `implements` $implements `of` $code attr-dict";
}

def Tensix_PushOp : Tensix_Op<"push", [VerifiedInRust]> {
  let summary = "Push an instruction with one computed operand";
  let description = [{
    The pushed word has the constant operands, with the value or-ed into the named field. Adjacent
    fields can be written as one by joining their names with points, the highest first.

    The value must fit the field, and be less than `below` if that is given. If range analysis
    cannot prove this, the core checks the value before it pushes, and stops at an `ebreak` if the
    check fails.

    ```mlir
    tensix.push "setc16" setc16_value = %value (setc16_reg 1)
    tensix.push "setadc" value = %tile below 256 (cnt_set_mask 1, dimension_index 2)
    tensix.push "setdmareg" payload_sig_sel_size.payload_sig_sel = %half (reg_index_16b 4)
    ```
  }];
  let arguments = (ins StrAttr:$instruction, StrAttr:$field, Index:$value, OptionalAttr<I64Attr>:$below,
                       OptionalAttr<DictionaryAttr>:$constants);
  let assemblyFormat = [{
    $instruction custom<Field>($field) `=` $value (`below` $below^)? custom<Constants>($constants) attr-dict
  }];
}

def Tensix_ArgumentOp : Tensix_Op<"argument", [Pure, VerifiedInRust]> {
  let summary = "An argument word of the tile";
  let description = [{
    | | |
    |---|---|
    | `base 0` | the offset of tensor 0 in each DRAM bank |
    | `imm 17` | a number; programs that differ only in such numbers have the same code |
    | `first`, `last` | the first piece of work of this tile, and the one after its last |
    | `peer 1` | the upper half of NoC addresses in tile 1 of the cluster (`tensix.cluster`) |
    | `passes 0`, `passes 1` | how often the grid of tiles is laid over the grid of pieces, down and across |
    | `extent 0`, `extent 1` | rows and columns of the grid of tiles |
    | `place 0`, `place 1` | row and column of this tile in the grid of tiles |
    | `leads 0`, `leads 1` | 1 if this tile is the leader of its row, or of its column |
    | `leader 0`, `leader 1` | the upper half of addresses in the leader of the row on NoC 0, of the column on NoC 1 |
    | `group 0`, `group 1` | the upper half of the address of a broadcast to the row on NoC 0, to the column on NoC 1 |
  }];
  let arguments = (ins StrAttr:$kind, OptionalAttr<I64Attr>:$number);
  let results = (outs Index:$result);
  let assemblyFormat = "custom<Argument>($kind, $number) attr-dict";
}

def Tensix_AwaitOp : Tensix_Op<"await", [VerifiedInRust]> {
  let summary = "Wait until a counter in L1 reaches a value; counters wrap, so differences are compared";
  let arguments = (ins I32Attr:$counter, Index:$at_least);
  let assemblyFormat = "`counter` $counter `at_least` $at_least attr-dict";
}

class Tensix_NocMove<string mnemonic, string preposition> : Tensix_Op<mnemonic, [VerifiedInRust]> {
  let description = [{
    Page p is in bank p mod banks, at p div banks pages from the base. The move is asynchronous; it
    has completed when `tensix.noc_wait` of its transaction returns. A core has transactions 0 to 3;
    a computed number is checked like the value of a `tensix.push`. The move is through NoC 0 unless
    `noc` says otherwise.

    `bytes` is the size of a page. With `length`, only so many bytes are moved. The base may include
    the offset of a part of the page.
  }];
  let arguments = (ins Index:$page, Index:$base, I32Attr:$bytes, OptionalAttr<I32Attr>:$length, Index:$l1,
                        Index:$transaction, OptionalAttr<I32Attr>:$noc);
  let assemblyFormat = "`page` $page `of` $base `bytes` $bytes (`length` $length^)? `" # preposition
                       # "` $l1 `transaction` $transaction (`noc` $noc^)? attr-dict";
}

def Tensix_NocReadOp : Tensix_NocMove<"noc_read", "to"> {
  let summary = "Start to copy a page of a tensor from DRAM to L1";
}

def Tensix_NocWriteOp : Tensix_NocMove<"noc_write", "from"> {
  let summary = "Start to copy a page of a tensor from L1 to DRAM";
}

def Tensix_NocSendOp : Tensix_Op<"noc_send", [VerifiedInRust]> {
  let summary = "Start to copy bytes from L1 to the L1 of another tile of the cluster";
  let description = [{
    The bytes have arrived when `tensix.noc_wait` of the transaction returns; there is no other
    ordering guarantee. `of` takes a `peer` argument. A `broadcast` takes a `group` argument and
    copies to all other tiles of the group.
  }];
  let arguments = (ins I32Attr:$bytes, Index:$from, Index:$to, Index:$peer, Index:$transaction,
                       OptionalAttr<I32Attr>:$noc, UnitAttr:$broadcast);
  let assemblyFormat = [{
    `bytes` $bytes `from` $from `to` $to `of` $peer `transaction` $transaction (`noc` $noc^)? (`broadcast` $broadcast^)?
    attr-dict
  }];
}

def Tensix_NocPostOp : Tensix_Op<"noc_post", [VerifiedInRust]> {
  let summary = "Start to increment a counter in the L1 of another tile of the cluster";
  let description = [{
    `of` takes a `peer` or `leader` argument. A `broadcast` takes a `group` argument and increments
    the counter in all tiles of the group, this one included.
  }];
  let arguments = (ins I32Attr:$counter, Index:$peer, Index:$transaction, OptionalAttr<I32Attr>:$noc,
                       UnitAttr:$broadcast);
  let assemblyFormat = [{
    `counter` $counter `of` $peer `transaction` $transaction (`noc` $noc^)? (`broadcast` $broadcast^)? attr-dict
  }];
}

def Tensix_NocWaitOp : Tensix_Op<"noc_wait", [VerifiedInRust]> {
  let summary = "Wait until all moves of a transaction have completed: reads have arrived, writes are acknowledged";
  let description = [{
    The NIU counts the outstanding responses of a transaction in 8 bits. A broadcast counts up once,
    but the response of each of its targets counts down. After broadcasts, `until` is the count
    that is left when all responses have arrived.
  }];
  let arguments = (ins Index:$transaction, Optional<Index>:$until, OptionalAttr<I32Attr>:$noc);
  let assemblyFormat = "`transaction` $transaction (`until` $until^)? (`noc` $noc^)? attr-dict";
}

def Tensix_LoadL1Op : Tensix_Op<"load_l1", [VerifiedInRust]> {
  let summary = "Load a word, or a half word, from the L1 of the tile";
  let description = [{
    `bytes` is 4 or 2; a half word is zero-extended. Data that the NoC moved is visible after
    `tensix.noc_wait` of its transaction.

    ```mlir
    %element = tensix.load_l1 %address bytes 2
    ```
  }];
  let arguments = (ins Index:$address, I32Attr:$bytes);
  let results = (outs Index:$result);
  let assemblyFormat = "$address `bytes` $bytes attr-dict";
}

def Tensix_StoreL1Op : Tensix_Op<"store_l1", [VerifiedInRust]> {
  let summary = "Store a word, or its lower half, to the L1 of the tile";
  let description = [{
    Other agents see the store only after a `tensix.settle_l1`.

    ```mlir
    tensix.store_l1 %element to %address bytes 2
    ```
  }];
  let arguments = (ins Index:$value, Index:$address, I32Attr:$bytes);
  let assemblyFormat = "$value `to` $address `bytes` $bytes attr-dict";
}

def Tensix_SettleL1Op : Tensix_Op<"settle_l1", [VerifiedInRust]> {
  let summary = "Wait until all earlier stores to L1 are visible; clears the word at the address";
  let arguments = (ins Index:$address);
  let assemblyFormat = "$address attr-dict";
}

def Tensix_ReleaseOp : Tensix_Op<"release", [VerifiedInRust]> {
  let summary = "Wait for all pushed instructions, then start the other four cores";
  let assemblyFormat = "attr-dict";
}

#endif // TESSERA_TENSIX_PROGRAM_TD
