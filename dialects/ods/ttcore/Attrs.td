// Attributes of the ttcore dialect: the system a program is compiled for.

#ifndef TESSERA_TTCORE_ATTRS_TD
#define TESSERA_TTCORE_ATTRS_TD

include "ttcore/Dialect.td"
include "ttcore/Enums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class TTCore_Attr<string name, string attrMnemonic> : AttrDef<TTCore_Dialect, name> {
  let mnemonic = attrMnemonic;
}

class TTCore_EnumAttr<EnumAttrInfo info, string attrMnemonic> : EnumAttr<TTCore_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TTCore_ArchAttr : TTCore_EnumAttr<TTCore_Arch, "arch">;
def TTCore_DataTypeAttr : TTCore_EnumAttr<TTCore_DataType, "supportedDataTypes">;
def TTCore_ArgumentTypeAttr : TTCore_EnumAttr<TTCore_ArgumentType, "argument_type">;

def TTCore_GridAttr : TTCore_Attr<"Grid", "grid"> {
  let summary = "A grid of cores and how it maps to physical ones";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        OptionalParameter<"::mlir::AffineMap">:$virtToPhysicalMap,
                        OptionalParameter<"::mlir::AffineMap">:$physicalToVirtMap);
  let assemblyFormat = [{
    `<` custom<Dimensions>($shape)
    (`,` `virt_to_physical_map` `=` $virtToPhysicalMap^
     `,` `physical_to_virt_map` `=` $physicalToVirtMap)? `>`
  }];
}

// A pair printed as `16x32`; `y` before `x`.
class TTCore_PairAttr<string name, string attrMnemonic> : TTCore_Attr<name, attrMnemonic> {
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "custom<Extents>($y, $x)";
}

def TTCore_CoreCoordAttr : TTCore_PairAttr<"CoreCoord", "core_coord"> {
  let summary = "A core of the physical grid";
}

def TTCore_TileSizeAttr : TTCore_PairAttr<"TileSize", "tile_size"> {
  let summary = "A tile shape";
}

def TTCore_ChipDescAttr : TTCore_Attr<"ChipDesc", "chip_desc"> {
  let summary = "One chip: grid, memories (bytes), formats, tiles";
  let parameters = (ins "ArchAttr":$arch,
                        ArrayRefParameter<"int64_t">:$grid,
                        ArrayRefParameter<"int64_t">:$coordTranslationOffsets,
                        "unsigned":$l1Size,
                        "unsigned":$numDramChannels,
                        "unsigned":$dramChannelSize,
                        "unsigned":$nocL1AddressAlignBytes,
                        "unsigned":$pcieAddressAlignBytes,
                        "unsigned":$nocDRAMAddressAlignBytes,
                        "unsigned":$l1UnreservedBase,
                        "unsigned":$eriscL1UnreservedBase,
                        "unsigned":$dramUnreservedBase,
                        "unsigned":$dramUnreservedEnd,
                        ArrayRefParameter<"DataTypeAttr">:$supportedDataTypes,
                        ArrayRefParameter<"TileSizeAttr">:$supportedTileSizes,
                        "unsigned":$dstPhysicalSizeTiles,
                        "unsigned":$numCBs,
                        "unsigned":$numComputeThreads,
                        "unsigned":$numDatamovementThreads,
                        ArrayRefParameter<"int64_t">:$dramGrid,
                        ArrayRefParameter<"CoreCoordAttr">:$dramBankToLogicalWorkerNoc0,
                        ArrayRefParameter<"CoreCoordAttr">:$dramBankToLogicalWorkerNoc1);
  let assemblyFormat = [{
    `{` `arch` `=` $arch `,`
        `grid` `=` custom<Dimensions>($grid) `,`
        `coord_translation_offsets` `=` custom<Dimensions>($coordTranslationOffsets) `,`
        `l1_size` `=` $l1Size `,`
        `num_dram_channels` `=` $numDramChannels `,`
        `dram_channel_size` `=` $dramChannelSize `,`
        `noc_l1_address_align_bytes` `=` $nocL1AddressAlignBytes `,`
        `pcie_address_align_bytes` `=` $pcieAddressAlignBytes `,`
        `noc_dram_address_align_bytes` `=` $nocDRAMAddressAlignBytes `,`
        `l1_unreserved_base` `=` $l1UnreservedBase `,`
        `erisc_l1_unreserved_base` `=` $eriscL1UnreservedBase `,`
        `dram_unreserved_base` `=` $dramUnreservedBase `,`
        `dram_unreserved_end` `=` $dramUnreservedEnd `,`
        `supported_data_types` `=` `[` $supportedDataTypes `]` `,`
        `supported_tile_sizes` `=` `[` $supportedTileSizes `]` `,`
        `dst_physical_size_tiles` `=` $dstPhysicalSizeTiles `,`
        `num_cbs` `=` $numCBs `,`
        `num_compute_threads` `=` $numComputeThreads `,`
        `num_datamovement_threads` `=` $numDatamovementThreads `,`
        `dram_grid` `=` custom<Dimensions>($dramGrid) `,`
        `dram_bank_to_logical_worker_noc0` `=` custom<CoreCoords>($dramBankToLogicalWorkerNoc0) `,`
        `dram_bank_to_logical_worker_noc1` `=` custom<CoreCoords>($dramBankToLogicalWorkerNoc1) `}`
  }];
}

