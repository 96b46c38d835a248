// LINK: robot link wire base
// A check in conversation with anything: whatever comes, whenever, it asks no more than it may, sends a command only
// when it was told that it may, ends in time, and what it reports makes sense.
//
// Input: [options][records of [socket and wait][size][bytes of one datagram]].
#include <halyard/robot.h>
#include <halyard/wire.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/robot/check.h"

#define DURATION_US 1000000
#define ASKING_US   1848000
#define SAMPLES     64

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

typedef struct {
    unsigned probes, commands;
    bool is_exclusive;
} asked;

static void ask(hy_robot_check *check, asked *so_far, int64_t now_us)
{
    hy_robot_question question;
    for (int i = 0; hy_robot_check_ask(check, now_us, &question); i++) {
        require(i < 8, "it asks without end");
        so_far->probes += question.is_probe;
        so_far->commands += !question.is_probe;
        require(question.is_probe == (question.size == 1), "a probe has one byte, a command more");
        require(question.is_probe || question.data[2] == 0, "a command enables");
    }
    require(so_far->is_exclusive || so_far->commands == 0, "a command without leave");
    require(hy_robot_check_is_over(check, now_us) || hy_robot_check_due_us(check) > now_us,
            "it is due, but does nothing");
}

static void judge(const hy_robot_report *report, const asked *so_far)
{
    require(report->loss >= 0.0 && report->loss <= 1.0, "loss is no share");
    require(report->answers <= report->probes, "more answers than questions");
    require(report->probes <= so_far->probes, "more probes than were sent");
    require(so_far->commands == 0 || report->manner != HY_ROBOT_BORROWED,
            "a borrowed robot was commanded");
    require(report->rate_hz >= 0.0 && report->sent_rate_hz >= report->rate_hz,
            "rates make no sense");
    require(report->interval.least_us <= report->interval.median_us &&
                report->interval.p95_us <= report->interval.most_us,
            "a spread is out of order");
    hy_robot_finding found[HY_FINDINGS];
    const hy_endpoint address = { .ip = { 1 }, .port = 1 };
    const size_t count = hy_robot_findings(report, "xrp://fuzz", &address, found, HY_FINDINGS);
    require(report->dialect != NULL || count == 1, "no robot, and no word about it");
    for (size_t i = 0; i < count; i++) {
        require(strlen(found[i].text) > 20, "a finding without a sentence");
        require(i == 0 || found[i - 1].is_trouble || !found[i].is_trouble,
                "trouble stands behind a note");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    int64_t samples[SAMPLES];
    hy_robot_check check;
    asked so_far = { .is_exclusive = (data[0] & 1) != 0 };
    const hy_robot_check_options options = {
        .dialect = (data[0] & 2) != 0 ? &hy_dialect_teensy : &hy_dialect_xrp,
        .duration_us = DURATION_US,
        .is_exclusive = so_far.is_exclusive,
    };
    int64_t now_us = 0;
    hy_robot_check_start(&check, &options, (hy_robot_samples){ samples, data[0] >> 2, 0 }, now_us);
    for (size_t at = 1; at + 2 <= size;) {
        static const int64_t waits_us[] = { 0, 1000, 20000, 50000, 160000, 300000, 450000, 600000 };
        const size_t left = size - at - 2;
        const size_t length = data[at + 1] < left ? data[at + 1] : left;
        now_us += waits_us[data[at] & 7];
        ask(&check, &so_far, now_us);
        uint8_t *const copy =
            malloc(length > 0 ? length : 1); // its exact size, so that a read too far is seen
        memcpy(copy, data + at + 2, length);
        hy_robot_check_take(&check, (data[at] & 8) == 0, (hy_bytes){ copy, length }, now_us);
        free(copy);
        at += 2 + length;
    }
    require(now_us < ASKING_US + DURATION_US || hy_robot_check_is_over(&check, now_us),
            "it does not end");
    const hy_robot_report report = hy_robot_check_end(&check, now_us);
    judge(&report, &so_far);
    return 0;
}
