/* Who a disk is, read from trees as real machines have them. */
#include "test.h"

#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/identity.h"
#include "fake_sysfs.h"

#define PCI "/sys/devices/pci0000:00/"
#define SATA PCI "0000:00:17.0/ata2/host1/target1:0:0/1:0:0:0"
#define SAS PCI "0000:00:02.0/0000:03:00.0/host1/port-1:0/expander-1:0/port-1:0:3/end_device-1:0:3/target1:0:3/1:0:3:0"
#define USB PCI "0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0"
#define NVME PCI "0000:00:1d.0/0000:3d:00.0"
#define VIRTIO PCI "0000:00:02.0/virtio1"
#define VIRTUAL "/sys/devices/virtual/block"

static const char sata_disk[] =
	"/sys/class/ata_link/link2/sata_spd=6.0 Gbps\n"
	"/sys/class/ata_link/link1/sata_spd=1.5 Gbps\n"
	"device->" SATA "\n"
	SATA "/vendor=ATA     \n"
	SATA "/model=ST4000DM004-2CV1\n"
	SATA "/wwid=naa.5000c500a1b2c3d4\n"
	PCI "0000:00:17.0/current_link_speed=8.0 GT/s PCIe\n"
	PCI "0000:00:17.0/current_link_width=4\n"
	"queue/rotational=1\n"
	"queue/max_sectors_kb=1280\n"
	"queue/scheduler=none [mq-deadline] kyber\n";

static const struct machine {
	const char *folder, *lines;
	const char *name, *id, *model, *scheduler, *link;
	enum kind kind;
	uint32_t max_read_bytes;
} machine[] = {
	{ SATA "/block/sda", sata_disk, "sda", "naa.5000c500a1b2c3d4", "ST4000DM004-2CV1", "mq-deadline", "6.0 Gbps", KIND_HDD,
	  1280 * 1024 },
	{ SAS "/block/sdb",
	  "device->" SAS "\n"
	  SAS "/vendor=SEAGATE \n" SAS "/model=ST600MM0006     \n" SAS "/wwid=naa.5000c5007f3e2a1b\n"
	  PCI "0000:00:02.0/0000:03:00.0/host1/port-1:0/phy-1:0/sas_phy/phy-1:0/negotiated_linkrate=12.0 Gbit\n"
	  PCI "0000:00:02.0/0000:03:00.0/host1/port-1:0/expander-1:0/phy-1:0:3/sas_phy/phy-1:0:3/negotiated_linkrate=6.0 Gbit\n"
	  PCI "0000:00:02.0/0000:03:00.0/host1/port-1:0/expander-1:0/port-1:0:3/phy-1:0:3->"
	  PCI "0000:00:02.0/0000:03:00.0/host1/port-1:0/expander-1:0/phy-1:0:3\n"
	  "queue/rotational=1\nqueue/scheduler=[none] mq-deadline\n",
	  "sdb", "naa.5000c5007f3e2a1b", "SEAGATE ST600MM0006", "none", "6.0 Gbit", KIND_HDD, 0 },
	{ USB "/block/sdc",
	  "device->" USB "\n"
	  USB "/vendor=SanDisk \n" USB "/model=Ultra Fit       \n"
	  PCI "0000:00:14.0/usb2/2-1/bDeviceClass=00\n" PCI "0000:00:14.0/usb2/2-1/speed=5000\n"
	  PCI "0000:00:14.0/usb2/bDeviceClass=09\n" PCI "0000:00:14.0/usb2/speed=10000\n"
	  "queue/rotational=0\nqueue/scheduler=mq-deadline kyber [bfq] none\n",
	  "sdc", "", "SanDisk Ultra Fit", "bfq", "USB 5000 Mb/s", KIND_SSD, 0 },
	{ NVME "/nvme/nvme0/nvme0n1",
	  "device->" NVME "/nvme/nvme0\n"
	  NVME "/nvme/nvme0/model=Samsung SSD 980 PRO 2TB                 \n"
	  NVME "/nvme/nvme0/serial=S69ENX0R123456\n"
	  "wwid=eui.002538b121400001\n"
	  NVME "/current_link_speed=16.0 GT/s PCIe\n" NVME "/current_link_width=4\n"
	  PCI "0000:00:1d.0/current_link_speed=8.0 GT/s PCIe\n" PCI "0000:00:1d.0/current_link_width=16\n"
	  "queue/rotational=0\nqueue/scheduler=[none] mq-deadline\n",
	  "nvme0n1", "eui.002538b121400001", "Samsung SSD 980 PRO 2TB", "none", "PCIe 16.0 GT/s x4", KIND_SSD, 0 },
	{ VIRTIO "/block/vda",
	  "device->" VIRTIO "\n" VIRTIO "/vendor=0x1af4\nserial=vol-0a1b2c\n"
	  "queue/rotational=1\nqueue/scheduler=none\n",
	  "vda", "vol-0a1b2c", "", "none", "", KIND_HDD, 0 },
	{ VIRTUAL "/loop3", "loop/backing_file=/srv/a b.img\nqueue/rotational=1\n", "loop3", "", "", "", "", KIND_LOOP, 0 },
	{ VIRTUAL "/loop4", "queue/rotational=1\n", "loop4", "", "", "", "", KIND_LOOP, 0 },
	{ VIRTUAL "/zram0", "disksize=1073741824\nqueue/rotational=0\n", "zram0", "", "", "", "", KIND_RAM, 0 },
	{ VIRTUAL "/ram1", "queue/rotational=0\n", "ram1", "", "", "", "", KIND_RAM, 0 },
	{ VIRTUAL "/md127", "md/uuid=3aaa0122-29827cfa-5331ad66-ca767371\nqueue/rotational=1\n",
	  "md127", "3aaa0122-29827cfa-5331ad66-ca767371", "", "", "", KIND_STACKED, 0 },
	{ VIRTUAL "/dm-2", "dm/uuid=LVM-Xy12\ndm/name=vg-home\nqueue/rotational=0\n",
	  "dm-2", "LVM-Xy12", "", "", "", KIND_STACKED, 0 },
	{ VIRTUAL "/cciss!c0d0", "queue/rotational=1\n", "cciss!c0d0", "", "", "", "", KIND_HDD, 0 },
};

