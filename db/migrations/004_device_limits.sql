-- gtune's database, version 4: limits of tensor cores and caches. NULL until measured, or if the device has none.

ALTER TABLE device ADD COLUMN tensor_tflops REAL;
ALTER TABLE device ADD COLUMN l2_gbps REAL;
ALTER TABLE device ADD COLUMN l1_gbps REAL;
