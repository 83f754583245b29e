// The list of CPUs is missing.
module attributes {ttcore.system_desc = #ttcore.system_desc<[0]>} {}