static void assert_machine(const struct device_info *info, const struct machine *wanted)
{
	assert_string_equal(info->name, wanted->name);
	assert_string_equal(info->id, wanted->id);
	assert_string_equal(info->model, wanted->model);
	assert_string_equal(info->scheduler, wanted->scheduler);
	assert_string_equal(info->link, wanted->link);
	assert_string_equal(kind_names[info->kind], kind_names[wanted->kind]);
	assert_int_equal(info->max_read_bytes, wanted->max_read_bytes);
}

static void a_disk_is_known_by_what_its_bus_says_of_it(void **state)
{
	for (size_t i = 0; i < TEXT_COUNT(machine); i++) {
		struct device_info info = { .path = "/dev/x", .rdev = makedev(8, 0) };

		fake_block(machine[i].folder, "8:0", machine[i].lines);
		identity_find(&info);
		assert_machine(&info, &machine[i]);
		assert_int_equal(fake_sysfs_close(state), 0);
		assert_int_equal(fake_sysfs_open(state), 0);
	}
}

static void a_partition_is_its_disk_but_for_name_and_id(void **state)
{
	struct machine wanted = machine[0];
	struct device_info info = { .path = "/dev/sda2", .rdev = makedev(8, 2) };

	(void)state;
	fake_block(SATA "/block/sda", "8:0", sata_disk);
	fake_block(SATA "/block/sda/sda2", "8:2", "partition=2\n");
	identity_find(&info);
	wanted.name = "sda2";
	wanted.id = "naa.5000c500a1b2c3d4-part2";
	assert_machine(&info, &wanted);
}

static void a_partition_of_a_nameless_disk_has_no_id(void **state)
{
	struct device_info info = { .path = "/dev/vda1", .rdev = makedev(253, 1) };

	(void)state;
	fake_block(VIRTIO "/block/vda", "253:0", "serial=\n");
	fake_block(VIRTIO "/block/vda/vda1", "253:1", "partition=1\n");
	identity_find(&info);
	assert_string_equal(info.name, "vda1");
	assert_string_equal(info.id, "");
}

