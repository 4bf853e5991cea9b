/* What disks share on their way to the machine, and which of them are one, in trees as real machines have them. */
#include "test.h"

#include <sys/sysmacros.h>

#include "device/identity.h"
#include "device/topology.h"
#include "fake_sysfs.h"

#define PCI "/sys/devices/pci0000:00/"
#define AHCI PCI "0000:00:17.0/"
#define HBA PCI "0000:00:02.0/0000:03:00.0/"
#define EXPANDER HBA "host1/port-1:0/expander-1:0/"
#define USB PCI "0000:00:14.0/usb2/"
#define SWITCH PCI "0000:00:01.0/0000:01:00.0/"
#define VIRTUAL "/sys/devices/virtual/block/"

enum { DISKS_MOST = 8 };

static struct device_info info[DISKS_MOST];
static const struct device_info *each[DISKS_MOST];
static unsigned disks;
static struct topology topology;

static int open_tree(void **state)
{
	disks = 0;
	memset(info, 0, sizeof info);
	return fake_sysfs_open(state);
}

static int close_tree(void **state)
{
	topology_release(&topology);
	return fake_sysfs_close(state);
}

/* A disk that is measured. number: "8:0". */
static struct device_info *add(const char *folder, const char *number, const char *lines)
{
	unsigned major_number, minor_number;
	struct device_info *new = &info[disks];

	fake_block(folder, number, lines);
	assert_int_equal(sscanf(number, "%u:%u", &major_number, &minor_number), 2);
	new->path = "/dev/x";
	new->rdev = makedev(major_number, minor_number);
	identity_find(new);
	each[disks++] = new;
	return new;
}

static struct device_info *add_file(const char *path, dev_t filesystem, ino_t inode)
{
	info[disks] = (struct device_info){ .path = path, .kind = KIND_FILE, .dev = filesystem, .inode = inode };
	each[disks] = &info[disks];
	return &info[disks++];
}

static void look(void)
{
	struct error error;

	assert_int_equal(topology_find(&topology, each, disks, &error), 0);
}

/* members: digits, the disks' indices. */
static void assert_share(size_t i, const char *text, const char *members)
{
	assert_true(i < topology.shares);
	assert_string_equal(topology.share[i].text, text);
	assert_int_equal(topology.share[i].disks, strlen(members));
	for (unsigned j = 0; j < topology.share[i].disks; j++)
		assert_int_equal(topology.share[i].disk[j], members[j] - '0');
}

static void assert_relation(size_t i, enum kinship kinship, unsigned a, unsigned b)
{
	assert_true(i < topology.relations);
	assert_int_equal(topology.relation[i].kinship, kinship);
	assert_int_equal(topology.relation[i].a, a);
	assert_int_equal(topology.relation[i].b, b);
}

static void sata_disks_share_their_controller(void **state)
{
	(void)state;
	fake_tree("", AHCI "current_link_speed=8.0 GT/s PCIe\n" AHCI "current_link_width=4\n");
	add(AHCI "ata1/host0/target0:0:0/0:0:0:0/block/sda", "8:0", "");
	add(AHCI "ata2/host1/target1:0:0/1:0:0:0/block/sdb", "8:16", "");
	look();
	assert_int_equal(topology.shares, 1);
	assert_share(0, "PCI function 0000:00:17.0 (PCIe 8.0 GT/s x4)", "01");
	assert_int_equal(topology.relations, 0);
}

static void disks_behind_a_port_multiplier_share_the_port_too(void **state)
{
	(void)state;
	add(AHCI "ata1/host0/target0:0:0/0:0:0:0/block/sda", "8:0", "");
	add(AHCI "ata1/host0/target0:1:0/0:1:0:0/block/sdb", "8:16", "");
	add(AHCI "ata2/host1/target1:0:0/1:0:0:0/block/sdc", "8:32", "");
	look();
	assert_int_equal(topology.shares, 2);
	assert_share(0, "SATA port ata1", "01");
	assert_share(1, "PCI function 0000:00:17.0", "012");
}

static void sas_disks_share_an_expander_with_its_link_and_the_controller(void **state)
{
	(void)state;
	fake_tree("", HBA "host1/port-1:0/phy-1:0/sas_phy/phy-1:0/negotiated_linkrate=12.0 Gbit\n"
		  HBA "current_link_speed=8.0 GT/s PCIe\n" HBA "current_link_width=8\n");
	add(EXPANDER "port-1:0:3/end_device-1:0:3/target1:0:3/1:0:3:0/block/sdb", "8:16", "");
	add(EXPANDER "port-1:0:4/end_device-1:0:4/target1:0:4/1:0:4:0/block/sdc", "8:32", "");
	add(HBA "host1/port-1:1/end_device-1:1/target1:0:9/1:0:9:0/block/sdd", "8:48", "");
	look();
	assert_int_equal(topology.shares, 2);
	assert_share(0, "SAS expander 1:0 (12.0 Gbit)", "01");
	assert_share(1, "PCI function 0000:03:00.0 (PCIe 8.0 GT/s x8)", "012");
}

static void usb_disks_share_a_hub(void **state)
{
	(void)state;
	fake_tree("", USB "bDeviceClass=09\n" USB "speed=10000\n" USB "2-1/bDeviceClass=09\n" USB "2-1/speed=5000\n"
		  USB "2-1/2-1.1/bDeviceClass=00\n" USB "2-1/2-1.1/speed=5000\n");
	add(USB "2-1/2-1.1/2-1.1:1.0/host6/target6:0:0/6:0:0:0/block/sdc", "8:32", "");
	add(USB "2-1/2-1.2/2-1.2:1.0/host7/target7:0:0/7:0:0:0/block/sdd", "8:48", "");
	look();
	assert_int_equal(topology.shares, 2);
	assert_share(0, "USB hub 2-1 (USB 5000 Mb/s)", "01");
	assert_share(1, "PCI function 0000:00:14.0", "01");
}

