#include "conform_print.h"

#include "cli/json_text.h"
#include "options/options.h"
#include "text/text_plain.h"

#define WIDTH  100
#define INDENT 14 // of what stands behind a label

static const char *const verdicts[] = {
    [HY_CONFORM_PASSED] = "passed",
    [HY_CONFORM_FAILED] = "FAILED",
    [HY_CONFORM_NOT_TESTED] = "not tested",
};

// --------------------------------------------------------------------------- for people

static void print_labelled(const char *label, const char *text)
{
    hy_print(stdout, "    %-10s", label);
    hy_print_wrapped(text, WIDTH - INDENT, INDENT);
}

static void print_failure(const hy_conform_result *result)
{
    hy_print(stdout, "\n  %s  %s\n", result->test->id, result->test->title);
    print_labelled("sent", result->test->sent);
    print_labelled("expected", result->test->expected);
    print_labelled("came", result->came);
    print_labelled("matters", result->test->why);
    if (result->test->known != NULL) {
        print_labelled("known", result->test->known);
    }
}

static void print_failures(const hy_conform_report *report)
{
    if (report->failed > 0) {
        printf("\nDefects:\n");
    }
    for (size_t i = 0; i < report->count; i++) {
        if (report->results[i].verdict == HY_CONFORM_FAILED) {
            print_failure(&report->results[i]);
        }
    }
}

void conform_print(const hy_conform_report *report, const char *url)
{
    if (report->stopped_answering != SIZE_MAX) {
        hy_print(
            stdout,
            "SWITCH THE ROBOT OFF: it stopped answering in the test %s, and may be moving.\n\n",
            report->results[report->stopped_answering].test->id);
    }
    hy_print(stdout, "%s at %s\n\n", url, report->address);
    for (size_t i = 0; i < report->count; i++) {
        const hy_conform_result *const result = &report->results[i];
        hy_print(stdout, "  %-10s  %-27s %s\n", verdicts[result->verdict], result->test->id,
                 result->verdict == HY_CONFORM_PASSED ? result->test->title : result->came);
    }
    print_failures(report);
    printf("\n%zu passed, %zu failed, %zu not tested.\n", report->passed, report->failed,
           report->not_tested);
}

// --------------------------------------------------------------------------- JSON

static void json_member(const char *key, const char *text)
{
    json_key(key);
    json_text(text);
}

static const char *verdict_word(hy_conform_verdict verdict)
{
    return verdict == HY_CONFORM_PASSED   ? "passed"
           : verdict == HY_CONFORM_FAILED ? "failed"
                                          : "not tested";
}

static void print_result_json(const hy_conform_result *result)
{
    printf("{\"type\":\"test\",");
    json_member("id", result->test->id);
    hy_print(stdout, ",\"verdict\":\"%s\",", verdict_word(result->verdict));
    json_member("title", result->test->title);
    putchar(',');
    json_member("sent", result->test->sent);
    putchar(',');
    json_member("expected", result->test->expected);
    putchar(',');
    json_member("came", result->came);
    putchar(',');
    json_member("why", result->test->why);
    if (result->test->known != NULL) {
        putchar(',');
        json_member("known", result->test->known);
    }
    printf(",\"attempts\":%u,\"took_s\":%.3f}\n", result->attempts, result->took_s);
}

void conform_print_json(const hy_conform_report *report, const char *url)
{
    for (size_t i = 0; i < report->count; i++) {
        print_result_json(&report->results[i]);
    }
    printf("{\"type\":\"sum\",");
    json_member("url", url);
    putchar(',');
    json_member("address", report->address);
    putchar(',');
    json_member("robot", report->dialect->name);
    hy_print(stdout, ",\"passed\":%zu,\"failed\":%zu,\"not_tested\":%zu,\"stopped_answering\":%s}\n",
             report->passed, report->failed, report->not_tested,
             report->stopped_answering != SIZE_MAX ? "true" : "false");
}

void conform_print_json_error(const char *url, const char *why)
{
    printf("{\"type\":\"error\",");
    json_member("url", url);
    putchar(',');
    json_member("why", why);
    puts("}");
}

// --------------------------------------------------------------------------- JUnit

static void print_xml_text(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        switch (*c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*c < 0x20 ? ' ' : *c, out); // XML 1.0 has no other control characters
        }
    }
}

/// A sentence after others; NULL: nothing.
static void print_xml_part(FILE *out, const char *label, const char *text)
{
    if (text != NULL) {
        fputs(label, out);
        print_xml_text(out, text);
    }
}

static void print_case(FILE *out, const hy_conform_result *result, const char *url)
{
    fputs("  <testcase classname=\"", out);
    print_xml_text(out, url);
    hy_print(out, "\" name=\"%s\" time=\"%.3f\">", result->test->id, result->took_s);
    if (result->verdict != HY_CONFORM_PASSED) {
        const bool has_failed = result->verdict == HY_CONFORM_FAILED;
        fputs(has_failed ? "<failure message=\"" : "<skipped message=\"", out);
        print_xml_text(out, result->came);
        fputs("\">", out);
        print_xml_text(out, result->test->title);
        print_xml_part(out, ". Sent: ", result->test->sent);
        print_xml_part(out, ". Expected: ", result->test->expected);
        print_xml_part(out, ". Why it matters: ", result->test->why);
        print_xml_part(out, " Known: ", result->test->known);
        fputs(has_failed ? "</failure>" : "</skipped>", out);
    }
    fputs("</testcase>\n", out);
}

void conform_print_junit(FILE *out, const hy_conform_report *report, const char *url)
{
    double took_s = 0.0;
    for (size_t i = 0; i < report->count; i++) {
        took_s += report->results[i].took_s;
    }
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"halyard conform\" "
            "tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"0\" time=\"%.3f\">\n",
            report->count, report->failed, report->not_tested, took_s);
    for (size_t i = 0; i < report->count; i++) {
        print_case(out, &report->results[i], url);
    }
    fputs("</testsuite>\n", out);
}

void conform_print_junit_error(FILE *out, const char *url, const char *why)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"halyard conform\" "
          "tests=\"1\" failures=\"0\" skipped=\"0\" errors=\"1\" time=\"0.000\">\n  <testcase "
          "classname=\"",
          out);
    print_xml_text(out, url);
    fputs("\" name=\"run\" time=\"0.000\"><error message=\"", out);
    print_xml_text(out, why);
    fputs("\"></error></testcase>\n</testsuite>\n", out);
}
