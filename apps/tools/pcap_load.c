// libpcap, looked up when its first function is called: only `dump` needs it, and it brings a dozen libraries with it.
#include "system/system.h"
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

static hy_library_function *pcap_symbol(const char *name)
{
    static const char *const files[] = { "libpcap.so.0.8", "libpcap.so.1", "libpcap.A.dylib" };
    static void *library;
    for (size_t i = 0; library == NULL && i < sizeof files / sizeof files[0]; i++) {
        library = hy_library_open(files[i]);
    }
    hy_library_function *symbol;
    if (library == NULL || !hy_library_find(library, name, &symbol)) {
        (void)fprintf(stderr,
                      "halyard dump: captures need libpcap; install it (Debian: libpcap0.8)\n");
        exit(1);
    }
    return symbol;
}

// The function of libpcap of that name.
#define FORWARD(result, name, parameters, arguments)        \
    result name parameters                                  \
    {                                                       \
        static hy_library_function *found;                  \
        found = found != NULL ? found : pcap_symbol(#name); \
        return ((result(*) parameters)found)arguments;      \
    }

FORWARD(pcap_t *, pcap_open_offline, (const char *path, char *error), (path, error))
FORWARD(pcap_t *, pcap_create, (const char *interface, char *error), (interface, error))
FORWARD(int, pcap_set_snaplen, (pcap_t * p, int length), (p, length))
FORWARD(int, pcap_set_immediate_mode, (pcap_t * p, int is_on), (p, is_on))
FORWARD(int, pcap_activate, (pcap_t * p), (p))
FORWARD(int, pcap_setnonblock, (pcap_t * p, int is_on, char *error), (p, is_on, error))
FORWARD(int, pcap_get_selectable_fd, (pcap_t * p), (p))
FORWARD(int, pcap_compile,
        (pcap_t * p, struct bpf_program *out, const char *text, int optimize, bpf_u_int32 mask),
        (p, out, text, optimize, mask))
FORWARD(int, pcap_setfilter, (pcap_t * p, struct bpf_program *program), (p, program))
FORWARD(int, pcap_next_ex, (pcap_t * p, struct pcap_pkthdr **header, const u_char **data),
        (p, header, data))
FORWARD(int, pcap_datalink, (pcap_t * p), (p))
FORWARD(const char *, pcap_datalink_val_to_name, (int link_type), (link_type))
FORWARD(const char *, pcap_statustostr, (int status), (status))
FORWARD(char *, pcap_geterr, (pcap_t * p), (p))

void pcap_freecode(struct bpf_program *program)
{
    ((void (*)(struct bpf_program *))pcap_symbol("pcap_freecode"))(program);
}

void pcap_close(pcap_t *p)
{
    ((void (*)(pcap_t *))pcap_symbol("pcap_close"))(p);
}
