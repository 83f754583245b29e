// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error@+1 {{'ttcore.device_module' op Expected exactly one block}}
ttcore.device_module {
  builtin.module {}
  builtin.module {}
}

// -----

// expected-error@+1 {{'ttcore.device_module' op Expected exactly one ModuleOp but found 0}}
ttcore.device_module {
  func.func private @f()
}

// -----

// expected-error@+1 {{expected 2D shape}}
func.func private @f(memref<1x!ttcore.tile<32, bf16>>)

// -----

// expected-error@+1 {{expected positive tile extents}}
func.func private @f(memref<1x!ttcore.tile<0x32, bf16>>)

// -----

// expected-error@+1 {{chip description index 1 is out of range, there are 1}}
module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 103712, erisc_l1_unreserved_base = 98304, dram_unreserved_base = 64, dram_unreserved_end = 1073119552, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [4x16, 32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0)], dram_bank_to_logical_worker_noc1 = [(7, 3)]}], [1], [1 : i32], [0x0x0x0]>} {}

// -----

// expected-error@+1 {{expected as many capabilities and coordinates as chips (1), got 1 and 2}}
module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 103712, erisc_l1_unreserved_base = 98304, dram_unreserved_base = 64, dram_unreserved_end = 1073119552, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [4x16, 32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0)], dram_bank_to_logical_worker_noc1 = [(7, 3)]}], [0], [1 : i32], [0x0x0x0, 0x0x0x1]>} {}
