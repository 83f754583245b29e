// Types and attributes of the mncore dialect.

#ifndef TESSERA_MNCORE_TYPES_TD
#define TESSERA_MNCORE_TYPES_TD

include "mncore/Dialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def Mncore_ValueType : TypeDef<Mncore_Dialect, "Value"> {
  let mnemonic = "value";
  let summary = "A value that an instruction passes to others of the same iteration: four words per PE, one per cycle";
  let description = [{
    The instruction that writes the value specifies the width of the words and where they may be
    stored.
  }];
}

def Mncore_PlaceAttr : AttrDef<Mncore_Dialect, "Place"> {
  let mnemonic = "place";
  let summary = "A place in a memory, affine in the indices of the loops around";
  let description = [{
    The memory is named as in the assembler, without `$`. `v` after a place in a PE is the address
    increment per cycle: without a number, the width of the access. In MV instructions, `group` and
    `l2b` select the memory's owner. A ring buffer is a sum modulo its size, optionally plus a base.

    ```mlir
    #mncore.place<lm[16 + 8 * i1]v>
    #mncore.place<llr[0]>
    #mncore.place<lb[(4 + 32 * i0) mod 64 + 4096]>
    #mncore.place<lc[64 * i0] group 2 l2b 1>
    ```
  }];
  let parameters = (ins StringRefParameter<"as in the assembler, without $">:$memory, "int64_t":$offset, "int64_t":$base,
                        ArrayRefParameter<"int64_t">:$steps, "int64_t":$ring, "int64_t":$stride, "int64_t":$group,
                        "int64_t":$l2b);
  let hasCustomAssemblyFormat = 1;
}

#endif // TESSERA_MNCORE_TYPES_TD
