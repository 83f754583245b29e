// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error@below {{Memory layout is not allowed for SystemMemory buffer type.}}
module attributes {ttcore.x = #ttnn.memory_config<#ttnn.buffer_type<system_memory>, <interleaved>>} {}

// -----

// expected-error@below {{Memory layout is required for non-SystemMemory buffer type.}}
module attributes {ttcore.x = #ttnn.memory_config<#ttnn.buffer_type<l1>>} {}

// -----

// expected-error@below {{Sharding is only valid for L1 or DRAM buffer type}}
module attributes {ttcore.x = #ttnn.memory_config<#ttnn.buffer_type<trace>, <width_sharded>, #ttnn.shard_spec<#ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,0)>]>, <32x32>, <row_major>>>} {}

// -----

// expected-error@below {{Sharding is only valid for block sharded, height sharded, or width sharded tensor memory layout}}
module attributes {ttcore.x = #ttnn.memory_config<#ttnn.buffer_type<l1>, <interleaved>, #ttnn.shard_spec<#ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,0)>]>, <32x32>, <row_major>>>} {}

// -----

// expected-error@below {{BlockSharded layout is not supported for DRAM buffer type; use WidthSharded, HeightSharded or Interleaved}}
module attributes {ttcore.x = #ttnn.memory_config<#ttnn.buffer_type<dram>, <block_sharded>, #ttnn.shard_spec<#ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,0)>]>, <32x32>, <row_major>>>} {}

// -----

// expected-error@below {{Start coordinates #ttnn.core_coord<1, 0> must be less than or equal to end coordinates #ttnn.core_coord<0, 3>}}
module attributes {ttcore.x = #ttnn.core_range<(1,0), (0,3)>} {}

// -----

// expected-error@below {{Core ranges overlap: #ttnn.core_range<(0,0), (2,2)> and #ttnn.core_range<(2,1), (3,3)>}}
module attributes {ttcore.x = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (2,2)>, #ttnn.core_range<(5,5), (6,6)>, #ttnn.core_range<(2,1), (3,3)>]>} {}

// -----

// expected-error@below {{expected 2 extents, got 3}}
module attributes {ttcore.x = #ttnn<mesh_shape 1x2x3>} {}
