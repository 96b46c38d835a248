

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "config.h"
#include "text/text.h"

/// A node of ours is one of libyaml's.
static const yaml_node_t *theirs(const hy_yaml_node *node)
{
    return (const yaml_node_t *)(const void *)node;
}

// --------------------------------------------------------------------------- telling errors

/// Text of a user's file as it may stand in a message: printable and short.
typedef struct {
    char text[32];
} quoted;

static quoted quote(const char *text)
{
    quoted out = { "" };
    size_t i = 0;
    for (; i < sizeof out.text - 4 && text[i] != '\0'; i++) {
        out.text[i] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
    }
    memcpy(out.text + i, text[i] != '\0' ? "..." : "", text[i] != '\0' ? 4 : 1);
    return out;
}

void hy_yaml_tell(hy_yaml *yaml, hy_status status, hy_yaml_mark mark, const char *what)
{
    if (yaml->status == HY_OK) {
        yaml->status = status;
        snprintf(yaml->error, yaml->error_size, "%s:%zu:%zu: %s", yaml->name, mark.line + 1,
                 mark.column + 1, what);
    }
}

bool hy_yaml_fail(hy_yaml *yaml, hy_status status, const hy_yaml_node *node, const char *format, ...)
{
    char what[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hy_yaml_tell(yaml, status, hy_yaml_where(node), what);
    return false;
}

hy_yaml_mark hy_yaml_where(const hy_yaml_node *node)
{
    return (hy_yaml_mark){ theirs(node)->start_mark.line, theirs(node)->start_mark.column };
}

/// Fails for an unknown key: names the one that was probably meant, else all that there are.
static bool fail_unknown(hy_yaml *yaml, const hy_yaml_table *table, const hy_yaml_node *key,
                         const char *text);

// --------------------------------------------------------------------------- nodes

static hy_yaml_node *node_at(const hy_yaml *yaml, int index)
{
    return (hy_yaml_node *)(void *)yaml_document_get_node(yaml->document, index);
}

const char *hy_yaml_peek(const hy_yaml_node *node)
{
    const yaml_node_t *n = theirs(node);
    return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

hy_yaml_node *hy_yaml_find(const hy_yaml *yaml, const hy_yaml_node *node, const char *key)
{
    const yaml_node_t *map = theirs(node);
    if (map->type != YAML_MAPPING_NODE) {
        return NULL;
    }
    for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         pair < map->data.mapping.pairs.top; pair++) {
        const char *text = hy_yaml_peek(node_at(yaml, pair->key));
        if (text != NULL && strcmp(text, key) == 0) {
            return node_at(yaml, pair->value);
        }
    }
    return NULL;
}

bool hy_yaml_is_control(const char *at)
{
    const uint8_t *const c = (const uint8_t *)at;
    return c[0] < ' ' || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
}

static bool has_control(const char *text)
{
    while (*text != '\0' && !hy_yaml_is_control(text)) {
        text++;
    }
    return *text != '\0';
}

const char *hy_yaml_text(hy_yaml *yaml, const char *what, hy_yaml_node *node)
{
    const char *text = hy_yaml_peek(node);
    if (text == NULL || strlen(text) != theirs(node)->data.scalar.length || text[0] == '\0') {
        hy_yaml_fail(yaml, HY_EFORMAT, node, "%s needs some text here", what);
        return NULL;
    }
    if (has_control(text)) {
        hy_yaml_fail(yaml, HY_EFORMAT, node, "%s holds a control character: write plain text", what);
        return NULL;
    }
    return text;
}

bool hy_yaml_number(hy_yaml *yaml, const char *what, hy_yaml_node *node, double *value)
{
    const char *text = hy_yaml_peek(node);
    if (text == NULL || theirs(node)->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "%s needs a number here", what);
    }
    switch (hy_number_read(text, value)) {
    case HY_NUMBER_OK: return true;
    case HY_NUMBER_DIGITS:
        return hy_yaml_fail(yaml, HY_ERANGE, node,
                            "%s: a number has at most 15 digits and lies within 1e22", what);
    case HY_NUMBER_NONE: break;
    }
    return hy_yaml_fail(yaml, HY_EFORMAT, node, "%s needs a number here, not '%s'", what,
                        quote(text).text);
}

static bool number_in_range(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                            double *value)
{
    double number;
    if (!hy_yaml_number(yaml, field->key, node, &number)) {
        return false;
    }
    if (!(number >= field->low && number <= field->high)) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "%s must be from %g to %g, not %g", field->key,
                            field->low, field->high, number);
    }
    *value = number * (field->unit != 0 ? field->unit : 1);
    return true;
}

