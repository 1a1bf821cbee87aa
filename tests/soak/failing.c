/* Lets system calls on chosen files fail, and the clock jump, in the process that preloads this library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long left = -1, failed;
static int fault, stays;
static long long jump;
static char part[256];

/* From the call after `calls` more on, calls on files whose path has `in` fail with `error`; one, or all that follow. */
void fail_after(long calls, int error, int all, const char *in) {
    left = calls;
    fault = error;
    stays = all;
    failed = 0;
    snprintf(part, sizeof part, "%s", in);
}

/* How many have failed since. */
long failures(void) { return failed; }

/* The clock goes back and forth by so many seconds each time it is asked; 0 for a sound one. */
void jump_by(long long seconds) { jump = seconds; }

static int fails(const char *path) {
    if (left < 0 || !strstr(path, part)) return 0;
    if (left > 0) { left--; return 0; }
    if (!stays) left = -1;
    failed++;
    errno = fault;
    return 1;
}

static int fails_at(int file) {
    char name[64], path[4096];
    if (left < 0) return 0;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
ssize_t write(int f, const void *b, size_t n) { return fails_at(f) ? -1 : REAL(write)(f, b, n); }
ssize_t pwrite(int f, const void *b, size_t n, off_t o) { return fails_at(f) ? -1 : REAL(pwrite)(f, b, n, o); }
ssize_t pwrite64(int f, const void *b, size_t n, off64_t o) { return fails_at(f) ? -1 : REAL(pwrite64)(f, b, n, o); }
int fsync(int f) { return fails_at(f) ? -1 : REAL(fsync)(f); }
int fdatasync(int f) { return fails_at(f) ? -1 : REAL(fdatasync)(f); }
int ftruncate(int f, off_t n) { return fails_at(f) ? -1 : REAL(ftruncate)(f, n); }
int ftruncate64(int f, off64_t n) { return fails_at(f) ? -1 : REAL(ftruncate64)(f, n); }
ssize_t pread(int f, void *b, size_t n, off_t o) { return fault == EIO && fails_at(f) ? -1 : REAL(pread)(f, b, n, o); }
ssize_t pread64(int f, void *b, size_t n, off64_t o) { return fault == EIO && fails_at(f) ? -1 : REAL(pread64)(f, b, n, o); }
int unlink(const char *p) { return fails(p) ? -1 : REAL(unlink)(p); }
int link(const char *p, const char *q) { return fails(q) ? -1 : REAL(link)(p, q); }
int rename(const char *p, const char *q) { return fails(q) ? -1 : REAL(rename)(p, q); }

#define OPEN(name)                                                                   \
    int name(const char *p, int how, ...) {                                          \
        va_list more;                                                                \
        va_start(more, how);                                                         \
        int mode = va_arg(more, int);                                                \
        va_end(more);                                                                \
        return (how & (O_WRONLY | O_RDWR)) && fails(p) ? -1 : REAL(name)(p, how, mode); \
    }
OPEN(open)
OPEN(open64)

int clock_gettime(clockid_t clock, struct timespec *at) {
    int done = REAL(clock_gettime)(clock, at);
    if (jump && clock == CLOCK_REALTIME) {
        at->tv_sec += jump;
        jump = -jump + (jump > 0 ? 1 : -1) * 3601;
    }
    return done;
}
