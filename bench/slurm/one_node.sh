# For scripts that source it: a Slurm of one node on this machine, in a scratch folder. Needs root and
# Debian's packages, but no GPU. Set `work` first: a folder that every user may enter.
slurm_packages=(slurmctld slurmd slurm-client munge jq procps)
slurm_tools=(slurmctld slurmd srun squeue munged jq pgrep)
export PATH=$PATH:/usr/sbin

# require_tools PACKAGES TOOLS: exits 2 if a tool is missing. Both are names separated by spaces.
require_tools() {
  local tool
  for tool in $2; do
    command -v "$tool" >/dev/null ||
      { echo "no $tool here: apt-get install $1, or --install" >&2; exit 2; }
  done
}

start_munge() {
  mkdir "$work/munge"
  chown munge "$work/munge"
  setpriv --reuid munge --clear-groups mungekey -c -k "$work/munge/key"
  setpriv --reuid munge --clear-groups munged --force --key-file "$work/munge/key" \
    --socket "$work/munge/socket" --pid-file "$work/munge/munged.pid" \
    --log-file "$work/munge/log" --seed-file "$work/munge/seed"
}

# Two partitions share the node: jobs in `urgent` preempt those in `all`, which Slurm then requeues.
write_slurm_conf() {
  local host
  host=$(hostname -s)
  cat >"$SLURM_CONF" <<CONF
ClusterName=scratch
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket,cred_expire=5
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=5
SlurmUser=root
SlurmdUser=root
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
MpiDefault=none
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=1000
PartitionName=all Nodes=$host Default=YES State=UP PriorityTier=1
PartitionName=urgent Nodes=$host State=UP PriorityTier=2
CONF
}

# Starts the daemons and waits for the node.
start_slurm() {
  local waited
  export SLURM_CONF=$work/slurm.conf
  chmod 711 "$work" # munge's socket is in it
  start_munge
  mkdir "$work/state" "$work/spool"
  write_slurm_conf
  slurmctld
  slurmd
  for ((waited = 0; waited < 100; ++waited)); do
    [ "$(sinfo -h -p all -o %t)" != idle ] || return 0
    sleep 0.2
  done
  echo "the node does not come up:" >&2
  cat "$work"/slurm*.log >&2
  exit 1
}

# stop_daemons PID_FILES...: ends the daemons of these files and those of Slurm.
stop_daemons() {
  local file
  for file in "$@" "$work"/{slurmctld,slurmd,munge/munged}.pid; do
    if [ -s "$file" ]; then kill "$(cat "$file")" 2>/dev/null || true; fi
  done
}
