// What the operations of the pto dialect have in common.

#ifndef TESSERA_PTO_BASE_TD
#define TESSERA_PTO_BASE_TD

include "Forward.td"
include "pto/Types.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PTO_Op<string mnemonic, list<Trait> traits = []> : Op<PTO_Dialect, mnemonic, traits>;

// What happens in an order that no pass may change.
def PTO_Ordered : TraitList<[MemoryEffects<[MemRead, MemWrite]>]>;

#endif // TESSERA_PTO_BASE_TD
