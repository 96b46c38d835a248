#include "doctor_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/json_text.h"
#include "options/options.h"
#include "system/system.h"
#include "text/text_plain.h"

#define WIDTH 92 // columns of a sentence

static double ms(double us)
{
    return us * 1e-3;
}

// --------------------------------------------------------------------------- sentences

static void print_item(const char *text)
{
    printf("  - ");
    hy_print_wrapped(text, WIDTH, 4);
}

static void print_findings(const doctor_target *target, bool is_trouble, const char *title)
{
    bool is_first = true;
    for (size_t i = 0; i < target->finding_count; i++) {
        if (target->findings[i].is_trouble == is_trouble) {
            hy_print(stdout, "%s", is_first ? title : "");
            print_item(target->findings[i].text);
            is_first = false;
        }
    }
}

bool doctor_has_trouble(const doctor_target *target)
{
    for (size_t i = 0; i < target->finding_count; i++) {
        if (target->findings[i].is_trouble) {
            return true;
        }
    }
    return false;
}

// --------------------------------------------------------------------------- one robot

static const char *manner_in_words(hy_robot_manner manner)
{
    switch (manner) {
    case HY_ROBOT_STREAMS:
        return "sends its statuses to the last sender, as the stock firmware does";
    case HY_ROBOT_ANSWERS: return "answers questions and keeps its owner, as Halyard's boards do";
    case HY_ROBOT_BORROWED: return "has answered, but its statuses go to another program";
    default: return "";
    }
}

static void print_spread(FILE *out, const char *label, const hy_robot_spread *spread)
{
    hy_print(out, "  %-14s median %.1f ms, 95 %% up to %.1f, 99 %% up to %.1f, most %.1f\n", label,
             ms((double)spread->median_us), ms((double)spread->p95_us), ms((double)spread->p99_us),
             ms((double)spread->most_us));
}

static void print_stream(FILE *out, const hy_robot_report *report)
{
    hy_print(out, "  %-14s %" PRIu64 " came, %" PRIu64 " got lost (%.1f %%)", "statuses",
             report->statuses, report->lost, 100.0 * report->loss);
    hy_print(out, report->late > 0 ? ", %" PRIu64 " came late or twice\n" : "\n", report->late);
    hy_print(out, "  %-14s %.1f a second came, %.1f a second were sent\n", "rate", report->rate_hz,
             report->sent_rate_hz);
    if (report->interval.count > 0) {
        print_spread(out, "interval", &report->interval);
        hy_print(out, "  %-14s %.1f ms (standard deviation of the intervals)\n", "jitter",
                 ms(report->interval.deviation_us));
    }
    hy_print(out, "  %-14s %.1f ms\n", "longest pause", ms((double)report->longest_silence_us));
    if (report->age_us != INT64_MAX) {
        hy_print(out, "  %-14s %.1f ms at the end\n", "age", ms((double)report->age_us));
    }
}

static void print_figures(FILE *out, const hy_robot_report *report)
{
    hy_print(out, "  %-14s %s, %s\n", "robot", report->dialect->name,
             manner_in_words(report->manner));
    hy_print(out, "  %-14s %s\n", "commands",
             report->is_commanded ? "50 a second that keep it disabled" : "none were sent");
    if (report->has_stream && report->is_owned && report->statuses == 0) {
        hy_print(out, "  %-14s none came here, they go to another program\n", "statuses");
    } else if (report->has_stream) {
        print_stream(out, report);
    } else if (report->foreign_rate_hz > 0.0) {
        hy_print(out, "  %-14s %.1f a second go to another program\n", "statuses",
                 report->foreign_rate_hz);
    }
    if (report->probes > 0) {
        hy_print(out, "  %-14s %" PRIu64 " of %" PRIu64 " answered\n", "questions", report->answers,
                 report->probes);
    }
    if (report->round_trip.count > 0) {
        print_spread(out, "round trip", &report->round_trip);
    } else if (report->manner == HY_ROBOT_STREAMS) {
        hy_print(out, "  %-14s cannot be measured: this robot answers on its own clock\n",
                 "round trip");
    }
}