static void drives_behind_a_switch_share_its_upstream_port(void **state)
{
	(void)state;
	fake_tree("", SWITCH "current_link_speed=8.0 GT/s PCIe\n" SWITCH "current_link_width=4\n");
	add(SWITCH "0000:02:01.0/0000:03:00.0/nvme/nvme0/nvme0n1", "259:0", "");
	add(SWITCH "0000:02:02.0/0000:04:00.0/nvme/nvme1/nvme1n1", "259:1", "");
	look();
	assert_int_equal(topology.shares, 1);
	assert_share(0, "PCI function 0000:01:00.0 (PCIe 8.0 GT/s x4)", "01");
}

static void disks_on_different_controllers_share_nothing(void **state)
{
	(void)state;
	add(AHCI "ata1/host0/target0:0:0/0:0:0:0/block/sda", "8:0", "");
	add(PCI "0000:00:1d.0/0000:3d:00.0/nvme/nvme0/nvme0n1", "259:0", "");
	add(VIRTUAL "loop0", "7:0", "");
	add(VIRTUAL "loop1", "7:1", "");
	look();
	assert_int_equal(topology.shares, 0);
	assert_int_equal(topology.relations, 0);
}

static void parts_of_one_disk_are_one_disk_and_share_nothing(void **state)
{
	(void)state;
	add(AHCI "ata1/host0/target0:0:0/0:0:0:0/block/sda", "8:0", "");
	add(AHCI "ata1/host0/target0:0:0/0:0:0:0/block/sda/sda1", "8:1", "partition=1\n");
	add(AHCI "ata1/host0/target0:0:0/0:0:0:0/block/sda/sda2", "8:2", "partition=2\n");
	look();
	assert_int_equal(topology.shares, 0);
	assert_int_equal(topology.relations, 3);
	assert_relation(0, KIN_SAME_DISK, 0, 1);
	assert_relation(1, KIN_SAME_DISK, 0, 2);
	assert_relation(2, KIN_SAME_DISK, 1, 2);
}

static void two_nodes_of_one_id_are_two_paths(void **state)
{
	(void)state;
	add(VIRTUAL "sda", "8:0", "wwid=naa.5000c5007f3e2a1b\n");
	add(VIRTUAL "sdb", "8:16", "wwid=naa.5000c5007f3e2a1c\n");
	add(VIRTUAL "sdc", "8:32", "wwid=naa.5000c5007f3e2a1b\n");
	look();
	assert_int_equal(topology.relations, 1);
	assert_relation(0, KIN_SAME_ID, 0, 2);
}

static void stacked_devices_lie_on_what_they_are_made_of(void **state)
{
	(void)state;
	add(VIRTUAL "md127", "9:127", "md/uuid=1\nslaves/sda1->/sys/devices/virtual/block/sda/sda1\n"
	    "slaves/dm-0->/sys/devices/virtual/block/dm-0\n");
	add(VIRTUAL "sda", "8:0", "");
	fake_block(VIRTUAL "sda/sda1", "8:1", "partition=1\n");
	fake_block(VIRTUAL "sda/sda2", "8:2", "partition=2\n");
	fake_block(VIRTUAL "dm-0", "252:0", "dm/uuid=LVM-1\nslaves/sdb->/sys/devices/virtual/block/sdb\n");
	add(VIRTUAL "sdb", "8:16", "");
	add(VIRTUAL "sdc", "8:32", "");
	look();
	assert_int_equal(topology.relations, 2);
	assert_relation(0, KIN_LIES_ON, 0, 1);
	assert_relation(1, KIN_LIES_ON, 0, 2);
}

static void files_share_their_filesystem_and_lie_on_its_disk(void **state)
{
	(void)state;
	add(VIRTUAL "sda", "8:0", "");
	fake_block(VIRTUAL "sda/sda1", "8:1", "partition=1\n");
	add_file("a.img", makedev(8, 1), 11);
	add_file("b.img", makedev(8, 1), 12);
	add_file("c.img", makedev(8, 2), 11);
	add_file("net/f.img", makedev(0, 52), 11);
	add_file("net/g.img", makedev(0, 52), 12);
	add_file("/dev/shm/d.img", makedev(0, 30), 11)->backing = BACKING_MEMORY;
	add_file("/dev/shm/e.img", makedev(0, 30), 12)->backing = BACKING_MEMORY;
	look();
	assert_int_equal(topology.shares, 2);
	assert_share(0, "the filesystem on sda1", "12");
	assert_share(1, "the filesystem of device 0:52", "45");
	assert_int_equal(topology.relations, 2);
	assert_relation(0, KIN_LIES_ON, 1, 0);
	assert_relation(1, KIN_LIES_ON, 2, 0);
}

#define TREE_TEST(test) cmocka_unit_test_setup_teardown(test, open_tree, close_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(sata_disks_share_their_controller),
		TREE_TEST(disks_behind_a_port_multiplier_share_the_port_too),
		TREE_TEST(sas_disks_share_an_expander_with_its_link_and_the_controller),
		TREE_TEST(usb_disks_share_a_hub),
		TREE_TEST(drives_behind_a_switch_share_its_upstream_port),
		TREE_TEST(disks_on_different_controllers_share_nothing),
		TREE_TEST(parts_of_one_disk_are_one_disk_and_share_nothing),
		TREE_TEST(two_nodes_of_one_id_are_two_paths),
		TREE_TEST(stacked_devices_lie_on_what_they_are_made_of),
		TREE_TEST(files_share_their_filesystem_and_lie_on_its_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
