#include "device/sysfs.h"

const char *const sysfs_root = "";
