// Programs with control flow: what the five RISC-V cores of a tile run. Included by Ops.td.

#ifndef TESSERA_TENSIX_PROGRAM_TD
#define TESSERA_TENSIX_PROGRAM_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tensix_ProgramOp : Tensix_Op<"program", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator, VerifiedInRust]> {
  let summary = "A program of one tile, with control flow";
  let description = [{
    A region for each RISC-V core: those of the threads (`unpack`, `math`, `pack`), and the two that move data (`read` is NC,
    `write` is B). Control flow is `scf.for` and `scf.if`, over `arith` operations on `index`, `i32` and `i1`; an `index` is a
    32-bit word here. What the regions hold in order they do in order; pushed instructions run asynchronously.

    `write` runs alone until its `tensix.release`. What it pushes before goes to thread 0 and is waited for; the other cores
    start then.

    `arguments` tensors, inputs first, are known by number. `work` is how many independent pieces of work there are: each tile that
    runs the program does a range of them (`tensix.argument first` and `last`).

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
                       I32Attr:$work);
  let regions = (region SizedRegion<1>:$unpack, SizedRegion<1>:$math, SizedRegion<1>:$pack, SizedRegion<1>:$read,
                        SizedRegion<1>:$write);
  let assemblyFormat = [{
    $sym_name `implements` $implements `on` $arch `arguments` $arguments `work` $work
    `unpack` $unpack `math` $math `pack` $pack `read` $read `write` $write attr-dict
  }];
}

def Tensix_ClusterOp : Tensix_Op<"cluster", [Symbol, VerifiedInRust]> {
  let summary = "Programs that run on neighbouring tiles at the same time";
  let description = [{
    Each of the `tiles` runs a `tensix.program`, all for the same pieces of work. A ring between two of them is the tile that pops, its
    counter of what is ready, the tile that pushes, its counter of what was freed; at the end both have counted the same.

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
  let summary = "Code that implements another kernel, too";
  let description = [{
    `code` names the `tensix.program` or `tensix.cluster` that a kernel was lowered to before, and that this kernel would be lowered
    to again: kernels over tensors of different shapes may differ in nothing that code depends on.

    ```mlir
    tensix.alias @k_tensix implements @k of @j_tensix
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$implements, FlatSymbolRefAttr:$code);
  let assemblyFormat = "$sym_name `implements` $implements `of` $code attr-dict";
}

def Tensix_PushOp : Tensix_Op<"push", [VerifiedInRust]> {
  let summary = "Push an instruction of which one operand is computed";
  let description = [{
    The word is that of the constant operands, with the value or-ed to it from the lowest bit of the named field on. Fields that
    lie next to each other are one if their names are joined by points, the highest first.

    The value is no larger than its field can hold, and less than what `below` says, if it does. Where that does not follow from the
    constants, loops and arguments that the value is computed from, the core compares before it pushes, and stops at an `ebreak`
    if it is not so.

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
  let summary = "A word that the tile is given with the program";
  let description = [{
    | | |
    |---|---|
    | `base 0` | where tensor 0 begins, in each DRAM bank |
    | `imm 17` | a number; programs that differ only in such numbers have the same code |
    | `first`, `last` | the first piece of work of this tile, and the one after its last |
    | `peer 1` | the upper half of NoC addresses in tile 1 of the cluster (`tensix.cluster`) |
  }];
  let arguments = (ins StrAttr:$kind, OptionalAttr<I64Attr>:$number);
  let results = (outs Index:$result);
  let assemblyFormat = "custom<Argument>($kind, $number) attr-dict";
}

def Tensix_AwaitOp : Tensix_Op<"await", [VerifiedInRust]> {
  let summary = "Wait until a counter in L1 has at least a value; counters wrap, so the difference counts";
  let arguments = (ins I32Attr:$counter, Index:$at_least);
  let assemblyFormat = "`counter` $counter `at_least` $at_least attr-dict";
}

class Tensix_NocMove<string mnemonic, string preposition> : Tensix_Op<mnemonic, [VerifiedInRust]> {
  let description = [{
    Page p lies in bank p mod banks, p div banks pages behind the base. The move is under way when this is done, and
    ends before `tensix.noc_wait` of its transaction does. A core has transactions 0 to 3; a computed number is made sure of as
    that of a `tensix.push` is.
  }];
  let arguments = (ins Index:$page, Index:$base, I32Attr:$bytes, Index:$l1, Index:$transaction);
  let assemblyFormat = "`page` $page `of` $base `bytes` $bytes `" # preposition # "` $l1 `transaction` $transaction attr-dict";
}

def Tensix_NocReadOp : Tensix_NocMove<"noc_read", "to"> {
  let summary = "Begin to copy a page of a tensor from DRAM to L1";
}

def Tensix_NocWriteOp : Tensix_NocMove<"noc_write", "from"> {
  let summary = "Begin to copy a page of a tensor from L1 to DRAM";
}

def Tensix_NocSendOp : Tensix_Op<"noc_send", [VerifiedInRust]> {
  let summary = "Begin to copy bytes from L1 to that of another tile of the cluster";
  let description = [{
    Arrives before `tensix.noc_wait` of its transaction is done, and in no order with anything else. `of` takes a `peer` argument.
  }];
  let arguments = (ins I32Attr:$bytes, Index:$from, Index:$to, Index:$peer, Index:$transaction);
  let assemblyFormat = "`bytes` $bytes `from` $from `to` $to `of` $peer `transaction` $transaction attr-dict";
}

def Tensix_NocPostOp : Tensix_Op<"noc_post", [VerifiedInRust]> {
  let summary = "Begin to add one to a counter in the L1 of another tile of the cluster";
  let arguments = (ins I32Attr:$counter, Index:$peer, Index:$transaction);
  let assemblyFormat = "`counter` $counter `of` $peer `transaction` $transaction attr-dict";
}

def Tensix_NocWaitOp : Tensix_Op<"noc_wait", [VerifiedInRust]> {
  let summary = "Wait until all moves of a transaction have ended: what was read has arrived, what was written is acknowledged";
  let arguments = (ins Index:$transaction);
  let assemblyFormat = "`transaction` $transaction attr-dict";
}

def Tensix_LoadL1Op : Tensix_Op<"load_l1", [VerifiedInRust]> {
  let summary = "Word, or half of one, in the L1 of the tile";
  let description = [{
    `bytes` is 4 or 2; a half is filled up with zeros. What the NoC brought is there once its transaction was waited for.

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
    Other agents see it after a `tensix.settle_l1` only.

    ```mlir
    tensix.store_l1 %element to %address bytes 2
    ```
  }];
  let arguments = (ins Index:$value, Index:$address, I32Attr:$bytes);
  let assemblyFormat = "$value `to` $address `bytes` $bytes attr-dict";
}

def Tensix_SettleL1Op : Tensix_Op<"settle_l1", [VerifiedInRust]> {
  let summary = "Wait until what was stored to L1 is there; a word of it, which becomes 0, tells when";
  let arguments = (ins Index:$address);
  let assemblyFormat = "$address attr-dict";
}

def Tensix_ReleaseOp : Tensix_Op<"release", [VerifiedInRust]> {
  let summary = "Wait for what was pushed, then let the other four cores start";
  let assemblyFormat = "attr-dict";
}

#endif // TESSERA_TENSIX_PROGRAM_TD
