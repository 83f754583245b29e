// Types and attributes of the mncore dialect.

#ifndef TESSERA_MNCORE_TYPES_TD
#define TESSERA_MNCORE_TYPES_TD

include "mncore/Dialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def Mncore_ValueType : TypeDef<Mncore_Dialect, "Value"> {
  let mnemonic = "value";
  let summary = "What an instruction hands to others of the same iteration: four words of each PE, one a cycle";
  let description = [{
    How wide the words are and where they may lie stands where the value is written.
  }];
}

def Mncore_PlaceAttr : AttrDef<Mncore_Dialect, "Place"> {
  let mnemonic = "place";
  let summary = "A place in a memory, affine in the indices of the loops around";
  let description = [{
    The memory is named as in the assembler, without `$`. `v` behind a place in a PE is what each cycle adds to the address: without
    a number, the width of the access. In MV instructions `group` and `l2b` say whose memory it is. A ring is a sum modulo its
    size, perhaps with a beginning behind it.

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