void doctor_print_target(const doctor_target *target)
{
    const hy_robot_report *const report = &target->report;
    char address[HY_ENDPOINT_TEXT_MAX];
    hy_print(stdout, "%s at %s", target->url, hy_endpoint_format(&target->address, address));
    if (report->dialect != NULL) {
        printf(report->duration_us > 0 ? ", measured for %.1f s\n\n" : "\n\n",
               (double)report->duration_us * 1e-6);
        print_figures(stdout, report);
    } else {
        putchar('\n');
    }
    putchar('\n');
    print_findings(target, true, "Trouble:\n");
    if (!doctor_has_trouble(target)) {
        printf("Healthy.\n");
    }
    print_findings(target, false, "Good to know:\n");
}

// --------------------------------------------------------------------------- the report for others

// Where a robot is, without the address: nobody learns whose network it is in.
static const char *place_of(const hy_endpoint *address)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    if (strstr(hy_endpoint_format(address, text), HY_ROBOT_ACCESS_POINT ":") == text) {
        return "in its own Wi-Fi";
    }
    return hy_endpoint_is_loopback(address) ? "on this computer" : "in another network";
}

static void write_grades(FILE *out, const hy_conform_report *grades)
{
    fprintf(out, "\nconform, without motion: %zu passed, %zu failed, %zu not tested\n",
            grades->passed, grades->failed, grades->not_tested);
    for (size_t i = 0; i < grades->count; i++) {
        if (grades->results[i].verdict == HY_CONFORM_FAILED) {
            hy_print(out, "  failed         %s: %s\n", grades->results[i].test->id,
                     grades->results[i].came);
        }
    }
}

void doctor_write_report(FILE *out, const doctor_target *target, const char *calibration,
                         const hy_conform_report *grades)
{
    char system[HY_SYSTEM_ERROR_MAX];
    hy_system_name(system);
    hy_print(out, "Report of halyard doctor %s on %s\n\n", hy_version(), system);
    hy_print(out, "  %-14s %s\n", "place", place_of(&target->address));
    if (target->report.dialect != NULL) {
        hy_print(out, "  %-14s %s\n", "periods", target->report.has_periods ? "sent" : "not sent");
        print_figures(out, &target->report);
    }
    for (size_t i = 0; i < target->finding_count; i++) {
        hy_print(out, "  %-14s %s\n", target->findings[i].is_trouble ? "trouble" : "good to know",
                 hy_robot_finding_text(target->findings[i].kind));
    }
    if (calibration != NULL) { // a folder may have its owner's name
        const char *const slash = strrchr(calibration, '/');
        hy_print(out, "  %-14s %s\n", "calibration", slash != NULL ? slash + 1 : calibration);
    }
    if (grades != NULL) {
        write_grades(out, grades);
    }
}

// --------------------------------------------------------------------------- JSON

static void json_address(const hy_endpoint *address)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    json_key("address");
    json_text(hy_endpoint_format(address, text));
}

static void json_dialect(const hy_dialect *dialect)
{
    json_key("dialect");
    dialect != NULL ? json_text(dialect->name) : (void)printf("null");
}

static void json_spread(const char *key, const hy_robot_spread *spread)
{
    json_key(key);
    if (spread->count == 0) {
        printf("null");
        return;
    }
    printf("{\"count\":%zu,\"least_ms\":%.3f,\"median_ms\":%.3f,\"p95_ms\":%.3f,\"p99_ms\":%.3f,"
           "\"most_ms\":%.3f,\"mean_ms\":%.3f,\"deviation_ms\":%.3f}",
           spread->count, ms((double)spread->least_us), ms((double)spread->median_us),
           ms((double)spread->p95_us), ms((double)spread->p99_us), ms((double)spread->most_us),
           ms(spread->mean_us), ms(spread->deviation_us));
}

static const char *json_bool(bool value)
{
    return value ? "true" : "false";
}

