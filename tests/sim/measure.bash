# shellcheck shell=bash
# Sourced, after spindle.bash: runs of diskbench --order scale on simulated disks, and what they say.
#
#     measure_disks FOLDER OPTION... -- KEY=VALUE...
#                            leaves the report in report.json, the constants of the disks in constants and what they answered in log
#     report_steps           of the models: "disks bytes measured predicted error verdict", rates in bytes a second, error in percent
#     report_mean KEY        of the disks alone: the mean of a figure
#     report_value KEY       the first value of that name
#     constant KEY           of the disks
#     worst_delay            the largest share of a cell, in percent, for which the machine kept reader or disk from going on
#
# And for tests, with tap.sh, after delay=$(worst_delay):
#
#     judge SENTENCE CONDITION [DELAY]         of awk. One that fails on a machine that was busy elsewhere for more than DELAY percent (5)
#                                              of a cell shows nothing, and is skipped
#     within SENTENCE GOT WANTED PERCENT       likewise, for more than half of PERCENT
#
# diskbench, the variable: the program.

measure_disks() {
	local folder=$1 options=() disks
	shift

	while [ "$1" != -- ]; do options+=("$1") && shift; done
	shift
	spindle_up "$folder" "$@" >devices || return
	mapfile -t disks <devices
	"$spindle_build/truth" "$@" >constants
	# shellcheck disable=SC2154
	(spindle_hurried "$diskbench" --order scale --seed 1 -w 0.1 -f json "${options[@]}" "${disks[@]}") >report.json
	mv "$folder/log.csv" log
	spindle_down "$folder"
}

report_value() { grep -oE "\"$1\": [^,}]+" report.json | head -n 1 | sed 's/.*: //'; }

report_mean() {
	grep -oE "\"$1\": [^,}]+" report.json | awk '{ sum += $2 } END { printf "%.0f\n", sum / NR }'
}

report_steps() {
	sed -nE 's/.*"mode": "random".*"block_bytes": ([0-9]+).*"disks": ([0-9]+), .*"bytes_per_second": ([^,]+), "alone".*"predicted": ([0-9][^,]*), "error_percent": ([^,]+),.*"verdict": "([a-z]+)".*/\2 \1 \3 \4 \5 \6/p' report.json
}

constant() { sed -n "s/^$1=//p" constants; }

# A reader that is held up for longer than the way to the disk and back leaves its disk idle; an answer that is late leaves its reader
# idle. Reads of one size and disk, one after another, are of one cell.
worst_delay() {
	sort -t, -k8n log | awk -F, '
		function close_cell(disk) { if (span[disk] > 0.3e9 && delay[disk] / span[disk] > worst) worst = delay[disk] / span[disk] }
		$3 != bytes[$1] { close_cell($1); bytes[$1] = $3; delay[$1] = span[$1] = 0; over[$1] = $4 }
		{ delay[$1] += ($4 > over[$1] ? $4 - over[$1] : 0) + $9; span[$1] += $8 - over[$1]; over[$1] = $8 }
		END { for (disk in bytes) close_cell(disk); printf "%.1f\n", 100 * worst }'
}

judge() {
	if awk "BEGIN { exit !($2) }"; then
		said 0 "$1"
	elif awk "BEGIN { exit !($delay > ${3:-5}) }"; then
		skip "$1" "this machine was busy elsewhere for $delay % of a cell: $2"
	else
		said 1 "$1" || echo "# $2"
	fi
}

within() {
	echo "# $1: $2, known to be $3"
	judge "$1" "$2 >= $3 * (1 - $4 / 100) && $2 <= $3 * (1 + $4 / 100)" \
		"$4 / 2"
}