bool hy_yaml_list(hy_yaml *yaml, const char *what, hy_yaml_node *node, hy_yaml_span span,
                  size_t *count)
{
    if (theirs(node)->type != YAML_SEQUENCE_NODE) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "%s needs a list here", what);
    }
    *count =
        (size_t)(theirs(node)->data.sequence.items.top - theirs(node)->data.sequence.items.start);
    if (*count < span.low || *count > span.high) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "%s needs %zu to %zu items, not %zu", what,
                            span.low, span.high, *count);
    }
    return true;
}

hy_yaml_node *hy_yaml_item(hy_yaml *yaml, hy_yaml_node *list, size_t index)
{
    return node_at(yaml, theirs(list)->data.sequence.items.start[index]);
}

bool hy_yaml_point(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, double point[2])
{
    if (theirs(node)->type != YAML_SEQUENCE_NODE ||
        theirs(node)->data.sequence.items.top - theirs(node)->data.sequence.items.start != 2) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "%s needs two numbers here, like [0.5, 1.2]",
                            field->key);
    }
    for (size_t i = 0; i < 2; i++) {
        hy_yaml_node *item = hy_yaml_item(yaml, node, i);
        if (!number_in_range(yaml, field, item, &point[i])) {
            return false;
        }
    }
    return true;
}

// --------------------------------------------------------------------------- maps

static bool fail_unknown(hy_yaml *yaml, const hy_yaml_table *table, const hy_yaml_node *key,
                         const char *text)
{
    char known[160] = "";
    size_t length = 0;
    hy_suggestion meant = hy_suggestion_start(text, strlen(text));
    for (size_t i = 0; i < table->count; i++) {
        const char *name = table->fields[i].key;
        hy_suggestion_consider(&meant, name);
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                   length > 0 ? ", " : "", name);
        length = length < sizeof known ? length : sizeof known - 1;
    }
    if (meant.name != NULL) {
        return hy_yaml_fail(yaml, HY_EFORMAT, key, "%s has no key '%s'; did you mean '%s'?",
                            table->what, quote(text).text, meant.name);
    }
    return hy_yaml_fail(yaml, HY_EFORMAT, key, "%s has no key '%s'; it has: %s", table->what,
                        quote(text).text, known);
}

static const hy_yaml_field *find_field(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *key)
{
    const char *text = hy_yaml_peek(key);
    if (text == NULL) {
        hy_yaml_fail(yaml, HY_EFORMAT, key, "the keys of %s are plain words", table->what);
        return NULL;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(text, table->fields[i].key) == 0) {
            return &table->fields[i];
        }
    }
    if (!table->open) {
        fail_unknown(yaml, table, key, text);
    }
    return NULL;
}

static bool is_map(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *node)
{
    if (theirs(node)->type != YAML_MAPPING_NODE) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node,
                            "%s needs 'key: value' lines here, like '%s: ...'", table->what,
                            table->fields[0].key);
    }
    return true;
}

static bool read_word(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *at)
{
    const char *const text = hy_yaml_text(yaml, field->key, node);
    char known[200] = "";
    size_t used = 0;
    for (unsigned i = 0; text != NULL && field->words[i] != NULL; i++) {
        const bool is_last = field->words[i + 1] == NULL;
        if (field->words[i][0] != '\0' && strcmp(text, field->words[i]) == 0) {
            memcpy(at, &i, sizeof i);
            return true;
        }
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 used == 0 ? ""
                                 : is_last ? " or "
                                           : ", ",
                                 field->words[i]);
    }
    return text != NULL && hy_yaml_fail(yaml, HY_EFORMAT, node, "%s is %s", field->key, known);
}

static bool read_items(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    size_t count = 0;
    bool ok = hy_yaml_list(yaml, field->key, node, field->items, &count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = field->read(yaml, field, hy_yaml_item(yaml, node, i), target);
    }
    return ok;
}