static void json_report(const hy_robot_report *report)
{
    json_key("manner");
    json_text(hy_robot_manner_text(report->manner));
    hy_print(stdout, ",\"commanded\":%s,\"owned\":%s,\"foreign_rate_hz\":%.3f,\"duration_s\":%.3f,",
             json_bool(report->is_commanded), json_bool(report->is_owned), report->foreign_rate_hz,
             (double)report->duration_us * 1e-6);
    printf("\"statuses\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"late\":%" PRIu64
           ",\"restarts\":%" PRIu64 ",\"malformed\":%" PRIu64 ",\"others\":%" PRIu64
           ",\"asked_again\":%" PRIu64 ",",
           report->statuses, report->lost, report->late, report->restarts, report->malformed,
           report->others, report->asked_again);
    if (report->has_stream) {
        printf("\"rate_hz\":%.3f,\"sent_rate_hz\":%.3f,\"loss\":%.6f,\"longest_silence_ms\":%.3f,",
               report->rate_hz, report->sent_rate_hz, report->loss,
               ms((double)report->longest_silence_us));
    } else {
        printf("\"rate_hz\":null,\"sent_rate_hz\":null,\"loss\":null,\"longest_silence_ms\":null,");
    }
    printf(report->age_us != INT64_MAX ? "\"age_ms\":%.3f," : "\"age_ms\":null,",
           ms((double)report->age_us));
    json_spread("interval", &report->interval);
    printf(",\"probes\":%" PRIu64 ",\"answers\":%" PRIu64 ",", report->probes, report->answers);
    json_spread("round_trip", &report->round_trip);
}

void doctor_print_target_json(const doctor_target *target)
{
    printf("{");
    json_key("url");
    json_text(target->url);
    putchar(',');
    json_address(&target->address);
    putchar(',');
    json_dialect(target->report.dialect);
    putchar(',');
    json_report(&target->report);
    hy_print(stdout, ",\"healthy\":%s,\"findings\":[", json_bool(!doctor_has_trouble(target)));
    for (size_t i = 0; i < target->finding_count; i++) {
        const hy_robot_finding *const finding = &target->findings[i];
        hy_print(stdout, "%s{\"kind\":\"%s\",\"trouble\":%s,\"text\":", i > 0 ? "," : "",
                 hy_robot_finding_text(finding->kind), json_bool(finding->is_trouble));
        json_text(finding->text);
        putchar('}');
    }
    printf("]}\n");
}

void doctor_print_failure_json(const char *url, const char *sentence)
{
    printf("{");
    json_key("url");
    json_text(url);
    printf(",\"healthy\":false,\"error\":");
    json_text(sentence);
    printf("}\n");
}

// --------------------------------------------------------------------------- a search

static const char *search_in_words(const hy_robot_candidate *candidate)
{
    if (candidate->statuses == 0) {
        return "something else than a robot uses that port";
    }
    return candidate->late_statuses > 1 ? "nobody commands it"
                                        : "answered once (somebody may command it)";
}

// "xrp://127.0.0.1", with the port only where it is not every robot's.
static const char *url_of(const hy_robot_candidate *candidate, char url[HY_ENDPOINT_TEXT_MAX + 16])
{
    char address[HY_ENDPOINT_TEXT_MAX];
    hy_endpoint_format(&candidate->address, address);
    if (candidate->address.port == HY_WIRE_PORT) {
        *strrchr(address, ':') = '\0';
    }
    snprintf(url, HY_ENDPOINT_TEXT_MAX + 16, "%s://%s", candidate->dialect->name, address);
    return url;
}

static void print_candidate(const hy_robot_candidate *candidate)
{
    char text[HY_ENDPOINT_TEXT_MAX + 16];
    if (candidate->statuses == 0) {
        hy_print(stdout, "  %-32s %10s   %s\n", hy_endpoint_format(&candidate->address, text), "-",
                 search_in_words(candidate));
        return;
    }
    hy_print(stdout, "  %-32s %7.1f ms   %s\n", url_of(candidate, text),
             ms((double)(candidate->answered_us - candidate->asked_us)), search_in_words(candidate));
}

