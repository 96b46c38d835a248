#include "topics.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_name(const char *name)
{
    hy_hash hash = hy_hash_start();
    hy_hash_bytes(&hash, (hy_bytes){ (const uint8_t *)name, strlen(name) });
    return (uint32_t)(hash.value ^ hash.value >> 32);
}

static char *copy_text(const char *text, size_t size)
{
    char *const copy = malloc(size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

size_t nt_topics_find(const nt_topics *self, const char *name)
{
    const uint32_t hash = hash_name(name);
    for (size_t i = 0; i < self->count; i++) {
        if (self->at[i] != NULL && self->at[i]->hash == hash && strcmp(self->at[i]->name, name) == 0) {
            return i;
        }
    }
    return NT_TOPICS;
}

static void topic_free(nt_topic *topic)
{
    if (topic != NULL) {
        free(topic->name);
        free(topic->type);
        free(topic->properties);
        free(topic->value);
        free(topic);
    }
}

static nt_topic *topic_new(const char *name, const char *type)
{
    nt_topic *const topic = calloc(1, sizeof *topic);
    if (topic == NULL) {
        return NULL;
    }
    topic->name = copy_text(name, strlen(name));
    topic->type = copy_text(type, strlen(type));
    topic->properties = copy_text("{}", 2);
    if (topic->name == NULL || topic->type == NULL || topic->properties == NULL) {
        topic_free(topic);
        return NULL;
    }
    topic->hash = hash_name(name);
    topic->type_number = hy_nt4_type(type);
    return topic;
}

size_t nt_topics_add(nt_topics *self, const char *name, const char *type)
{
    size_t place = 0;
    while (place < self->count && self->at[place] != NULL) {
        place++;
    }
    const bool fits = place < NT_TOPICS && strlen(name) <= NT_NAME_MAX && strlen(type) <= NT_TYPE_MAX;
    nt_topic *const topic = fits ? topic_new(name, type) : NULL;
    if (topic == NULL) {
        return NT_TOPICS;
    }
    topic->id = ++self->next_id;
    self->at[place] = topic;
    self->count = place == self->count ? place + 1 : self->count;
    return place;
}

void nt_topics_remove(nt_topics *self, size_t place)
{
    topic_free(self->at[place]);
    self->at[place] = NULL;
}

void nt_topics_free(nt_topics *self)
{
    for (size_t i = 0; i < self->count; i++) {
        topic_free(self->at[i]);
    }
}

bool nt_topic_set_properties(nt_topic *topic, hy_bytes json)
{
    char *const copy =
        json.size <= NT_PROPERTIES_MAX ? copy_text((const char *)json.data, json.size) : NULL;
    if (copy == NULL) {
        return false;
    }
    free(topic->properties);
    topic->properties = copy;
    return true;
}

static bool is_number(int64_t type)
{
    return type >= HY_NT4_DOUBLE && type <= HY_NT4_FLOAT;
}

bool nt_topic_takes(const nt_topic *topic, const hy_nt4_value *value)
{
    return hy_nt4_value_fits(value) && (value->type == topic->type_number ||
                                        (is_number(value->type) && is_number(topic->type_number)));
}

bool nt_topic_set_value(nt_topic *topic, int64_t time_us, hy_bytes value)
{
    if (topic->has_value && time_us < topic->value_us) {
        return false;
    }
    if (value.size > topic->value_room) {
        uint8_t *const room = realloc(topic->value, value.size);
        if (room == NULL) {
            return false;
        }
        topic->value = room;
        topic->value_room = value.size;
    }
    memcpy(topic->value, value.data, value.size);
    topic->value_size = value.size;
    topic->value_us = time_us;
    topic->has_value = true;
    return true;
}

void nt_topic_forget_value(nt_topic *topic)
{
    free(topic->value);
    topic->value = NULL;
    topic->value_size = topic->value_room = 0;
    topic->has_value = false;
}