static void what_sysfs_does_not_say_is_unknown(void **state)
{
	struct device_info info = { .path = "/dev/sda", .rdev = makedev(8, 0), .size_bytes = 4096, .sector_bytes = 512 };

	(void)state;
	fake_block(SATA "/block/sda", "8:0", "");
	identity_find(&info);
	assert_machine(&info, &(struct machine){ NULL, NULL, "sda", "", "", "", "", KIND_SSD, 0 });
	assert_int_equal(info.size_bytes, 4096);
	assert_int_equal(info.sector_bytes, 512);
}

static void a_disk_that_sysfs_does_not_know_has_the_name_of_its_path(void **state)
{
	struct device_info info = { .path = "/dev/disk/od\nd", .rdev = makedev(8, 0) };

	(void)state;
	identity_find(&info);
	assert_string_equal(info.name, "od?d");
	assert_string_equal(info.id, "");
}

static void a_link_of_unknown_speed_is_no_link(void **state)
{
	static const struct {
		const char *folder, *lines, *link;
	} odd[] = {
		/* an onboard controller of a virtual machine: a PCI Express function without a link */
		{ VIRTIO "/block/vda",
		  PCI "0000:00:02.0/current_link_speed=Unknown\n" PCI "0000:00:02.0/current_link_width=0\n", "" },
		{ VIRTIO "/block/vda",
		  PCI "0000:00:02.0/current_link_speed=Unknown speed\n" PCI "0000:00:02.0/current_link_width=0\n", "" },
		{ SATA "/block/sda", "/sys/class/ata_link/link2/sata_spd=<unknown>\n", "" },
		{ SATA "/block/sda", "/sys/class/ata_link/link20/sata_spd=6.0 Gbps\n", "" },
		{ PCI "0000:03:00.0/host1/port-1:0/end_device-1:0/target1:0:0/1:0:0:0/block/sdb",
		  PCI "0000:03:00.0/host1/port-1:0/phy-1:0/sas_phy/phy-1:0/negotiated_linkrate=Unknown\n"
		  PCI "0000:03:00.0/host1/port-1:0/phy-1:1/sas_phy/phy-1:1/negotiated_linkrate=12.0 Gbit\n", "12.0 Gbit" },
		{ PCI "0000:03:00.0/host1/port-1:0/end_device-1:0/target1:0:0/1:0:0:0/block/sdb",
		  PCI "0000:03:00.0/host1/port-1:0/phy-1:0/sas_phy/phy-1:0/negotiated_linkrate=Phy disabled\n", "" },
	};

	for (size_t i = 0; i < TEXT_COUNT(odd); i++) {
		struct device_info info = { .path = "/dev/x", .rdev = makedev(8, 0) };

		fake_block(odd[i].folder, "8:0", odd[i].lines);
		identity_find(&info);
		assert_string_equal(info.link, odd[i].link);
		assert_int_equal(fake_sysfs_close(state), 0);
		assert_int_equal(fake_sysfs_open(state), 0);
	}
}

static void the_largest_read_that_stays_whole_is_the_least_of_the_queues_limits(void **state)
{
	static const struct {
		const char *lines;
		uint32_t bytes;
	} queue[] = {
		{ "queue/max_sectors_kb=1280\nqueue/max_segments=128\n", 128 * 4096 },
		{ "queue/max_sectors_kb=128\nqueue/max_segments=128\n", 128 * 1024 },
		{ "queue/max_sectors_kb=1280\nqueue/max_segments=65535\nqueue/chunk_sectors=256\n", 256 * 512 },
		{ "queue/max_sectors_kb=1280\nqueue/max_segments=65535\nqueue/chunk_sectors=0\n", 1280 * 1024 },
		{ "queue/max_segments=128\n", 0 },
	};

	for (size_t i = 0; i < TEXT_COUNT(queue); i++) {
		struct device_info info = { .path = "/dev/sda", .rdev = makedev(8, 0) };

		fake_block(SATA "/block/sda", "8:0", queue[i].lines);
		identity_find(&info);
		assert_int_equal(info.max_read_bytes, queue[i].bytes);
		assert_int_equal(fake_sysfs_close(state), 0);
		assert_int_equal(fake_sysfs_open(state), 0);
	}
}

