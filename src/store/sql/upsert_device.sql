INSERT INTO device (name, uuid, replayed, compute_capability, sm_count, l2_bytes, memory_bytes,
                    max_sm_clock_mhz, max_memory_clock_mhz, facts, fma_tflops, tensor_tflops,
                    dram_gbps, l2_gbps, l1_gbps)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (uuid, replayed) DO UPDATE SET
  name = excluded.name,
  compute_capability = excluded.compute_capability,
  sm_count = excluded.sm_count,
  l2_bytes = excluded.l2_bytes,
  memory_bytes = excluded.memory_bytes,
  max_sm_clock_mhz = excluded.max_sm_clock_mhz,
  max_memory_clock_mhz = excluded.max_memory_clock_mhz,
  facts = excluded.facts,
  fma_tflops = excluded.fma_tflops,
  tensor_tflops = excluded.tensor_tflops,
  dram_gbps = excluded.dram_gbps,
  l2_gbps = excluded.l2_gbps,
  l1_gbps = excluded.l1_gbps
RETURNING id
