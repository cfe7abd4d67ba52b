/* Preloaded into Python: counts what changes files below one folder, and dies by SIGKILL just before the n-th of these.

   void kill_at(const char *folder, long n);  n = 0 counts only
   long operations(void);                     how many there were so far                                             */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char watched[PATH_MAX];
static long deadly;
static atomic_long seen;

void kill_at(const char *folder, long n) {
    atomic_store(&seen, 0);
    deadly = n;
    strncpy(watched, folder, sizeof watched - 1);
}

long operations(void) { return atomic_load(&seen); }

static int is_below(const char *path) { return watched[0] && !strncmp(path, watched, strlen(watched)); }

static int concerns(int folder, const char *path) {
    char link[64], whole[2 * PATH_MAX] = "";
    if (!watched[0] || !path) return 0;
    if (path[0] == '/') return is_below(path);
    if (folder == AT_FDCWD) {
        if (!getcwd(whole, PATH_MAX)) return 0;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t n = readlink(link, whole, PATH_MAX - 1);
        if (n < 0) return 0;
        whole[n] = 0;
    }
    return is_below(whole);
}

static int holds(int file) {
    char link[64], whole[PATH_MAX];
    if (!watched[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, whole, PATH_MAX - 1);
    if (n < 0) return 0;
    whole[n] = 0;
    return is_below(whole);
}

static void count(int matters) {
    if (matters && atomic_fetch_add(&seen, 1) + 1 == deadly) kill(getpid(), SIGKILL);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRITES(flags) (((flags) & O_ACCMODE) != O_RDONLY || ((flags) & (O_CREAT | O_TRUNC)))

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = va_arg(more, mode_t);                                                                            \
        va_end(more);                                                                                                  \
        count(WRITES(flags) && concerns(AT_FDCWD, path));                                                              \
        return REAL(name)(path, flags, mode);                                                                          \
    }
#define OPENAT(name)                                                                                                   \
    int name(int folder, const char *path, int flags, ...) {                                                           \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = va_arg(more, mode_t);                                                                            \
        va_end(more);                                                                                                  \
        count(WRITES(flags) && concerns(folder, path));                                                                \
        return REAL(name)(folder, path, flags, mode);                                                                  \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int rename(const char *a, const char *b) {
    count(concerns(AT_FDCWD, a) || concerns(AT_FDCWD, b));
    return REAL(rename)(a, b);
}
int renameat(int f, const char *a, int g, const char *b) {
    count(concerns(f, a) || concerns(g, b));
    return REAL(renameat)(f, a, g, b);
}
int renameat2(int f, const char *a, int g, const char *b, unsigned flags) {
    count(concerns(f, a) || concerns(g, b));
    return REAL(renameat2)(f, a, g, b, flags);
}
int link(const char *a, const char *b) {
    count(concerns(AT_FDCWD, b));
    return REAL(link)(a, b);
}
int linkat(int f, const char *a, int g, const char *b, int flags) {
    count(concerns(g, b));
    return REAL(linkat)(f, a, g, b, flags);
}
int unlink(const char *path) {
    count(concerns(AT_FDCWD, path));
    return REAL(unlink)(path);
}
int unlinkat(int folder, const char *path, int flags) {
    count(concerns(folder, path));
    return REAL(unlinkat)(folder, path, flags);
}
int rmdir(const char *path) {
    count(concerns(AT_FDCWD, path));
    return REAL(rmdir)(path);
}
int mkdir(const char *path, mode_t mode) {
    count(concerns(AT_FDCWD, path));
    return REAL(mkdir)(path, mode);
}
int mkdirat(int folder, const char *path, mode_t mode) {
    count(concerns(folder, path));
    return REAL(mkdirat)(folder, path, mode);
}
int ftruncate(int file, off_t length) {
    count(holds(file));
    return REAL(ftruncate)(file, length);
}
int ftruncate64(int file, off64_t length) {
    count(holds(file));
    return REAL(ftruncate64)(file, length);
}
int fsync(int file) {
    count(holds(file));
    return REAL(fsync)(file);
}
int fdatasync(int file) {
    count(holds(file));
    return REAL(fdatasync)(file);
}
ssize_t write(int file, const void *bytes, size_t n) {
    count(holds(file));
    return REAL(write)(file, bytes, n);
}
ssize_t pwrite(int file, const void *bytes, size_t n, off_t at) {
    count(holds(file));
    return REAL(pwrite)(file, bytes, n, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t at) {
    count(holds(file));
    return REAL(pwrite64)(file, bytes, n, at);
}
