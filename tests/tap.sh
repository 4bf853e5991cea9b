# shellcheck shell=bash
# Sourced by the test scripts: says TAP (testanything.org) and runs the program in a scratch folder, which is the current one
# from here on and goes at the end.

program=$(realpath "${BUILD:-build}/diskbench") || exit 1
rig=$(realpath tests/rig) || exit 1
scratch=$(mktemp -d -p "${TMPDIR:-/var/tmp}" diskbench-test.XXXXXX) || exit 1
chmod 755 "$scratch"
cd "$scratch" || exit 1
tests=0 failures=0

# Commands to run at the end, the last one first, whatever happened.
export RIG_DIR=$scratch/rig
cleanups=("${rig@Q} down")
clean_up() {
	# Not in a copy of the shell that a signal hits before it becomes another program.
	[ "$BASHPID" = $$ ] || return
	trap '' INT TERM HUP
	for ((i = ${#cleanups[@]} - 1; i >= 0; i--)); do eval "${cleanups[i]}" >/dev/null 2>&1; done
	cd / && rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

# said RESULT SENTENCE
said() {
	tests=$((tests + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
		failures=$((failures + 1))
	fi
	return "$1"
}

# is SENTENCE GOT WANTED
is() {
	[ "$2" == "$3" ]
	said $? "$1" || printf '# got:    %s\n# wanted: %s\n' "${2//$'\n'/$'\n'#         }" "${3//$'\n'/$'\n'#         }"
}

# like SENTENCE GOT PATTERN: an extended regular expression for some of it.
like() {
	[[ $2 =~ $3 ]]
	said $? "$1" || printf '# got:     %s\n# pattern: %s\n' "${2//$'\n'/$'\n'#          }" "$3"
}

unlike() {
	! [[ $2 =~ $3 ]]
	said $? "$1" || printf '# got:         %s\n# not wanted:  %s\n' "${2//$'\n'/$'\n'#              }" "$3"
}

# skip SENTENCE REASON
skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# has TOOL...: are they all there?
has() { command -v "$@" >/dev/null && [ "$(command -v "$@" | wc -l)" -eq $# ]; }

# run ARGUMENT...: then status, and out and err both as files and as variables.
run() {
	"$program" "$@" >out 2>err
	status=$?
	collect_output
}
collect_output() { out=$(<out) err=$(<err); }

# refused SENTENCE STATUS MESSAGE ARGUMENT...: nothing but this one line on stderr.
refused() {
	run "${@:4}"
	is "$1" "$status|$out|$err" "$2||diskbench: $3"
}

# column NAME [FILE]: of a CSV report without quoted commas, one value a line.
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "${2:-out}"
}

# wait_for COMMAND...: until it succeeds, five seconds at the most.
wait_for() {
	for ((i = 0; i < 500; i++)); do
		"$@" && return
		sleep 0.01
	done
	return 1
}

# disk NAME KIND: the variable NAME becomes a disk of tests/rig, until the end. Fails where there can be none, which reason explains.
disk() {
	local path made

	path=$("$rig" up "$2" 2>rig.err)
	made=$? reason=$(<rig.err)
	[ $made -eq 0 ] || [ $made -eq 77 ] || said 1 "a disk is made: $2" || echo "# $reason"
	[ $made -eq 0 ] && printf -v "$1" %s "$path"
}

finish() {
	echo "1..$tests"
	[ "$failures" -eq 0 ]
	exit
}