def TTCore_CPUDescAttr : TTCore_Attr<"CPUDesc", "cpu_desc"> {
  let summary = "One CPU of the system";
  let parameters = (ins "CPURole":$role, "::mlir::StringAttr":$targetTriple);
  let assemblyFormat = "`{` `role` `=` $role `,` `target_triple` `=` $targetTriple `}`";
}

def TTCore_ChipCoordAttr : TTCore_Attr<"ChipCoord", "chip_coord"> {
  let summary = "Where a chip sits";
  let parameters = (ins "unsigned":$rack, "unsigned":$shelf, "unsigned":$y, "unsigned":$x);
  let assemblyFormat = "custom<Extents>($rack, $shelf, $y, $x)";
}

def TTCore_SystemDescAttr : TTCore_Attr<"SystemDesc", "system_desc"> {
  let summary = "The CPUs and chips a program is compiled for";
  let description = [{
    Chip `i` of the system is described by `chipDescs[chipDescIndices[i]]`. Upstream's last list,
    the Ethernet channels between chips, is not here: programs run on one chip.
  }];
  let parameters = (ins ArrayRefParameter<"CPUDescAttr">:$cpuDescs,
                        ArrayRefParameter<"ChipDescAttr">:$chipDescs,
                        ArrayRefParameter<"unsigned">:$chipDescIndices,
                        ArrayRefParameter<"ChipCapabilityAttr">:$chipCapabilities,
                        ArrayRefParameter<"ChipCoordAttr">:$chipCoords);
  let assemblyFormat = [{
    `<` `[` $cpuDescs `]` `,` `[` $chipDescs `]` `,` `[` $chipDescIndices `]` `,` `[` $chipCapabilities `]` `,`
    `[` $chipCoords `]` `>`
  }];
  let genVerifyDecl = 1;
}

def TTCore_DeviceAttr : TTCore_Attr<"Device", "device"> {
  let summary = "The device a module runs on: grids, address maps, mesh";
  let parameters = (ins "GridAttr":$workerGrid,
                        "GridAttr":$dramGrid,
                        "::mlir::AffineMap":$l1Map,
                        "::mlir::AffineMap":$dramMap,
                        OptionalArrayRefParameter<"int64_t">:$meshShape,
                        ArrayRefParameter<"unsigned">:$chipIds);
  let assemblyFormat = [{
    `<` `workerGrid` `=` qualified($workerGrid) `,` `dramGrid` `=` qualified($dramGrid) `,`
        `l1Map` `=` $l1Map `,` `dramMap` `=` $dramMap `,`
        `meshShape` `=` custom<Dimensions>($meshShape) `,` `chipIds` `=` `[` $chipIds `]` `>`
  }];
}

#endif // TESSERA_TTCORE_ATTRS_TD
