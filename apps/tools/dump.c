// `halyard dump`: packets, decoded.
#include <halyard/link.h>
#include <halyard/wire.h>

#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture.h"
#include "cli/app.h"
#include "cli/options.h"
#include "cli/ready_line.h"
#include "cli/robot_choices.h"
#include "robot/packet_print.h"

static const char name[] = "dump";

typedef struct {
    const hy_dialect *dialect;
    bool json;
    uint64_t shown;
} dump;

static void show(dump *self, hy_bytes packet, const char *title)
{
    self->shown++;
    if (self->json) {
        packet_print_json(stdout, self->dialect, packet);
    } else {
        packet_print_text(stdout, self->dialect, packet, title);
    }
}

// --------------------------------------------------------------------------- --hex

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *const found = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

// Reads "000101 06 12": hex digits in pairs; blanks, ':', '-' and ',' may stand between the pairs.
// Returns the number of bytes, or -1 after a sentence.
static int read_hex(const char *text, uint8_t *bytes, size_t room)
{
    size_t size = 0;
    const char *p = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    while (*p != '\0') {
        if (strchr(" \t:-,", *p) != NULL) {
            p++;
            continue;
        }
        const int high = hex_digit(p[0]);
        const int low = high >= 0 ? hex_digit(p[1]) : -1;
        if (low < 0) {
            const char *const wrong = high < 0 ? p : p + 1;
            if (*wrong == '\0') {
                app_error(name, "--hex ends with half a byte; every byte has two hex digits");
            } else {
                app_error(name, "--hex: character %d, '%c', is no hex digit",
                          (int)(wrong - text) + 1, *wrong);
            }
            return -1;
        }
        if (size == room) {
            app_error(name, "--hex is longer than %zu bytes, the longest UDP datagram", room);
            return -1;
        }
        bytes[size++] = (uint8_t)(high << 4 | low);
        p += 2;
    }
    return (int)size;
}

static int dump_hex(dump *self, const option_list *hex)
{
    static uint8_t bytes[65507]; // UDP over IPv4 carries no more
    for (size_t i = 0; i < hex->count; i++) {
        const int size = read_hex(hex->items[i], bytes, sizeof bytes);
        if (size < 0) {
            return APP_USAGE;
        }
        char title[32];
        snprintf(title, sizeof title, "#%" PRIu64, self->shown + 1);
        show(self, (hy_bytes){ bytes, (size_t)size }, title);
    }
    return APP_OK;
}

// --------------------------------------------------------------------------- --pcap

typedef struct {
    uint64_t fragments, cut, other;
} skip_counts;

static void show_frame(dump *self, const struct pcap_pkthdr *header, const capture_datagram *datagram)
{
    char title[32 + 2 * HY_ENDPOINT_TEXT_MAX], from[HY_ENDPOINT_TEXT_MAX], to[HY_ENDPOINT_TEXT_MAX];
    snprintf(title, sizeof title, "%lld.%06ld  %s > %s", (long long)header->ts.tv_sec,
             (long)header->ts.tv_usec, hy_endpoint_format(&datagram->from, from),
             hy_endpoint_format(&datagram->to, to));
    show(self, datagram->payload, title);
}

/// Whether `datagram` is from or to `port`; 0 is every port.
static bool is_of_port(const capture_datagram *datagram, uint16_t port)
{
    return port == 0 || datagram->from.port == port || datagram->to.port == port;
}

/// The port whose packets are shown if nobody chose one: the robots' where the capture has packets of it,
/// so that a classroom's other traffic stays out, else every one.
static uint16_t port_of_capture(const char *path)
{
    char error[PCAP_ERRBUF_SIZE];
    struct stat kind;
    if (stat(path, &kind) != 0 || !S_ISREG(kind.st_mode)) { // a pipe can be read only once
        return 0;
    }
    pcap_t *const file = pcap_open_offline(path, error);
    if (file == NULL) { // is told when it is read
        return 0;
    }
    uint16_t found = 0;
    const int link_type = pcap_datalink(file);
    struct pcap_pkthdr *header;
    const u_char *data;
    while (found == 0 && pcap_next_ex(file, &header, &data) == 1) {
        capture_datagram datagram;
        const hy_bytes frame = { data, header->caplen };
        if (capture_knows(link_type) &&
            capture_read(link_type, frame, &datagram) == CAPTURE_DATAGRAM &&
            is_of_port(&datagram, HY_WIRE_PORT)) {
            found = HY_WIRE_PORT;
        }
    }
    pcap_close(file);
    return found;
}

