/*
 * A plugin of QEMU's user emulation that counts the instructions of each thread, and
 * writes them down when the process says on standard output that it is ready: those of
 * the thread that says so, and those of all. Declares what it uses of qemu-plugin.h,
 * which comes with no package.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MOST_THREADS 4096
#define WRITE 1 /* the system call, on x86-64 */
#define STANDARD_OUTPUT 1
#define VISIBLE __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id, void (*)(plugin_id, unsigned, int64_t, uint64_t, uint64_t,
		uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));

VISIBLE int qemu_plugin_version = 1;

static const char READY[] = "@ READY ";

static char path[4096];

/* far enough apart that threads do not wait for each other's counters */
static struct { uint64_t instructions; char apart[56]; } threads[MOST_THREADS];

static void executed(unsigned thread, void *instructions) {
	threads[thread % MOST_THREADS].instructions += (uint64_t) (uintptr_t) instructions;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
	void *instructions = (void *) (uintptr_t) qemu_plugin_tb_n_insns(block);
	qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, instructions);
}

static void called(plugin_id id, unsigned thread, int64_t number, uint64_t descriptor, uint64_t text, uint64_t length,
		uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
	if (number == WRITE && descriptor == STANDARD_OUTPUT && length >= sizeof(READY) - 1
			&& memcmp((const char *) (uintptr_t) text, READY, sizeof(READY) - 1) == 0) {
		uint64_t all = 0;
		for (int i = 0; i < MOST_THREADS; i++) {
			all += threads[i].instructions;
		}
		FILE *file = fopen(path, "w");
		if (file != NULL) {
			fprintf(file, "%llu %llu\n", (unsigned long long) threads[thread % MOST_THREADS].instructions,
					(unsigned long long) all);
			fclose(file);
		}
	}
}

VISIBLE int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
	if (argc != 1 || strncmp(argv[0], "to=", 3) != 0 || strlen(argv[0]) > sizeof(path)) {
		return -1;
	}
	strcpy(path, argv[0] + 3);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	return 0;
}
