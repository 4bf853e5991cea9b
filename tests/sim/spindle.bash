# shellcheck shell=bash
# Sourced: simulated spinning disks as block devices. Needs root, nbdkit, nbdfuse, loop devices and the plugin, which
# "make check" builds where nbdkit's headers are (BUILD: the build folder).
#
#     spindle_lacks                          prints what is missing, or nothing
#     spindle_up FOLDER [KEY=VALUE]...       prints the devices, one a line; "truth --help" knows the keys
#     spindle_down FOLDER                    takes them down, from any process
#     spindle_hurried COMMAND...             runs it ahead of whoever else is busy here, where that is allowed
#
# FOLDER is made, and goes with the disks. Meanwhile FOLDER/log.csv has a line for every read that is over: its model's times,
# and how late it was answered. Each disk is an export of one nbdkit, seen as a file through nbdfuse, seen as a disk through a
# loop device.

spindle_build=$(realpath "${BUILD:-build}")/tests/sim

spindle_lacks() {
	local tool

	[ "$(id -u)" -eq 0 ] || { echo "not root" && return; }
	# What is linked only without them.
	[ -e "$spindle_build/../short" ] || { echo "sanitizers take too much of the time that is measured" && return; }
	[ -e "$spindle_build/spindle.so" ] || { echo "nbdkit's headers are not installed" && return; }
	for tool in nbdkit nbdfuse fusermount3 losetup; do
		command -v "$tool" >/dev/null || { echo "$tool is not installed" && return; }
	done
	[ -c /dev/fuse ] || { echo "no /dev/fuse" && return; }
	losetup -f >/dev/null 2>&1 || echo "no loop devices here"
}

# spindle_wait COMMAND...: until it succeeds, ten seconds at the most.
spindle_wait() {
	local i

	for ((i = 0; i < 1000; i++)); do
		"$@" 2>/dev/null && return
		sleep 0.01
	done
	return 1
}

spindle_hurried() {
	if chrt -f 1 true 2>/dev/null; then exec chrt -f 1 "$@"; else exec "$@"; fi
}

spindle_up() {
	local folder=$1 disks i device settings
	shift

	settings=$("$spindle_build/truth" "$@") && mkdir -p "$folder" || return
	folder=$(realpath "$folder")
	disks=$(sed -n 's/^disks=//p' <<<"$settings")
	(spindle_hurried nbdkit -t 4 -U "$folder/socket" -P "$folder/pid" "$spindle_build/spindle.so" log="$folder/log.csv" "$@" \
		</dev/null >/dev/null) || return
	for ((i = 0; i < disks; i++)); do
		mkdir "$folder/disk$i" || return
		spindle_hurried nbdfuse -r -C 16 "$folder/disk$i" "nbd+unix:///disk$i?socket=$folder/socket" </dev/null >/dev/null 2>&1 &
		spindle_wait test -f "$folder/disk$i/nbd" || return
		device=$(losetup -f --show -r --direct-io=on "$folder/disk$i/nbd") || return
		echo "$device" | tee -a "$folder/devices"
	done
}

spindle_unmounted() { ! mountpoint -q "$1"; }
spindle_ended() { ! kill -0 "$1"; }

spindle_down() {
	local folder=$1 device mount pid

	[ -d "$folder" ] || return 0
	if [ -e "$folder/devices" ]; then
		while read -r device; do losetup -d "$device"; done <"$folder/devices"
	fi
	for mount in "$folder"/disk*; do
		[ -d "$mount" ] || continue
		# The loop device may let its file go a little later.
		spindle_wait fusermount3 -u "$mount" || fusermount3 -uz "$mount"
		spindle_wait spindle_unmounted "$mount" && rmdir "$mount"
	done
	if pid=$(cat "$folder/pid" 2>/dev/null) && kill "$pid" 2>/dev/null; then
		spindle_wait spindle_ended "$pid" || kill -KILL "$pid"
	fi
	rm -f "$folder"/{devices,pid,socket,log.csv} && rmdir "$folder"
}