static int read_frames(dump *self, pcap_t *file, const char *path, uint16_t port)
{
    const int link_type = pcap_datalink(file);
    if (!capture_knows(link_type)) {
        const char *const type = pcap_datalink_val_to_name(link_type);
        app_error(
            name,
            "%s: frames of link type %d (%s) are not understood; capture on Ethernet, loopback "
            "or 'any'",
            path, link_type, type != NULL ? type : "which has no name");
        return APP_FAILED;
    }
    skip_counts skipped = { 0 };
    struct pcap_pkthdr *header;
    const u_char *data;
    int got;
    while ((got = pcap_next_ex(file, &header, &data)) == 1) {
        capture_datagram datagram;
        const hy_bytes frame = { data, header->caplen };
        const capture_kind kind = capture_read(link_type, frame, &datagram);
        skipped.fragments += kind == CAPTURE_FRAGMENT;
        skipped.cut += kind == CAPTURE_CUT;
        if (kind == CAPTURE_DATAGRAM && is_of_port(&datagram, port)) {
            show_frame(self, header, &datagram);
        } else {
            skipped.other += kind == CAPTURE_DATAGRAM || kind == CAPTURE_OTHER;
        }
    }
    if (got == PCAP_ERROR) {
        app_error(name, "%s: after %" PRIu64 " packets: %s", path, self->shown, pcap_geterr(file));
        return APP_FAILED;
    }
    fflush(stdout);
    char of_port[32] = "";
    if (port != 0) {
        snprintf(of_port, sizeof of_port, " of port %u", port);
    }
    fprintf(stderr,
            "%s: %" PRIu64 " packets%s; skipped: %" PRIu64 " others, %" PRIu64
            " fragments, %" PRIu64 " cut short\n",
            path, self->shown, of_port, skipped.other, skipped.fragments, skipped.cut);
    return APP_OK;
}

static int dump_pcap(dump *self, const char *path, uint16_t wanted_port)
{
    const uint16_t port = wanted_port != 0 ? wanted_port : port_of_capture(path);
    char error[PCAP_ERRBUF_SIZE] = "";
    pcap_t *const file = pcap_open_offline(path, error);
    if (file == NULL) {
        // Some of libpcap's sentences begin with the path, some do not.
        const size_t length = strlen(path);
        const bool has_path = strncmp(error, path, length) == 0 && error[length] == ':';
        app_error(name, "--pcap %s:%s%s; name a capture of tcpdump or Wireshark", path,
                  has_path ? "" : " ", has_path ? error + length + 1 : error);
        return APP_FAILED;
    }
    const int result = read_frames(self, file, path, port);
    pcap_close(file);
    return result;
}

// --------------------------------------------------------------------------- --listen

typedef struct {
    dump *dump;
    hy_link *link;
    hy_loop *loop;
} dump_listener;

static void on_readable(void *context, int64_t now_us)
{
    (void)now_us;
    const dump_listener *const self = context;
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(self->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        char title[32 + HY_ENDPOINT_TEXT_MAX], from[HY_ENDPOINT_TEXT_MAX];
        snprintf(title, sizeof title, "%.6f  %s", (double)batch[i].at_us * 1e-6,
                 hy_endpoint_format(&batch[i].peer, from));
        show(self->dump, batch[i].bytes, title);
    }
    fflush(stdout);
}

static void on_signal(void *context, int number)
{
    (void)number;
    const dump_listener *const self = context;
    hy_loop_quit(self->loop);
}

static bool open_live(hy_link *link, const char *address)
{
    hy_endpoint local;
    const int found = hy_link_resolve(address, HY_WIRE_PORT, &local, 1);
    if (found < 1) {
        app_error(
            name,
            "--listen %s: %s; give an address of this machine, as in 127.0.0.1:3540 or [::]:3540",
            address, hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
        return false;
    }
    const hy_status status = hy_link_open(link, &local);
    if (status != HY_OK) {
        const char *why =
            status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status);
        app_error(name, "cannot listen on %s: %s; choose another address or port", address, why);
    }
    return status == HY_OK;
}