static void settings_and_temperature_are_told_as_far_as_they_are_there(void **state)
{
	static const struct {
		const char *lines, *settings;
		bool host_managed;
	} disk[] = {
		{ "device->" SATA "\nqueue/nr_requests=64\nqueue/read_ahead_kb=128\nqueue/write_cache=write back\n"
		  "queue/zoned=host-managed\n" SATA "/queue_depth=32\n" SATA "/hwmon/hwmon3/temp1_input=34900\n",
		  "nr_requests 64, device queue depth 32, read-ahead 128k, write cache write back, zoned host-managed, "
		  "temperature 34 C", true },
		{ "device->" NVME "/nvme/nvme0\nqueue/zoned=none\n" NVME "/nvme/nvme0/hwmon1/temp1_input=41850\n"
		  NVME "/nvme/nvme0/hwmon1/temp2_input=50000\n", "zoned none, temperature 41 C", false },
		{ "device->" SATA "\nqueue/zoned=host-aware\n" SATA "/hwmon/hwmon3/temp1_input=-\n", "zoned host-aware", false },
		{ "", "", false },
	};

	for (size_t i = 0; i < TEXT_COUNT(disk); i++) {
		struct device_info info = { .path = "/dev/sda", .rdev = makedev(8, 0) };

		fake_block(SATA "/block/sda", "8:0", disk[i].lines);
		identity_find(&info);
		assert_string_equal(info.settings, disk[i].settings);
		assert_int_equal(info.host_managed, disk[i].host_managed);
		assert_int_equal(fake_sysfs_close(state), 0);
		assert_int_equal(fake_sysfs_open(state), 0);
	}
}

static void control_characters_of_a_disk_are_not_passed_on(void **state)
{
	struct device_info info = { .path = "/dev/sda", .rdev = makedev(8, 0) };

	(void)state;
	fake_block(SATA "/block/sda", "8:0",
		   "device/vendor=A\033[31m\nserial=x\ry\nqueue/scheduler=none [b\033fq]\n"
		   "/sys/class/ata_link/link2/sata_spd=6.0 \033Gbps\n");
	identity_find(&info);
	assert_string_equal(info.model, "A?[31m");
	assert_string_equal(info.id, "x?y");
	assert_string_equal(info.scheduler, "b?fq");
	assert_string_equal(info.link, "6.0 ?Gbps");
}

static void free_list(struct device_info *info, int disks)
{
	for (int i = 0; i < disks; i++)
		free((char *)info[i].path);
	free(info);
}

static void the_list_is_of_disks_with_a_medium_by_name(void **state)
{
	struct device_info *info;

	(void)state;
	fake_block(VIRTUAL "/loop0", "7:0", "size=0\n");
	fake_block(VIRTUAL "/zram0", "252:0", "size=2048\ndisksize=1048576\nqueue/logical_block_size=4096\n"
		   "queue/physical_block_size=4096\n");
	fake_block(SATA "/block/sda", "8:0", "size=7814037168\nqueue/rotational=1\nqueue/physical_block_size=4096\n");
	fake_block(SATA "/block/sda/sda1", "8:1", "size=2048\npartition=1\n");
	fake_block(VIRTUAL "/cciss!c0d0", "104:0", "size=8\n");
	assert_int_equal(identity_list(&info), 3);
	assert_string_equal(info[0].path, "/dev/cciss/c0d0");
	assert_string_equal(info[1].path, "/dev/sda");
	assert_string_equal(info[2].path, "/dev/zram0");
	assert_int_equal(info[1].rdev, makedev(8, 0));
	assert_int_equal(info[1].size_bytes, UINT64_C(4000787030016));
	assert_int_equal(info[1].sector_bytes, 512);
	assert_int_equal(info[1].physical_bytes, 4096);
	assert_int_equal(info[1].kind, KIND_HDD);
	assert_int_equal(info[2].sector_bytes, 4096);
	assert_int_equal(info[2].backing, BACKING_MEMORY);
	free_list(info, 3);
}

static void a_hidden_path_of_an_nvme_disk_is_not_listed(void **state)
{
	struct device_info *info;

	(void)state;
	/* Has a size but no number and no node. */
	fake_file(NVME "/nvme/nvme0/nvme0c0n1/size", "2048");
	fake_file(NVME "/nvme/nvme0/nvme0c0n1/hidden", "1");
	fake_link("/sys/block/nvme0c0n1", NVME "/nvme/nvme0/nvme0c0n1");
	fake_block("/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1", "259:0", "size=2048\n");
	assert_int_equal(identity_list(&info), 1);
	assert_string_equal(info[0].path, "/dev/nvme0n1");
	free_list(info, 1);
}

