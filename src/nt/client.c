#include "client.h"

#include <stdlib.h>
#include <string.h>

#define PERIOD_MAX_S 60.0

static void subscription_free(nt_subscription *subscription)
{
    for (size_t i = 0; i < subscription->count; i++) {
        free(subscription->patterns[i]);
    }
    free(subscription->patterns);
}

bool nt_client_open(nt_client *self)
{
    *self = (nt_client){
        .is_there = true,
        .is_dirty = true,
        .subscriptions = calloc(NT_SUBSCRIPTIONS, sizeof *self->subscriptions),
        .publishers = calloc(NT_PUBLISHERS, sizeof *self->publishers),
        .views = calloc(NT_TOPICS, sizeof *self->views),
        .pending = calloc(NT_TOPICS, sizeof *self->pending),
        .frame = malloc(NT_MESSAGE_MAX + HY_NT4_HEAD_MAX),
    };
    if (self->subscriptions == NULL || self->publishers == NULL || self->views == NULL ||
        self->pending == NULL || self->frame == NULL) {
        nt_client_close(self);
        return false;
    }
    return true;
}

void nt_client_close(nt_client *self)
{
    for (size_t i = 0; i < self->subscription_count; i++) {
        subscription_free(&self->subscriptions[i]);
    }
    free(self->subscriptions);
    free(self->publishers);
    free(self->views);
    free(self->pending);
    free(self->frame);
    *self = (nt_client){ .is_there = false };
}

// --------------------------------------------------------------------------- subscriptions

static bool read_patterns(nt_subscription *out, hy_json_items topics, size_t most)
{
    const char *key;
    const hy_json_value *topic;
    if (topics.left > most) {
        return false;
    }
    out->patterns = calloc(topics.left > 0 ? topics.left : 1, sizeof *out->patterns);
    while (out->patterns != NULL && hy_json_next(&topics, &key, &topic)) {
        const char *const text = hy_json_string(topic);
        const size_t size = text != NULL ? strlen(text) : NT_NAME_MAX + 1;
        if (size > NT_NAME_MAX) {
            continue; // no topic has such a name
        }
        char *const copy = malloc(size + 1);
        if (copy == NULL) {
            return false;
        }
        memcpy(copy, text, size + 1);
        out->patterns[out->count++] = copy;
    }
    return out->patterns != NULL;
}

static void forget_views(nt_client *self)
{
    for (size_t i = 0; i < NT_TOPICS; i++) {
        self->views[i].is_known = false;
    }
    self->is_dirty = true;
}

bool nt_client_subscribe(nt_client *self, const hy_nt4_message *message)
{
    nt_client_unsubscribe(self, message->uid);
    nt_subscription added = { .uid = message->uid, .options = message->options, .is_new = true };
    if (self->subscription_count == NT_SUBSCRIPTIONS ||
        !read_patterns(&added, message->topics, NT_PATTERNS - self->pattern_count)) {
        subscription_free(&added);
        return false;
    }
    self->subscriptions[self->subscription_count++] = added;
    self->pattern_count += added.count;
    forget_views(self);
    return true;
}

void nt_client_unsubscribe(nt_client *self, int64_t uid)
{
    for (size_t i = 0; i < self->subscription_count; i++) {
        nt_subscription *const at = &self->subscriptions[i];
        if (at->uid == uid) {
            self->pattern_count -= at->count;
            subscription_free(at);
            *at = self->subscriptions[--self->subscription_count];
            forget_views(self);
            return;
        }
    }
}

static bool matches(const nt_subscription *subscription, const char *topic)
{
    for (size_t i = 0; i < subscription->count; i++) {
        const char *const pattern = subscription->patterns[i];
        if (subscription->options.prefix ? strncmp(topic, pattern, strlen(pattern)) == 0 &&
                                               (topic[0] != '$' || pattern[0] == '$')
                                         : strcmp(topic, pattern) == 0) {
            return true;
        }
    }
    return false;
}

nt_view nt_client_view(const nt_client *self, const char *topic, bool *is_new)
{
    nt_view view = { .is_known = true, .period_us = INT64_MAX };
    *is_new = false;
    for (size_t i = 0; i < self->subscription_count; i++) {
        const nt_subscription *const at = &self->subscriptions[i];
        if (!matches(at, topic)) {
            continue;
        }
        view.is_announced = true;
        if (!at->options.topics_only) {
            const double period_s =
                at->options.period_s < PERIOD_MAX_S ? at->options.period_s : PERIOD_MAX_S;
            const int64_t period_us = (int64_t)(period_s * 1e6);
            view.wants_values = true;
            view.wants_all = view.wants_all || at->options.all;
            view.period_us = period_us < view.period_us ? period_us : view.period_us;
            *is_new = *is_new || at->is_new;
        }
    }
    return view;
}

// --------------------------------------------------------------------------- publishers

nt_publisher *nt_client_publisher(nt_client *self, int64_t uid)
{
    for (size_t i = 0; i < self->publisher_count; i++) {
        if (self->publishers[i].uid == uid) {
            return &self->publishers[i];
        }
    }
    return NULL;
}