static int dump_live(dump *self, const char *address)
{
    static hy_link link;
    hy_loop loop;
    dump_listener listener = { self, &link, &loop };
    if (!open_live(&link, address)) {
        return APP_FAILED;
    }
    hy_loop_init(&loop);
    hy_status status = hy_loop_watch(&loop, hy_link_descriptor(&link), on_readable, &listener);
    if (status == HY_OK) {
        status = hy_loop_on_signals(&loop, on_signal, &listener);
    }
    if (status == HY_OK) {
        char text[HY_ENDPOINT_TEXT_MAX];
        // Not among the packets: stdout may be a pipe into a JSON reader.
        ready_line ready = { .pairs = "" };
        ready_line_add_address(&ready, "udp", &link.local);
        ready_line_print(&ready, stderr);
        fprintf(stderr, "listening on %s\n", hy_endpoint_format(&link.local, text));
        status = hy_loop_run(&loop);
        hy_loop_on_signals(&loop, NULL, NULL);
    }
    hy_link_close(&link);
    if (status != HY_OK) {
        app_error(name, "%s: %s", address, hy_status_text(status));
        return APP_FAILED;
    }
    return APP_OK;
}

// --------------------------------------------------------------------------- the subcommand

static int decode(int argc, char **argv, const char **hex_items)
{
    option_list hex = { .items = hex_items, .room = (size_t)argc };
    robot_choices robots;
    robot_choices_fill(&robots);
    const char *pcap = NULL, *listen = NULL;
    int dialect = 0;
    double port = 0;
    dump self = { 0 };
    const option options[] = {
        { .name = "hex",
          .value = "BYTES",
          .list = &hex,
          .help = "decode these bytes: \"0001 01 0612003f000000\"; repeatable" },
        { .name = "pcap",
          .value = "FILE",
          .text = &pcap,
          .help =
              "decode the packets of a capture (tcpdump, Wireshark); '-' is the standard input" },
        { .name = "port",
          .value = "PORT",
          .number = &port,
          .low = 1,
          .high = 65535,
          .help = "with --pcap: from or to this UDP port (default: 3540 if the file has any, else "
                  "all)" },
        { .name = "listen",
          .value = "ADDR:PORT",
          .text = &listen,
          .help = "decode what arrives there, until Ctrl-C" },
        { .name = "dialect",
          .choice = &dialect,
          .choices = robots.types,
          .help = "which robot the packets belong to (default xrp)" },
        { .name = "json", .flag = &self.json, .help = "print JSON, one line per packet" },
    };
    static const char notes[] =
        "JSON: "
        "{\"seq\":1,\"control\":1,\"blocks\":[{\"at\":3,\"kind\":\"motor\",\"id\":0,\"value\":0.5}]"
        ",\"error\":null}\n"
        "Kinds: motor, servo, dio, analog, gyro, accel, encoder, unknown (with tag and size). 'at' "
        "is the offset of\n"
        "the block's size byte. An error is {\"at\":OFFSET,\"what\":\"...\"}, after the blocks "
        "before it. NaN and\n"
        "infinities are null.\n"
        "\n"
        "  halyard dump --hex \"0001 01 06 12 00 3f000000\"\n"
        "  tcpdump -i any -w - udp port 3540 | halyard dump --pcap - --json";
    const command_line line = { name, "decodes robot packets to text or JSON", options,
                                sizeof options / sizeof options[0], notes };
    const options_result result = options_parse(&line, argc, argv);
    if (result != OPTIONS_OK) {
        return result == OPTIONS_HELP ? APP_OK : APP_USAGE;
    }
    if ((hex.count > 0) + (pcap != NULL) + (listen != NULL) != 1) {
        app_error(name, "say what to decode: one of --hex, --pcap and --listen");
        return APP_USAGE;
    }
    if (port != 0 && pcap == NULL) {
        app_error(name,
                  "--port chooses among the packets of a capture: leave it out without --pcap");
        return APP_USAGE;
    }
    self.dialect = hy_robot_type_at((size_t)dialect)->dialect;
    if (hex.count > 0) {
        return dump_hex(&self, &hex);
    }
    return pcap != NULL ? dump_pcap(&self, pcap, (uint16_t)port) : dump_live(&self, listen);
}

int app_dump(int argc, char **argv)
{
    const char **const hex_items = calloc((size_t)argc, sizeof *hex_items);
    if (hex_items == NULL) {
        app_error(name, "there is not enough memory");
        return APP_FAILED;
    }
    const int result = decode(argc, argv, hex_items);
    free(hex_items);
    return result;
}