bool hy_yaml_value(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    char *at = (char *)target + field->offset;
    switch (field->type) {
    case HY_YAML_NUMBER: return number_in_range(yaml, field, node, (double *)(void *)at);
    case HY_YAML_POINT: return hy_yaml_point(yaml, field, node, (double *)(void *)at);
    case HY_YAML_MAP: return hy_yaml_map(yaml, field->table, node, at);
    case HY_YAML_WORD: return read_word(yaml, field, node, at);
    case HY_YAML_OTHER:
        return field->items.high > 0 ? read_items(yaml, field, node, target)
                                     : field->read(yaml, field, node, target);
    case HY_YAML_TEXT: {
        const char *text = hy_yaml_text(yaml, field->key, node);
        if (text == NULL) {
            return false;
        }
        if (strlen(text) >= (size_t)field->high) {
            return hy_yaml_fail(yaml, HY_ERANGE, node, "%s must be shorter than %g characters",
                                field->key, field->high);
        }
        memcpy(at, text, strlen(text) + 1);
        return true;
    }
    }
    return false;
}

/// Most keys of one table: one bit each.
#define MOST_FIELDS 64

bool hy_yaml_map(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *node, void *target)
{
    if (!is_map(yaml, table, node)) {
        return false;
    }
    uint64_t given = 0;
    for (const yaml_node_pair_t *pair = theirs(node)->data.mapping.pairs.start;
         pair < theirs(node)->data.mapping.pairs.top; pair++) {
        hy_yaml_node *key = node_at(yaml, pair->key);
        const hy_yaml_field *field = find_field(yaml, table, key);
        if (field == NULL && yaml->status == HY_OK) {
            continue; // the table is open
        }
        if (field == NULL) {
            return false;
        }
        const uint64_t bit = (uint64_t)1 << (field - table->fields) % MOST_FIELDS;
        if (given & bit) {
            return hy_yaml_fail(yaml, HY_EFORMAT, key, "'%s' is given twice", field->key);
        }
        given |= bit;
        if (!hy_yaml_value(yaml, field, node_at(yaml, pair->value), target)) {
            return false;
        }
    }
    for (size_t i = 0; i < table->count; i++) {
        if (table->fields[i].required && !(given & (uint64_t)1 << i % MOST_FIELDS)) {
            return hy_yaml_fail(yaml, HY_EFORMAT, node, "%s needs a '%s'", table->what,
                                table->fields[i].key);
        }
    }
    return true;
}

const hy_yaml_field *hy_yaml_choice(hy_yaml *yaml, const hy_yaml_table *table, hy_yaml_node *node,
                                    hy_yaml_node **value)
{
    if (!is_map(yaml, table, node)) {
        return NULL;
    }
    if (theirs(node)->data.mapping.pairs.top - theirs(node)->data.mapping.pairs.start != 1) {
        hy_yaml_fail(yaml, HY_EFORMAT, node, "%s is one key with its value, each on its own '-'",
                     table->what);
        return NULL;
    }
    const yaml_node_pair_t *pair = theirs(node)->data.mapping.pairs.start;
    *value = node_at(yaml, pair->value);
    return find_field(yaml, table, node_at(yaml, pair->key));
}

// --------------------------------------------------------------------------- documents

/// Line and column of a byte.
static hy_yaml_mark mark_of_byte(hy_bytes text, size_t offset)
{
    hy_yaml_mark mark = { 0, 0 };
    // coverage: libyaml's offset lies within the text
    for (size_t i = 0; i < offset && i < text.size; i++) {
        const bool continues = (text.data[i] & 0xc0) == 0x80; // of a character before it, in UTF-8
        mark.column = text.data[i] == '\n' ? 0 : mark.column + !continues;
        mark.line += text.data[i] == '\n';
    }
    return mark;
}

/// What libyaml found wrong, where it found it.
static void tell_syntax(hy_yaml *yaml, const yaml_parser_t *parser)
{
    // Of an anchor that is given twice the problem is a "second occurrence".
    const bool is_anchor = parser->error == YAML_COMPOSER_ERROR;
    const char *const told = is_anchor ? parser->context : parser->problem;
    // coverage: it tells nothing only if memory ran out
    const char *const problem = told != NULL ? told : "its text breaks off";
    // Bytes that are no text have no mark of their own: libyaml reads ahead of its marks.
    const hy_yaml_mark mark =
        parser->error == YAML_READER_ERROR
            ? mark_of_byte(yaml->text, parser->problem_offset)
            : (hy_yaml_mark){ parser->problem_mark.line, parser->problem_mark.column };
    char what[160];
    snprintf(what, sizeof what, "this is not YAML: %s", problem);
    hy_yaml_tell(yaml, parser->error == YAML_MEMORY_ERROR ? HY_EMEMORY : HY_EFORMAT, mark, what);
}

/// libyaml compares each anchor and each directive with all before it: more of them would take it minutes. Neither is of use here.
#define MOST_MARKS 100

