# make            build build/diskbench
# make demo       build it and run the main job on two scratch disks
# make check      run the tests; scripts/install-test-deps installs what they need
# make coverage   which lines the tests run (needs gcc and gcovr)
# make fuzz       feed the parsers with mistakes for FUZZ_SECONDS each (needs clang)
# make install    program, man page, completion, service and timer (PREFIX, DESTDIR); make uninstall removes them
#
# DEV=1           warnings are errors
# SANITIZE=LIST   build with -fsanitize=LIST, in a folder of its own

PREFIX ?= /usr/local
CFLAGS ?= -O2 -g

comma := ,
BUILD = build$(addprefix -,$(firstword $(subst $(comma), ,$(SANITIZE))))

WARNINGS = -Wall -Wextra -Wshadow -Wpedantic -Wmissing-prototypes -Wstrict-prototypes -Wformat=2 -Wvla \
	-Wwrite-strings -Wconversion $(if $(DEV),-Werror)
SANITIZERS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
COMPILE = $(CC) -std=gnu11 -D_GNU_SOURCE -pthread -Iinclude -MMD -MP $(WARNINGS) $(CPPFLAGS) $(CFLAGS) $(SANITIZERS)
LINK = $(CC) -pthread $(CFLAGS) $(SANITIZERS) $(LDFLAGS)

program = $(BUILD)/diskbench
stages = $(BUILD)/stages.a
stage_objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/*/*.c))
completion = $(PREFIX)/share/bash-completion/completions/diskbench
helpers = $(BUILD)/tests/refuse
units = $(PREFIX)/lib/systemd/system
tests = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/test_*.c))
simulator = $(if $(wildcard /usr/include/nbdkit-plugin.h /usr/local/include/nbdkit-plugin.h),$(BUILD)/tests/sim/spindle.so) \
	$(BUILD)/tests/sim/truth $(BUILD)/tests/sim/reader

all: $(program)

$(program): $(BUILD)/src/main.o $(stages)
	$(LINK) -o $@ $^ -lm

$(stages): $(stage_objects)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

# A test names the fakes that it is linked with, which stand in for the modules of the stages that define the same names.
$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(stages)
	$(LINK) -o $@ $(filter %.o,$^) $(stages) -lcmocka -lm

$(addprefix $(BUILD)/tests/test_,run faults depth): $(patsubst %,$(BUILD)/tests/fake_%.o,rig device engine clock)
$(addprefix $(BUILD)/tests/test_,identity kstat topology usage): $(BUILD)/tests/fake_sysfs.o
$(addprefix $(BUILD)/tests/test_,compare formats log notes progress record report require row scaling siblings): $(BUILD)/tests/scene.o

# The program under shortages; sanitizers bring an allocator of their own.
short = $(if $(SANITIZE),,$(BUILD)/tests/short)

$(BUILD)/tests/short: $(BUILD)/src/main.o $(BUILD)/tests/fake_shortage.o $(stages)
	$(LINK) -o $@ $^ -lm

$(helpers): %: %.o
	$(LINK) -o $@ $^
$(BUILD)/tests/test_sim: $(patsubst %,$(BUILD)/tests/sim/%.o,parameters model closed_loop)

$(BUILD)/tests/sim/truth: $(patsubst %,$(BUILD)/tests/sim/%.o,truth parameters model closed_loop)
	$(LINK) -o $@ $^ -lm

$(BUILD)/tests/sim/reader: $(BUILD)/tests/sim/reader.o
	$(LINK) -o $@ $^ -lm

# Without sanitizers, for nbdkit has none.
$(BUILD)/tests/sim/spindle.so: $(addprefix tests/sim/,spindle.c parameters.c model.c parameters.h model.h)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -pthread -fPIC -shared $(WARNINGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) -lm

demo: $(program)
	scripts/demo $(program)

check: $(program) $(tests) $(short) $(helpers) $(simulator)
	BUILD=$(BUILD) tests/run

# The lines of src that the tests run: at least 90 % outside main. A few tests may fail, since they see the files
# that the program writes for the count, and the memory that it takes.
coverage: counted = $(MAKE) BUILD=build-coverage CFLAGS='-O0 -g --coverage -fprofile-update=atomic'
coverage: report = gcovr --root . --object-directory build-coverage --gcov-ignore-parse-errors
coverage:
	rm -rf build-coverage
	$(counted) build-coverage/tests/coverage.o
	-GCOV_ERROR_FILE=/dev/null $(counted) LDFLAGS=build-coverage/tests/coverage.o check
	$(report) --filter src/main.c build-coverage
	$(report) --filter src/ --exclude src/main.c --fail-under-line 90 build-coverage

# Fuzz targets, one for each file in tests/fuzz, run for FUZZ_SECONDS each.
fuzz:
	$(MAKE) CC=clang BUILD=build-fuzz SANITIZE=fuzzer-no-link,address,undefined fuzzers
	BUILD=build-fuzz tests/fuzz/run

fuzzers: $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))

$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(stages)
	$(LINK) -fsanitize=fuzzer -o $@ $^ -lm

install: $(program)
	install -D $(program) $(DESTDIR)$(PREFIX)/bin/diskbench
	install -D -m 644 man/diskbench.1 $(DESTDIR)$(PREFIX)/share/man/man1/diskbench.1
	install -D -m 644 scripts/diskbench.bash-completion $(DESTDIR)$(completion)
	install -D -m 644 scripts/diskbench.timer $(DESTDIR)$(units)/diskbench.timer
	install -D -m 644 scripts/diskbench.service $(DESTDIR)$(units)/diskbench.service
	sed -i 's,/usr/local/,$(PREFIX)/,' $(DESTDIR)$(units)/diskbench.service

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/diskbench $(DESTDIR)$(PREFIX)/share/man/man1/diskbench.1 $(DESTDIR)$(completion) \
		$(DESTDIR)$(units)/diskbench.service $(DESTDIR)$(units)/diskbench.timer

clean:
	rm -rf build build-*

.PHONY: all demo check coverage fuzz fuzzers install uninstall clean
.SECONDARY:

-include $(shell find $(wildcard build $(BUILD)) -name '*.d' 2>/dev/null)