static void print_advice(const doctor_search *found)
{
    char url[HY_ENDPOINT_TEXT_MAX + 16];
    for (size_t i = 0; i < found->search->count; i++) {
        if (found->search->candidates[i].statuses > 0) {
            hy_print(stdout, "\nLook closer with: halyard doctor %s\n",
                     url_of(&found->search->candidates[i], url));
            return;
        }
    }
    printf("\nNo robot answers.\n");
    print_item(found->is_in_robots_wifi
                   ? "This computer is in the network of an XRP's own Wi-Fi: is the robot switched "
                     "on, and "
                     "is WPILib's firmware on it (not MicroPython)?"
                   : "At " HY_ROBOT_ACCESS_POINT
                     " an XRP is in the Wi-Fi that it makes itself (XRP-xxxx): this "
                     "computer is not connected to it.");
    print_item("If you know the robot's address, name it: halyard doctor xrp://192.168.1.23");
    if (!found->is_sweep) {
        print_item("In a network that is yours to ask around in: halyard doctor --sweep");
    }
    print_item("Without a robot: 'halyard board xrp' starts a virtual one.");
    print_item(
        "A robot that another program commands may stay silent: its statuses go to that program.");
}

static void print_too_large(const doctor_search *found)
{
    char own[HY_ENDPOINT_TEXT_MAX];
    for (size_t i = 0; i < found->too_large_count; i++) {
        const hy_robot_network *const network = &found->too_large[i];
        hy_endpoint_format(&network->own, own);
        *strrchr(own, ':') = '\0';
        hy_print(
            stdout,
            "Not swept: %s (%s/%u) has %" PRIu32
            " addresses, too many to ask in a network that others share. Name the robot instead.\n",
            network->name, own, network->prefix_bits, hy_robot_network_hosts(network));
    }
}

void doctor_print_search(const doctor_search *found)
{
    const hy_robot_search *const search = found->search;
    print_too_large(found);
    hy_print(stdout, "Asked %zu addresses once each; %zu robot%s answered.\n", search->asked,
             search->found, search->found == 1 ? "" : "s");
    bool is_first = true;
    for (size_t i = 0; i < search->count; i++) {
        if (search->candidates[i].statuses > 0 || search->candidates[i].others > 0) {
            if (is_first) {
                hy_print(stdout, "\n  %-32s %10s   %s\n", "robot", "after", "how");
            }
            is_first = false;
            print_candidate(&search->candidates[i]);
        }
    }
    print_advice(found);
}

static void json_candidate(const hy_robot_candidate *candidate)
{
    char url[HY_ENDPOINT_TEXT_MAX + 16];
    printf("{");
    json_address(&candidate->address);
    putchar(',');
    json_dialect(candidate->dialect);
    if (candidate->dialect != NULL) {
        printf(",\"url\":");
        json_text(url_of(candidate, url));
        printf(",\"answer_ms\":%.3f", ms((double)(candidate->answered_us - candidate->asked_us)));
    }
    hy_print(stdout, ",\"statuses\":%" PRIu32 ",\"others\":%" PRIu32 ",\"streams\":%s}",
             candidate->statuses, candidate->others, json_bool(candidate->late_statuses > 1));
}

void doctor_print_search_json(const doctor_search *found)
{
    const hy_robot_search *const search = found->search;
    printf("{\"asked\":%zu,\"robots\":%zu,\"answers\":[", search->asked, search->found);
    const char *separator = "";
    for (size_t i = 0; i < search->count; i++) {
        if (search->candidates[i].statuses > 0 || search->candidates[i].others > 0) {
            hy_print(stdout, "%s", separator);
            json_candidate(&search->candidates[i]);
            separator = ",";
        }
    }
    printf("],\"not_swept\":[");
    for (size_t i = 0; i < found->too_large_count; i++) {
        hy_print(stdout, "%s{\"name\":", i > 0 ? "," : "");
        json_text(found->too_large[i].name);
        printf(",\"prefix_bits\":%u}", found->too_large[i].prefix_bits);
    }
    printf("]}\n");
}