/// What a first look at the file counts.
typedef struct {
    int depth, documents, anchors;
} tally;

static bool has_anchor(const yaml_event_t *event)
{
    return (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor != NULL) ||
           (event->type == YAML_SEQUENCE_START_EVENT && event->data.sequence_start.anchor != NULL) ||
           (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor != NULL);
}

/// Tells it if an event has no place in a file. Aliases could make a short file endless, and libyaml's
/// time grows with the square of the depth.
static void object(hy_yaml *yaml, const yaml_event_t *event, tally *so_far)
{
    char what[128] = "";
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        snprintf(what, sizeof what, "%s have no aliases (*name): write it out", yaml->words->files);
        break;
    case YAML_DOCUMENT_START_EVENT:
        if (++so_far->documents > 1) {
            snprintf(what, sizeof what, "%s: remove the '---'", yaml->words->holds);
        }
        break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        if (++so_far->depth > HY_YAML_DEEPEST) {
            snprintf(what, sizeof what, "lists and maps are nested too deeply here");
        }
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: so_far->depth--; break;
    default: break;
    }
    so_far->anchors += has_anchor(event);
    if (so_far->anchors > MOST_MARKS) {
        snprintf(what, sizeof what, "there are more than %d anchors (&name): remove them",
                 MOST_MARKS);
    }
    if (what[0] != '\0') {
        const yaml_mark_t mark = event->start_mark;
        hy_yaml_tell(yaml, HY_EFORMAT, (hy_yaml_mark){ mark.line, mark.column }, what);
    }
}

/// Tells it if there are many directives: each begins with a '%' in front of which there is no character of its line.
static void check_directives(hy_yaml *yaml)
{
    int count = 0;
    for (size_t i = 0; i < yaml->text.size && yaml->status == HY_OK; i++) {
        const uint8_t before = i > 0 ? yaml->text.data[i - 1] : '\n';
        count += yaml->text.data[i] == '%' && (before < ' ' || before > '~');
        if (count > MOST_MARKS) {
            hy_yaml_tell(yaml, HY_EFORMAT, mark_of_byte(yaml->text, i),
                         "there are too many directives (%) in this file: remove them");
        }
    }
}

/// A first look through the whole file.
static void look_through(hy_yaml *yaml, yaml_parser_t *parser)
{
    tally so_far = { .depth = 0 };
    bool more = true;
    while (more && yaml->status == HY_OK) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            tell_syntax(yaml, parser);
            return;
        }
        object(yaml, &event, &so_far);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
}

static void read_document(hy_yaml *yaml, yaml_parser_t *parser, const hy_yaml_table *table,
                          void *target)
{
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document)) {
        tell_syntax(yaml, parser);
        return;
    }
    hy_yaml_node *root = (hy_yaml_node *)(void *)yaml_document_get_root_node(&document);
    yaml->document = &document;
    if (root == NULL) {
        char what[128];
        snprintf(what, sizeof what, "the file is empty; %s", yaml->words->begin);
        hy_yaml_tell(yaml, HY_EFORMAT, (hy_yaml_mark){ 0, 0 }, what);
    } else {
        hy_yaml_map(yaml, table, root, target);
    }
    yaml->document = NULL;
    yaml_document_delete(&document);
}

hy_status hy_yaml_parse(hy_yaml *yaml, const hy_yaml_table *table, void *target)
{
    yaml->status = HY_OK;
    if (yaml->text.size > HY_YAML_MOST) {
        hy_yaml_tell(yaml, HY_ERANGE, (hy_yaml_mark){ 0, 0 }, "the file is larger than 1 MiB");
    }
    check_directives(yaml);
    const bool is_done = yaml->looked_through != NULL && yaml->looked_through == yaml->text.data;
    for (int pass = is_done ? 1 : 0; pass < 2 && yaml->status == HY_OK; pass++) {
        yaml_parser_t parser;
        if (!yaml_parser_initialize(&parser)) { // coverage: memory ran out
            hy_yaml_tell(yaml, HY_EMEMORY, (hy_yaml_mark){ 0, 0 }, "there is not enough memory");
            break;
        }
        yaml_parser_set_input_string(&parser, yaml->text.data, yaml->text.size);
        if (pass == 0) {
            look_through(yaml, &parser);
            yaml->looked_through = yaml->status == HY_OK ? yaml->text.data : NULL;
        } else {
            read_document(yaml, &parser, table, target);
        }
        yaml_parser_delete(&parser);
    }
    return yaml->status;
}
