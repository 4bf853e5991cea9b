# shellcheck shell=bash
# Sourced by the benchmark scripts: contenders that take turns on one disk, A B C A B C. Ratios are taken within a round and their
# median over the rounds is printed: a shared machine drifts by tens of per cent. CPU time is that of all of a program's threads and
# processes, start and end included, over all reads that the kernel counted, probes and warm-up included.

measuring=$(($(nproc) - 1)) others=0 seconds=${seconds:-2}
work=$(mktemp -d "/var/tmp/$(basename "$0").XXXXXX")
zrams=() loops=() memory=()
declare -A rate user cpu

cleanup() {
	local number
	for number in "${zrams[@]}"; do
		echo 1 >"/sys/block/zram$number/reset" && echo "$number" >/sys/class/zram-control/hot_remove
	done
	[ ${#loops[@]} -eq 0 ] || losetup -d "${loops[@]}"
	rm -rf "$work" "${memory[@]}"
}

# add_zram MIB: random data is what zram cannot shrink.
add_zram() {
	local number
	number=$(cat /sys/class/zram-control/hot_add)
	zrams+=("$number")
	disk=zram$number
	echo "$1M" >"/sys/block/$disk/disksize"
	dd if=/dev/urandom of="/dev/$disk" bs=1M count="$1" iflag=fullblock oflag=direct status=none
}

reads_of() {
	local reads
	read -r reads _ <"/sys/block/$disk/stat"
	echo "$reads"
}

# Runs a program pinned to a processor, in real time so that others there do not disturb it, and keeps what CPU time it takes.
pinned() {
	{ TIMEFORMAT='%U %S' && time chrt -f 1 taskset -c "$@" 2>/dev/null; } 2>"$work/time"
}

# Runs a contender, a function that prints its reads a second, and appends its rate and its CPU time per read in ns.
contend() {
	local before after
	before=$(reads_of)
	rate[$1]+="$("$1") "
	after=$(reads_of)
	user[$1]+="$(awk -v reads=$((after - before)) '{ print $1 * 1e9 / reads }' "$work/time") "
	cpu[$1]+="$(awk -v reads=$((after - before)) '{ print ($1 + $2) * 1e9 / reads }' "$work/time") "
}

child_of() {
	tr -d ' ' <"/proc/$1/task/$1/children"
}

# The threads that are named after the disk, of the child of the program that a shell of ours runs, while they start.
pin_workers() {
	local child task name
	for _ in {1..20}; do
		sleep 0.02
		child=$(child_of "$(child_of "$1")") || continue
		for task in "/proc/$child/task"/*; do
			read -r name <"$task/comm" || continue
			[ "$name" != "$disk" ] || taskset -pc "$measuring" "${task##*/}" >/dev/null || true
		done
	done
}

# What diskbench, or another build of it, says of random 4k reads, with its worker alone on a processor and its other threads on
# another.
one_in_flight() {
	pinned "$others" "$1" -f csv -d "/dev/$disk" -m random -s 4k -w 0.5 -t "$seconds" >"$work/csv" &
	pin_workers $! 2>/dev/null
	wait $!
	rate_in_csv
}

rate_in_csv() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["requests_per_second"] }' "$work/csv"
}

# fio_random ENGINE DEPTH. norandommap: blocks are drawn as diskbench draws them, which is cheaper than fio's own way.
fio_random() {
	pinned "$measuring" fio --name=contest --filename="/dev/$disk" --readonly --rw=randread --bs=4k --ioengine="$1" \
		--iodepth="$2" --direct=1 --norandommap --time_based --runtime="$seconds" --output-format=terse --terse-version=3 |
		cut -d ';' -f 8
}

# All contenders named, so many rounds of them.
take_turns() {
	local round rounds=$1 contender
	shift
	for ((round = 1; round <= rounds; round++)); do
		printf '\rround %d of %d' "$round" "$rounds" >&2
		for contender in "$@"; do
			contend "$contender"
		done
	done
	printf '\r%20s\r' '' >&2
}

median() {
	tr ' ' '\n' | grep . | sort -g | awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

# A / B by rounds.
ratios() {
	paste <(tr ' ' '\n' <<<"$1") <(tr ' ' '\n' <<<"$2") | awk 'NF == 2 { printf "%.4f ", $1 / $2 }'
}

# Median, least and most.
spread() {
	local all
	all=$(tr ' ' '\n' | grep . | sort -g)
	echo "$(median <<<"$all") $(head -1 <<<"$all") $(tail -1 <<<"$all")"
}

# row FIGURE RELATION TARGET MEASURED NOTE
row() {
	local verdict=-
	[ -z "$2" ] || verdict=$(awk -v a="$4" -v b="$3" "BEGIN { print (a $2 b) ? \"met\" : \"MISSED\" }")
	printf '%-47s %8s %9.3f  %-7s %s\n' "$1" "${2:+$2 }$3" "$4" "$verdict" "${5:-}"
}

row_ratio() {
	local -a figure
	read -ra figure < <(ratios "$4" "$5" | spread)
	row "$1" "$2" "$3" "${figure[0]}" "${figure[1]%??} .. ${figure[2]%??}"
}

head_line() {
	printf '%s, %s, %s processors, %s rounds, load %s\n\n' "$(uname -sr)" "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" \
		"$(nproc)" "$1" "$(cut -d ' ' -f 1 /proc/loadavg)"
	printf '%-47s %8s %9s  %-7s %s\n' figure target measured verdict 'least .. most'
}

# needs TOOL...: root, zram and two processors too.
needs() {
	local tool
	if [ "$(id -u)" -ne 0 ] || [ ! -e /sys/class/zram-control ] || [ "$(nproc)" -lt 2 ]; then
		echo "$(basename "$0"): needs root, zram and two processors" >&2
		exit 1
	fi
	for tool in "$@"; do
		command -v "$tool" >/dev/null || { echo "$(basename "$0"): needs $tool; apt-get install $tool" >&2 && exit 1; }
	done
}

trap cleanup EXIT
trap 'exit 130' INT TERM HUP
