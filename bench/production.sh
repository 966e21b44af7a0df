#!/usr/bin/env bash
# Compares the production example, on sizes that were not tuned, with tuning each of them and with cuBLAS.
# Usage: bench/production.sh GTUNE PRODUCTION_SGEMM OUTPUT_FOLDER [BUDGET_PER_SIZE]
# GTUNE_DB, if set, names the database that keeps the results; it should be new.
# PRODUCTION_SGEMM: examples/production built with -DWITH_CUBLAS=ON and exports of db/shipped.db.
set -euo pipefail
gtune=$1
production=$2
out=$3
budget=${4:-6s}
scratch=$(mktemp -d)
export GTUNE_DB=${GTUNE_DB:-$scratch/gtune.db} GTUNE_CACHE=$scratch/cache

# Runs twice, before and after the tuning; times are the means of the two.
# A wrong product (exit code 1) is reported below.
"$production" --csv >"$scratch/before.csv" || [ $? -eq 1 ]
awk -F, 'NR == 1 { print "M,N,K" } NR > 1 { print $1 "," $2 "," $3 }' "$scratch/before.csv" \
  >"$scratch/sizes.csv"
"$gtune" sgemm --shapes "$scratch/sizes.csv" --device 0 --budget "$budget" --profile off --quiet \
  >/dev/null
"$production" --csv >"$scratch/after.csv" || [ $? -eq 1 ]

{
  echo "command: bench/production.sh $*"
  echo "date:    $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  "$gtune" devices
  # The first line of each file names its columns.
  awk -F, '
    FNR == 1 { ++file; for (i = 1; i <= NF; ++i) column[file, $i] = i; next }
    { size = $column[file, "M"] " x " $column[file, "N"] " x " $column[file, "K"] }
    file <= 2 {
      ms[size] += $column[file, "ms"] / 2
      cublas[size] += $column[file, "cublas_ms"] / 2
      variant[size] = $column[file, "variant"]
      if ($column[file, "check"] != "right") wrong = 1
      if (file == 1) order[++count] = size
    }
    file == 3 { tuned[size] = $column[file, "median_ms"] }
    END {
      printf "%-22s %8s %12s %12s %8s %12s %10s\n", "M x N x K", "variant", "ms", "tuned ms",
        "loss", "cuBLAS ms", "of cuBLAS"
      for (i = 1; i <= count; ++i) {
        s = order[i]
        printf "%-22s %8d %12.5f %12.5f %6.2f %% %12.5f %10.3f\n", s, variant[s], ms[s], tuned[s],
          (ms[s] / tuned[s] - 1) * 100, cublas[s], cublas[s] / ms[s]
        loss += log(ms[s] / tuned[s]); gain += log(cublas[s] / ms[s]); used[variant[s]] = 1
      }
      for (v in used) ++variants
      printf "geometric mean: loss %.2f %%, %.3f of cuBLAS, with %d of its variants; results %s\n",
        (exp(loss / count) - 1) * 100, exp(gain / count), variants, wrong ? "WRONG" : "right"
    }' "$scratch/before.csv" "$scratch/after.csv" \
    <("$gtune" query sgemm --all --csv)
} 2>&1 | tee "$out/production.txt"
rm -rf "$scratch"
! grep -q "results WRONG" "$out/production.txt"
