// `halyard dump`: packets of robots and messages of the simulator, decoded.
#include <halyard/link.h>
#include <halyard/wire.h>

#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "cli/app.h"
#include "cli/robot_choices.h"
#include "hex.h"
#include "host/host_loop.h"
#include "host/host_ready.h"
#include "icd_print.h"
#include "options/options.h"
#include "robot/packet_print.h"
#include "system/system.h"
#include "text/text_plain.h"

#define FRAMES_A_TURN 256 // an interface that never rests must not keep signals waiting

static const char name[] = "halyard dump";

typedef struct {
    const hy_dialect *dialect;
    hy_icd_reader *reader; // made by the first message of the simulator
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

// False after a sentence: there is no memory for a reader.
static bool show_message(dump *self, icd_print_meaning meaning, hy_bytes bytes, const char *title)
{
    self->reader = self->reader != NULL ? self->reader : hy_icd_reader_open();
    if (self->reader == NULL) {
        hy_print_error(name, "there is not enough memory");
        return false;
    }
    self->shown++;
    if (self->json) {
        icd_print_json(stdout, self->reader, meaning, bytes);
    } else {
        icd_print_text(stdout, self->reader, meaning, bytes, title);
    }
    return true;
}

// --------------------------------------------------------------------------- --hex

static int dump_hex(dump *self, const hy_option_list *hex)
{
    static uint8_t bytes[65507]; // UDP over IPv4 carries no more
    for (size_t i = 0; i < hex->count; i++) {
        hex_error error;
        const int size = hex_read(hex->items[i], bytes, sizeof bytes, &error);
        if (size < 0) {
            hy_print_error(name, "--hex: %s", error.text);
            return APP_USAGE;
        }
        char title[32];
        snprintf(title, sizeof title, "#%" PRIu64, self->shown + 1);
        show(self, (hy_bytes){ bytes, (size_t)size }, title);
    }
    return APP_OK;
}

// --------------------------------------------------------------------------- --pcap

// Which datagrams of a capture are shown: 0 are the robots' and the simulator's.
#define PORTS_KNOWN 0
#define PORTS_ALL   (-1)

typedef struct {
    dump *dump;
    pcap_t *source;
    const char *title; // a file's path, an interface's name
    int port;
    uint64_t fragments, cut, other;
    bool has_failed;
    hy_host_loop *loop; // of an interface
} frame_reader;

static bool is_of_port(const capture_datagram *datagram, int port)
{
    return datagram->from.port == port || datagram->to.port == port;
}

static bool is_wanted(const capture_datagram *datagram, int port)
{
    icd_print_meaning meaning;
    if (port == PORTS_KNOWN) {
        return is_of_port(datagram, HY_WIRE_PORT) ||
               icd_print_find(datagram->to.port, datagram->payload, &meaning);
    }
    return port == PORTS_ALL || is_of_port(datagram, port);
}

static bool show_frame(dump *self, const struct pcap_pkthdr *header, const capture_datagram *datagram)
{
    char title[32 + 2 * HY_ENDPOINT_TEXT_MAX], from[HY_ENDPOINT_TEXT_MAX], to[HY_ENDPOINT_TEXT_MAX];
    snprintf(title, sizeof title, "%lld.%06ld  %s > %s", (long long)header->ts.tv_sec,
             (long)header->ts.tv_usec, hy_endpoint_format(&datagram->from, from),
             hy_endpoint_format(&datagram->to, to));
    icd_print_meaning meaning;
    if (!is_of_port(datagram, HY_WIRE_PORT) &&
        icd_print_find(datagram->to.port, datagram->payload, &meaning)) {
        return show_message(self, meaning, datagram->payload, title);
    }
    show(self, datagram->payload, title);
    return true;
}

// What is shown of a file if nobody chose a port: what is known where the capture has any of it, so that a
// classroom's other traffic stays out, else everything.
static int ports_of_capture(const char *path)
{
    char error[PCAP_ERRBUF_SIZE];
    if (hy_file_look(path, NULL) != HY_FILE_REGULAR) { // a pipe can be read only once
        return PORTS_ALL;
    }
    pcap_t *const file = pcap_open_offline(path, error);
    if (file == NULL) { // is told when it is read
        return PORTS_ALL;
    }
    int found = PORTS_ALL;
    const int link_type = pcap_datalink(file);
    struct pcap_pkthdr *header;
    const u_char *data;
    while (found == PORTS_ALL && pcap_next_ex(file, &header, &data) == 1) {
        capture_datagram datagram;
        const hy_bytes frame = { data, header->caplen };
        if (capture_knows(link_type) &&
            capture_read(link_type, frame, &datagram) == CAPTURE_DATAGRAM &&
            is_wanted(&datagram, PORTS_KNOWN)) {
            found = PORTS_KNOWN;
        }
    }
    pcap_close(file);
    return found;
}

static bool knows_link_type(pcap_t *source, const char *title)
{
    const int link_type = pcap_datalink(source);
    if (!capture_knows(link_type)) {
        const char *const type = pcap_datalink_val_to_name(link_type);
        hy_print_error(
            name,
            "%s: frames of link type %d (%s) are not understood; capture on Ethernet, loopback "
            "or 'any'",
            title, link_type, type != NULL ? type : "which has no name");
        return false;
    }
    return true;
}

// Shows what there is, FRAMES_A_TURN at most. False: no more can be read, for whatever reason pcap_geterr() gives, or has_failed.
static bool read_frames(frame_reader *self)
{
    const int link_type = pcap_datalink(self->source);
    struct pcap_pkthdr *header;
    const u_char *data;
    int got = 0;
    for (int i = 0; i < FRAMES_A_TURN && !self->has_failed &&
                    (got = pcap_next_ex(self->source, &header, &data)) == 1;
         i++) {
        capture_datagram datagram;
        const hy_bytes frame = { data, header->caplen };
        const capture_kind kind = capture_read(link_type, frame, &datagram);
        self->fragments += kind == CAPTURE_FRAGMENT;
        self->cut += kind == CAPTURE_CUT;
        if (kind == CAPTURE_DATAGRAM && is_wanted(&datagram, self->port)) {
            self->has_failed = !show_frame(self->dump, header, &datagram);
        } else {
            self->other += kind == CAPTURE_DATAGRAM || kind == CAPTURE_OTHER;
        }
    }
    if (!self->has_failed && got == PCAP_ERROR) {
        hy_print_error(name, "%s: after %" PRIu64 " packets: %s", self->title, self->dump->shown,
                       pcap_geterr(self->source));
        self->has_failed = true;
    }
    fflush(stdout);
    return !self->has_failed && got >= 0;
}

static int report_frames(const frame_reader *self)
{
    if (self->has_failed) {
        return APP_FAILED;
    }
    char of_port[40] = "";
    if (self->port > 0) {
        snprintf(of_port, sizeof of_port, " of port %d", self->port);
    } else if (self->port == PORTS_KNOWN) {
        snprintf(of_port, sizeof of_port, " of robots and the simulator");
    }
    hy_print(stderr,
             "%s: %" PRIu64 " packets%s; skipped: %" PRIu64 " others, %" PRIu64
             " fragments, %" PRIu64 " cut short\n",
             self->title, self->dump->shown, of_port, self->other, self->fragments, self->cut);
    return APP_OK;
}

static int dump_pcap(dump *self, const char *path, uint16_t wanted_port)
{
    const int port = wanted_port != 0 ? wanted_port : ports_of_capture(path);
    char error[PCAP_ERRBUF_SIZE] = "";
    pcap_t *const file = pcap_open_offline(path, error);
    if (file == NULL) {
        // Some of libpcap's sentences begin with the path, some do not.
        const size_t length = strlen(path);
        const bool has_path = strncmp(error, path, length) == 0 && error[length] == ':';
        hy_print_error(name, "--pcap %s:%s%s; name a capture of tcpdump or Wireshark", path,
                       has_path ? "" : " ", has_path ? error + length + 1 : error);
        return APP_FAILED;
    }
    frame_reader reader = { .dump = self, .source = file, .title = path, .port = port };
    reader.has_failed = !knows_link_type(file, path);
    while (!reader.has_failed && read_frames(&reader)) {
    }
    pcap_close(file);
    return report_frames(&reader);
}

// --------------------------------------------------------------------------- --interface

static void on_frames(void *context, int64_t now_us)
{
    (void)now_us;
    frame_reader *const self = context;
    if (!read_frames(self)) {
        hy_host_loop_quit(self->loop);
    }
}

// An interface whose UDP packets are delivered at once; NULL after a sentence.
static pcap_t *open_interface(const char *interface)
{
    char error[PCAP_ERRBUF_SIZE] = "";
    pcap_t *const source = pcap_create(interface, error);
    if (source == NULL) {
        hy_print_error(name, "--interface %s: %s", interface, error);
        return NULL;
    }
    pcap_set_snaplen(source, 65535 + 64);
    pcap_set_immediate_mode(source, 1);
    const int status = pcap_activate(source);
    if (status < 0) {
        const char *const advice =
            status == PCAP_ERROR_PERM_DENIED ? "; run it as root, or give it cap_net_raw" : "";
        const char *const why = pcap_geterr(source);
        hy_print_error(name, "--interface %s: %s%s%s%s", interface, pcap_statustostr(status),
                       *why != '\0' ? ": " : "", why, advice);
        pcap_close(source);
        return NULL;
    }
    struct bpf_program filter;
    if (pcap_compile(source, &filter, "udp", 1, PCAP_NETMASK_UNKNOWN) == 0) {
        pcap_setfilter(source, &filter); // without it the other packets are skipped here
        pcap_freecode(&filter);
    }
    pcap_setnonblock(source, 1, error);
    return source;
}

static int dump_interface(dump *self, const char *interface, uint16_t port)
{
    hy_host_loop loop;
    frame_reader reader = { .dump = self, .title = interface, .port = port, .loop = &loop };
    reader.source = open_interface(interface);
    if (reader.source == NULL) {
        return APP_FAILED;
    }
    bool ok = knows_link_type(reader.source, interface);
    if (ok) {
        hy_host_loop_init(&loop, name);
        hy_host_loop_watch(&loop, pcap_get_selectable_fd(reader.source), on_frames, &reader);
        ok = hy_host_loop_start(&loop);
    }
    if (ok) {
        hy_ready_line ready = { .pairs = "" };
        hy_ready_line_add(&ready, "interface", "%s", interface);
        hy_ready_line_print(&ready, stderr);
        ok = hy_host_loop_run(&loop);
    }
    pcap_close(reader.source);
    return ok ? report_frames(&reader) : APP_FAILED;
}

// --------------------------------------------------------------------------- --listen

typedef struct {
    dump *dump;
    hy_link *link;
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

static bool open_live(hy_link *link, const char *address)
{
    hy_endpoint local;
    const int found = hy_link_resolve(address, HY_WIRE_PORT, &local, 1);
    if (found < 1) {
        hy_print_error(
            name,
            "--listen %s: %s; give an address of this machine, as in 127.0.0.1:3540 or [::]:3540",
            address, hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
        return false;
    }
    const hy_status status = hy_link_open(link, &local);
    if (status != HY_OK) {
        const char *why =
            status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status);
        char owner[HY_PORT_OWNER_MAX];
        hy_print_error(name, "cannot listen on %s: %s; choose another address or port%s", address,
                       why, hy_port_owner(status, local.port, false, owner));
    }
    return status == HY_OK;
}

static int dump_live(dump *self, const char *address)
{
    static hy_link link;
    hy_host_loop loop;
    dump_listener listener = { self, &link };
    if (!open_live(&link, address)) {
        return APP_FAILED;
    }
    hy_host_loop_init(&loop, name);
    hy_host_loop_watch(&loop, hy_link_descriptor(&link), on_readable, &listener);
    bool ok = hy_host_loop_start(&loop);
    if (ok) {
        char text[HY_ENDPOINT_TEXT_MAX];
        // Not among the packets: stdout may be a pipe into a JSON reader.
        hy_ready_line ready = { .pairs = "" };
        hy_ready_line_add_address(&ready, "udp", &link.local);
        hy_ready_line_print(&ready, stderr);
        hy_print(stderr, "listening on %s\n", hy_endpoint_format(&link.local, text));
        ok = hy_host_loop_run(&loop);
    }
    hy_link_close(&link);
    return ok ? APP_OK : APP_FAILED;
}

// --------------------------------------------------------------------------- the subcommand

typedef struct {
    hy_option_list hex;
    const char *pcap, *interface, *listen;
    double port;
    int robot;
    bool json;
} dump_options;

static int decode(int argc, char **argv, const char **hex_items)
{
    dump_options o = { .hex = { .items = hex_items, .room = (size_t)argc } };
    robot_choices robots;
    robot_choices_fill(&robots);
    // clang-format off
    const hy_option options[] = {
        { HY_OPTION(LIST, dump_options, hex), .name = "hex", .value = "BYTES", .help = "decode these bytes: \"0001 01 0612003f000000\"; repeatable" },
        { HY_OPTION(TEXT, dump_options, pcap), .name = "pcap", .value = "FILE", .reads = true, .help = "decode the packets of a capture (tcpdump, Wireshark); '-' is the standard input" },
        { HY_OPTION(NUMBER, dump_options, port), .name = "port", .value = "PORT", .low = 1, .high = 65535, .help = "with --pcap and --interface: from or to this UDP port (default: a robot's and the simulator's; of a file without any, all)" },
        { HY_OPTION(TEXT, dump_options, interface), .name = "interface", .value = "NAME", .help = "decode what passes through this network interface, until Ctrl-C: lo, eth0, any" },
        { HY_OPTION(TEXT, dump_options, listen), .name = "listen", .value = "ADDR:PORT", .help = "decode what arrives there, until Ctrl-C" },
        { HY_OPTION(CHOICE, dump_options, robot), .name = "dialect", .choices = robots.types, .help = "which robot the packets belong to (default xrp)" },
        { HY_OPTION(FLAG, dump_options, json), .name = "json", .help = "print JSON, one line per packet" },
    };
    // clang-format on
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
        "The simulator's messages (docs/spec/icd.md) are known by the ports where they arrive:\n"
        "{\"message\":\"commands\",\"player\":1,\"body\":{...},\"error\":null}\n"
        "\n"
        "  halyard dump --hex \"0001 01 06 12 00 3f000000\"\n"
        "  tcpdump -i any -w - udp port 3540 | halyard dump --pcap - --json";
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, options, &o) };
    const hy_command_line line = { name, "decodes packets of robots and messages of the simulator",
                                   groups, 1, notes };
    const hy_options_result result = hy_options_parse(&line, argc, argv);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    if ((o.hex.count > 0) + (o.pcap != NULL) + (o.interface != NULL) + (o.listen != NULL) != 1) {
        hy_print_error(name, "say what to decode: one of --hex, --pcap, --interface and --listen");
        return APP_USAGE;
    }
    if (o.port != 0 && o.pcap == NULL && o.interface == NULL) {
        hy_print_error(name, "--port chooses among the packets of a capture: leave it out without "
                             "--pcap or --interface");
        return APP_USAGE;
    }
    dump self = { .dialect = hy_robot_type_at((size_t)o.robot)->dialect, .json = o.json };
    const uint16_t port = (uint16_t)o.port;
    const int status = o.hex.count > 0       ? dump_hex(&self, &o.hex)
                       : o.pcap != NULL      ? dump_pcap(&self, o.pcap, port)
                       : o.interface != NULL ? dump_interface(&self, o.interface, port)
                                             : dump_live(&self, o.listen);
    hy_icd_reader_close(self.reader);
    return status;
}

int app_dump(int argc, char **argv)
{
    const char **const hex_items = calloc((size_t)argc, sizeof *hex_items);
    if (hex_items == NULL) {
        hy_print_error(name, "there is not enough memory");
        return APP_FAILED;
    }
    const int result = decode(argc, argv, hex_items);
    free(hex_items);
    return result;
}
