// Common definitions of the operations of the pto dialect.

#ifndef TESSERA_PTO_BASE_TD
#define TESSERA_PTO_BASE_TD

include "Forward.td"
include "pto/Types.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PTO_Op<string mnemonic, list<Trait> traits = []> : Op<PTO_Dialect, mnemonic, traits>;

// Operations that no pass may reorder, merge or erase.
def PTO_Ordered : TraitList<[MemoryEffects<[MemRead, MemWrite]>]>;

#endif // TESSERA_PTO_BASE_TD
