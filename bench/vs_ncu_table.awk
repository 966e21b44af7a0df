# Lines "KERNEL AND SIZES;WHICH;CACHE;METRIC;OURS;THEIRS;CASE" to a table with differences and verdicts,
# or with -v json=1 to JSON. Alike: within 2 % or 1 point; hit rates, and times of kernels under
# 20 us, within 5 %; ncu prints two decimals.
BEGIN { FS = ";" }

function is_percent(metric) {
  return metric ~ /throughput|occupancy|efficiency|hit_rate/
}

function verdict(metric, ours, theirs,    difference, allowed) {
  if (ours == "null" || theirs == "null") return ours == theirs ? "neither" : "one only"
  difference = ours > theirs ? ours - theirs : theirs - ours
  if (is_percent(metric) && difference <= 1) return "alike"
  allowed = metric == "l2_hit_rate" || (metric == "duration" && theirs < 20000) ? 0.05 : 0.02
  return difference <= allowed * theirs + 0.005 ? "alike" : "DIFFERENT"
}

function number(value) {
  if (value == "null") return "-"
  return value >= 1e6 ? sprintf("%.6g", value) : sprintf("%.5g", value)
}

function difference_text(ours, theirs) {
  if (ours == "null" || theirs == "null") return ""
  if (theirs == 0) return ours == 0 ? "0" : "from 0"
  return sprintf("%+.2f %%", (ours / theirs - 1) * 100)
}

{
  if ($5 != "null") $5 += 0
  if ($6 != "null") $6 += 0
  is = verdict($4, $5, $6)
  ++count[is]
  if (json) {
    rows = rows (rows == "" ? "" : ",\n") sprintf( \
      "  {\"problem\": \"%s\", \"kernel\": \"%s\", \"l2\": \"%s\", \"metric\": \"%s\", " \
      "\"gtune\": %s, \"ncu\": %s, \"verdict\": \"%s\"}", $1, $2, $3, $4, \
      $5 == "null" ? $5 : sprintf("%.10g", $5), $6 == "null" ? $6 : sprintf("%.10g", $6), is)
    next
  }
  if ($1 $2 $3 $7 != before) {
    printf "\n%s  %s, L2 %s\n  %-20s %14s %14s %12s\n", $1, $2 == "best" ? "tuned" : $2, $3, \
           "metric", "gtune", "ncu", "difference"
    ++kernels
  }
  before = $1 $2 $3 $7
  printf "  %-20s %14s %14s %12s  %s\n", $4, number($5), number($6), difference_text($5, $6), is
}

END {
  if (json) { printf "[\n%s\n]\n", rows; exit }
  printf "\n%d kernels:", kernels
  for (is in count) printf " %d %s;", count[is], is
  print ""
}
