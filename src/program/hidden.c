// Names are bound in tables of addresses that the dynamic linker fills (ELF gABI, "Dynamic Linking"). Those of a replay are changed
// and put back, so that a program that is not replayed has nothing of this.
#if defined(__linux__)
#define _GNU_SOURCE // dl_iterate_phdr(), RTLD_DEFAULT. NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#endif
#include "hidden.h"

#include <stddef.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ADDRESS_TYPES                                      \
    {                                                      \
        R_X86_64_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT \
    }
#elif defined(__aarch64__)
#define ADDRESS_TYPES                                            \
    {                                                            \
        R_AARCH64_ABS64, R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT \
    }
#else
#define ADDRESS_TYPES                            \
    {                                            \
        R_386_32, R_386_GLOB_DAT, R_386_JMP_SLOT \
    }
#endif
#if UINTPTR_MAX == UINT32_MAX
#define RELOCATION_TYPE(info)   ELF32_R_TYPE(info)
#define RELOCATION_SYMBOL(info) ELF32_R_SYM(info)
#else
#define RELOCATION_TYPE(info)   ELF64_R_TYPE(info)
#define RELOCATION_SYMBOL(info) ELF64_R_SYM(info)
#endif

#define SLOTS_MAX 256

static _Thread_local bool is_watched;
static const char *noted; // by the threads that are watched, which run in turns

// --------------------------------------------------------------------------- the functions

// clang-format off
#define FUNCTIONS(X) \
    X(int,     rand,          (void),                                    ()) \
    X(long,    random,        (void),                                    ()) \
    X(double,  drand48,       (void),                                    ()) \
    X(long,    lrand48,       (void),                                    ()) \
    X(long,    mrand48,       (void),                                    ()) \
    X(uint32_t, arc4random,   (void),                                    ()) \
    X(uint32_t, arc4random_uniform, (uint32_t bound),                    (bound)) \
    X(ssize_t, getrandom,     (void *out, size_t size, unsigned flags),  (out, size, flags)) \
    X(int,     getentropy,    (void *out, size_t size),                  (out, size)) \
    X(time_t,  time,          (time_t *out),                             (out)) \
    X(clock_t, clock,         (void),                                    ()) \
    X(int,     clock_gettime, (clockid_t clock_id, struct timespec *out), (clock_id, out)) \
    X(int,     gettimeofday,  (struct timeval *out, void *zone),         (out, zone)) \
    X(int,     timespec_get,  (struct timespec *out, int base),          (out, base))

