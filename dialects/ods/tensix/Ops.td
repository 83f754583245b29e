// Operations of the tensix dialect.
//
// The instructions themselves are not declared here: build.rs makes tensix/Instructions.td from the
// instruction table of runtime/isa-tensix. The operations below are what a thread's
// RISC-V core does besides pushing instructions.

#ifndef TESSERA_TENSIX_OPS_TD
#define TESSERA_TENSIX_OPS_TD

include "Forward.td"
include "tensix/Dialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Tensix_Op<string mnemonic, list<Trait> traits = []> : Op<Tensix_Dialect, mnemonic, traits>;

// An instruction that a thread pushes. Its operands are attributes that the instruction table gives
// names and widths; one that is left out is zero.
class Tensix_Instruction<string mnemonic> : Tensix_Op<mnemonic, [VerifiedInRust]> {
  let assemblyFormat = "custom<Operands>(attr-dict)";
}

include "tensix/Instructions.td"

def Tensix_KernelOp : Tensix_Op<"kernel", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator, VerifiedInRust]> {
  let summary = "A program of one core, as lists";
  let description = [{
    Four lists: the actions of the RISC-V cores of the threads unpack, math and pack, in order, and
    those of data movement. Pushed instructions execute asynchronously. The `arguments` tensors,
    inputs first, are referred to by number. `implements` names the kernel that it was lowered from,
    if any.

    ```mlir
    tensix.kernel @copy on "wormhole_b0" arguments 2 unpack {
      tensix.wait counter 0 at_least 1
      tensix.unpacr (last 1, ovrd_thread_id 1, set_dat_valid 1)
    } math {
    } pack {
    } dm {
      tensix.read argument 0 page 0 l1 98304
      tensix.post counter 0
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<FlatSymbolRefAttr>:$implements, StrAttr:$arch,
                       I32Attr:$arguments);
  let regions = (region SizedRegion<1>:$unpack, SizedRegion<1>:$math, SizedRegion<1>:$pack, SizedRegion<1>:$dm);
  let assemblyFormat = [{
    $sym_name (`implements` $implements^)? `on` $arch `arguments` $arguments
    `unpack` $unpack `math` $math `pack` $pack `dm` $dm attr-dict
  }];
}

def Tensix_StoreMopCfgOp : Tensix_Op<"store_mop_cfg", [VerifiedInRust]> {
  let summary = "Store to MopCfg; the expander must be idle";
  let arguments = (ins I32Attr:$index, I64Attr:$value);
  let assemblyFormat = "$index `,` $value attr-dict";
}

def Tensix_WaitMopOp : Tensix_Op<"wait_mop", [VerifiedInRust]> {
  let summary = "Wait until no MOP of this thread is pending";
  let assemblyFormat = "attr-dict";
}

def Tensix_WaitIdleOp : Tensix_Op<"wait_idle", [VerifiedInRust]> {
  let summary = "Wait until everything this thread pushed has completed";
  let assemblyFormat = "attr-dict";
}

def Tensix_StoreSemPostOp : Tensix_Op<"store_sempost", [VerifiedInRust]> {
  let summary = "Increment a semaphore by a store";
  let arguments = (ins I32Attr:$semaphore);
  let assemblyFormat = "$semaphore attr-dict";
}

def Tensix_StoreSemGetOp : Tensix_Op<"store_semget", [VerifiedInRust]> {
  let summary = "Decrement a semaphore by a store";
  let arguments = (ins I32Attr:$semaphore);
  let assemblyFormat = "$semaphore attr-dict";
}

def Tensix_PollSemOp : Tensix_Op<"poll_sem", [VerifiedInRust]> {
  let summary = "Poll a semaphore until it reaches a value";
  let arguments = (ins I32Attr:$semaphore, I32Attr:$at_least);
  let assemblyFormat = "$semaphore `at_least` $at_least attr-dict";
}

def Tensix_PostOp : Tensix_Op<"post", [VerifiedInRust]> {
  let summary = "Increment a counter in L1";
  let arguments = (ins I32Attr:$counter);
  let assemblyFormat = "`counter` $counter attr-dict";
}

def Tensix_WaitOp : Tensix_Op<"wait", [VerifiedInRust]> {
  let summary = "Wait until a counter in L1 reaches a value";
  let arguments = (ins I32Attr:$counter, I64Attr:$at_least);
  let assemblyFormat = "`counter` $counter `at_least` $at_least attr-dict";
}

class Tensix_MoveOp<string mnemonic> : Tensix_Op<mnemonic, [VerifiedInRust]> {
  let arguments = (ins I32Attr:$argument, I64Attr:$page, I64Attr:$l1);
  let assemblyFormat = "`argument` $argument `page` $page `l1` $l1 attr-dict";
}

def Tensix_ReadOp : Tensix_MoveOp<"read"> {
  let summary = "Copy one page of an argument from DRAM to L1";
}

def Tensix_WriteOp : Tensix_MoveOp<"write"> {
  let summary = "Copy one page of an argument from L1 to DRAM";
}

include "tensix/Program.td"

#endif // TESSERA_TENSIX_OPS_TD