static void without_disks_the_list_is_empty(void **state)
{
	struct device_info *info;

	(void)state;
	assert_int_equal(identity_list(&info), 0);
	free_list(info, 0);
}

static void a_loop_device_is_backed_by_its_file(void **state)
{
	static const struct {
		const char *lines, *model;
		enum backing backing;
	} loop[] = {
		{ "loop/backing_file=/srv/disk one.img\nloop/dio=1\n", "/srv/disk one.img", BACKING_MEDIUM },
		{ "loop/backing_file=/srv/disk one.img\nloop/dio=0\n", "/srv/disk one.img", BACKING_PAGE_CACHE },
		{ "loop/backing_file=/srv/disk one.img\n", "/srv/disk one.img", BACKING_PAGE_CACHE },
		{ "size=0\n", "", BACKING_PAGE_CACHE },
	};

	for (size_t i = 0; i < TEXT_COUNT(loop); i++) {
		struct device_info info = { .path = "/dev/loop3", .rdev = makedev(7, 3), .kind = KIND_LOOP };

		fake_block(VIRTUAL "/loop3", "7:3", loop[i].lines);
		backing_find(&info);
		assert_string_equal(info.model, loop[i].model);
		assert_int_equal(info.backing, loop[i].backing);
		assert_int_equal(fake_sysfs_close(state), 0);
		assert_int_equal(fake_sysfs_open(state), 0);
	}
}

static void the_partition_of_a_loop_device_is_backed_by_the_same_file(void **state)
{
	struct device_info info = { .path = "/dev/loop3p1", .rdev = makedev(259, 1), .kind = KIND_LOOP };

	(void)state;
	fake_block(VIRTUAL "/loop3", "7:3", "loop/backing_file=/srv/x.img\nloop/dio=1\n");
	fake_block(VIRTUAL "/loop3/loop3p1", "259:1", "partition=1\n");
	backing_find(&info);
	assert_string_equal(info.model, "/srv/x.img");
	assert_int_equal(info.backing, BACKING_MEDIUM);
}

static void a_file_on_tmpfs_lies_in_memory(void **state)
{
	struct device_info file = { .path = "/dev/shm", .kind = KIND_FILE };
	struct device_info loop = { .path = "/dev/loop3", .rdev = makedev(7, 3), .kind = KIND_LOOP };
	struct device_info disk = { .path = "/dev/shm", .rdev = makedev(8, 0), .kind = KIND_HDD };

	(void)state;
	if (access("/dev/shm", F_OK) != 0)
		skip();
	fake_block(VIRTUAL "/loop3", "7:3", "loop/backing_file=/dev/shm\nloop/dio=1\n");
	backing_find(&file);
	backing_find(&loop);
	backing_find(&disk);
	assert_int_equal(file.backing, BACKING_MEMORY);
	assert_int_equal(loop.backing, BACKING_MEMORY);
	assert_int_equal(disk.backing, BACKING_MEDIUM);
}

#define TREE_TEST(test) cmocka_unit_test_setup_teardown(test, fake_sysfs_open, fake_sysfs_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_disk_is_known_by_what_its_bus_says_of_it),
		TREE_TEST(a_partition_is_its_disk_but_for_name_and_id),
		TREE_TEST(a_partition_of_a_nameless_disk_has_no_id),
		TREE_TEST(what_sysfs_does_not_say_is_unknown),
		TREE_TEST(a_disk_that_sysfs_does_not_know_has_the_name_of_its_path),
		TREE_TEST(a_link_of_unknown_speed_is_no_link),
		TREE_TEST(the_largest_read_that_stays_whole_is_the_least_of_the_queues_limits),
		TREE_TEST(settings_and_temperature_are_told_as_far_as_they_are_there),
		TREE_TEST(control_characters_of_a_disk_are_not_passed_on),
		TREE_TEST(the_list_is_of_disks_with_a_medium_by_name),
		TREE_TEST(a_hidden_path_of_an_nvme_disk_is_not_listed),
		TREE_TEST(without_disks_the_list_is_empty),
		TREE_TEST(a_loop_device_is_backed_by_its_file),
		TREE_TEST(the_partition_of_a_loop_device_is_backed_by_the_same_file),
		TREE_TEST(a_file_on_tmpfs_lies_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