#define NOTING(type, name, parameters, arguments)                  \
    static type (*real_##name) parameters;                         \
    static type noting_##name parameters                           \
    {                                                              \
        if (is_watched && noted == NULL) {                         \
            noted = #name;                                         \
        }                                                          \
        return real_##name arguments;                              \
    }
FUNCTIONS(NOTING)
// clang-format on

typedef struct {
    const char *name;
    uintptr_t noting;
} replacement;

#define COUNT_ONE(type, function, parameters, arguments) +1
enum { FUNCTION_COUNT = 0 FUNCTIONS(COUNT_ONE) };

static replacement replacements[FUNCTION_COUNT];

_Static_assert(sizeof(void *) == sizeof(int (*)(void)), "both are addresses");

// ISO C has no conversion between an object's address and a function's; systems with dlsym() have.
void program_hidden_prepare(void)
{
    size_t count = 0;
    void *found;
    if (replacements[0].name != NULL) {
        return; // other threads may read them
    }
#define FIND(type, function, parameters, arguments)                                      \
    found = dlsym(RTLD_DEFAULT, #function);                                              \
    if (found != NULL) {                                                                 \
        type(*const noting) parameters = noting_##function;                              \
        memcpy(&real_##function, &found, sizeof found);                                  \
        replacements[count].name = #function;                                            \
        memcpy(&replacements[count].noting, &noting, sizeof replacements[count].noting); \
        count++;                                                                         \
    }
    FUNCTIONS(FIND)
}

static const replacement *find_replacement(const char *name)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        if (replacements[i].name != NULL && strcmp(replacements[i].name, name) == 0) {
            return &replacements[i];
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- the linker's tables

typedef struct {
    uintptr_t *address, before;
    bool is_read_only;
} bound_slot;

static bound_slot slots[SLOTS_MAX];
static size_t slot_count;

// What the dynamic linker left read-only is made writable for a moment.
static bool write_slot(const bound_slot *slot, uintptr_t value)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    char *const start = (char *)slot->address - (uintptr_t)slot->address % page;
    if (slot->is_read_only && mprotect(start, page, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    *slot->address = value;
    return !slot->is_read_only || mprotect(start, page, PROT_READ) == 0;
}

// One executable or library.
typedef struct {
    uintptr_t base;
    uintptr_t read_only, read_only_end;
    const ElfW(Sym) * symbols;
    const char *names;
} loaded_object;

static void bind(const loaded_object *object, uintptr_t offset, uintptr_t info)
{
    static const unsigned types[] = ADDRESS_TYPES;
    const unsigned type = (unsigned)RELOCATION_TYPE(info);
    if (type != types[0] && type != types[1] && type != types[2]) {
        return;
    }
    const ElfW(Sym) *const symbol = &object->symbols[RELOCATION_SYMBOL(info)];
    const replacement *const with = find_replacement(object->names + symbol->st_name);
    if (with == NULL || slot_count == SLOTS_MAX) {
        return;
    }
    bound_slot *const slot = &slots[slot_count];
    slot->address = (uintptr_t *)(object->base + offset); // NOLINT(performance-no-int-to-ptr)
    slot->before = *slot->address;
    slot->is_read_only = (uintptr_t)slot->address >= object->read_only &&
                         (uintptr_t)slot->address < object->read_only_end;
    slot_count += write_slot(slot, with->noting) ? 1 : 0;
}

// A table of DT_RELA or DT_REL entries.
static void bind_table(const loaded_object *object, uintptr_t table, size_t size, bool has_addend)
{
    const size_t entry_size = has_addend ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    for (size_t at = 0; at + entry_size <= size; at += entry_size) {
        ElfW(Rel) entry;                                        // what a Rela begins with
        memcpy(&entry, (const char *)table + at, sizeof entry); // NOLINT(performance-no-int-to-ptr)
        bind(object, entry.r_offset, entry.r_info);
    }
}

// The C library of some systems leaves addresses in the dynamic section relative to the object.
static uintptr_t address_in(const loaded_object *object, uintptr_t value)
{
    return value < object->base ? object->base + value : value;
}

static void bind_object(loaded_object *object, const ElfW(Dyn) * dynamic)
{
    uintptr_t values[DT_NUM] = { 0 };
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag > 0 && dynamic->d_tag < DT_NUM) {
            values[dynamic->d_tag] = dynamic->d_un.d_val;
        }
    }
    if (values[DT_SYMTAB] == 0 || values[DT_STRTAB] == 0) {
        return;
    }
    // NOLINTBEGIN(performance-no-int-to-ptr)
    object->symbols = (const ElfW(Sym) *)address_in(object, values[DT_SYMTAB]);
    object->names = (const char *)address_in(object, values[DT_STRTAB]);
    // NOLINTEND(performance-no-int-to-ptr)
    bind_table(object, address_in(object, values[DT_JMPREL]), values[DT_PLTRELSZ],
               values[DT_PLTREL] == DT_RELA);
    bind_table(object, address_in(object, values[DT_RELA]), values[DT_RELASZ], true);
    bind_table(object, address_in(object, values[DT_REL]), values[DT_RELSZ], false);
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    loaded_object object = { .base = info->dlpi_addr };
    const ElfW(Dyn) *dynamic = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const header = &info->dlpi_phdr[i];
        const uintptr_t start = object.base + header->p_vaddr;
        if (header->p_type == PT_GNU_RELRO) {
            object.read_only = start;
            object.read_only_end = start + header->p_memsz;
        } else if (header->p_type == PT_DYNAMIC) {
            dynamic = (const ElfW(Dyn) *)start; // NOLINT(performance-no-int-to-ptr)
        }
    }
    if (dynamic != NULL && strstr(info->dlpi_name, "vdso") == NULL) {
        bind_object(&object, dynamic);
    }
    return 0;
}

void program_hidden_start(void)
{
    program_hidden_prepare();
    slot_count = 0;
    (void)dl_iterate_phdr(visit_object, NULL);
}

void program_hidden_end(void)
{
    while (slot_count > 0) {
        slot_count--;
        (void)write_slot(&slots[slot_count], slots[slot_count].before);
    }
}

void program_hidden_watch(bool is_watching)
{
    is_watched = is_watching;
}

const char *program_hidden_take(void)
{
    const char *const name = noted;
    noted = NULL;
    return name;
}

#else

void program_hidden_prepare(void) {}

void program_hidden_start(void) {}

void program_hidden_end(void) {}

void program_hidden_watch(bool is_watching)
{
    (void)is_watching;
}

const char *program_hidden_take(void)
{
    return NULL;
}

#endif
