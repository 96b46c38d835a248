// Prints the lists of src/scene/page_fields.h and src/view/page_messages.h: `page_fields ts` as TypeScript (page/src/net/wire.ts), `page_fields md`
// and `page_fields messages` as the tables of docs/spec/page.md, `page_fields names` the members' names. test_page_words.sh compares them.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../src/scene/page_fields.h"
#include "../../src/view/page_messages.h"

typedef struct {
    const char *name, *type, *unit;
    bool is_optional;
} page_field;

#define FIELD(kind, name, unit, ...)          { #name, WIRE_##kind, unit, false },
#define FIELD_IF(kind, name, unit, when, ...) { #name, WIRE_##kind, unit, true },
#define DEFINE_LIST(object, FIELDS) \
    static const page_field object##_fields[] = { FIELDS(FIELD, FIELD_IF) };
PAGE_OBJECTS(DEFINE_LIST)

static void print_ts(const char *object, const page_field *fields, size_t count)
{
    printf("\nexport interface %s {\n", object);
    for (size_t i = 0; i < count; i++) {
        const page_field *const f = &fields[i];
        printf("    %s%s: %s;%s%s\n", f->name, f->is_optional ? "?" : "", f->type,
               f->unit[0] != '\0' ? " // " : "", f->unit);
    }
    puts("}");
}

/// A vertical bar would end a column.
static void print_type(const char *type)
{
    for (; *type != '\0'; type++) {
        printf(*type == '|' ? "\\|" : "%c", *type);
    }
}

static void print_md(const char *object, const page_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("| %s | `%s`%s | ", object, fields[i].name,
               fields[i].is_optional ? " (optional)" : "");
        print_type(fields[i].type);
        printf(" | %s |\n", fields[i].unit);
    }
}

static void print_names(const char *object, const page_field *fields, size_t count)
{
    (void)object;
    for (size_t i = 0; i < count; i++) {
        puts(fields[i].name);
    }
}

// --------------------------------------------------------------------------- what a page sends

typedef struct {
    const char *form, *meaning;
} page_message;

#define MESSAGE(form, meaning) { form, meaning },
static const page_message messages[] = { VIEW_PAGE_FORMS(MESSAGE) };

/// A form as a template literal type: "own N" is `own ${number}`.
static void print_template(const char *form)
{
    putchar('`');
    while (*form != '\0') {
        const size_t length = strcspn(form, " ");
        const bool is_number = length == 1 && form[0] >= 'A' && form[0] <= 'Z';
        const bool is_text = !is_number && form[0] >= 'A' && form[0] <= 'Z'; // also N...
        printf("%.*s", is_number || is_text ? 0 : (int)length, form);
        printf("%s", is_number ? "${number}" : is_text ? "${string}" : "");
        printf("%.*s", form[length] == ' ', " ");
        form += length + (form[length] == ' ');
    }
    putchar('`');
}

static void print_message_type(void)
{
    puts("\n/** What a page sends: one text a message. */\nexport type PageMessage =");
    const size_t count = sizeof messages / sizeof messages[0];
    for (size_t i = 0; i < count; i++) {
        printf("    | ");
        print_template(messages[i].form);
        puts(i + 1 < count ? "" : ";");
    }
}

static void print_message_rows(void)
{
    puts("| message | means |\n|---|---|");
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        printf("| `%s` | %s |\n", messages[i].form, messages[i].meaning);
    }
}

int main(int argc, char **argv)
{
    void (*print)(const char *, const page_field *, size_t) = NULL;
    if (argc == 2 && strcmp(argv[1], "ts") == 0) {
        puts("// The types of what server and page say, as it is on the wire (docs/spec/page.md).\n"
             "// Made from src/scene/page_fields.h and src/view/page_messages.h by "
             "tests/unit/test_page_words.sh --write: do "
             "not edit.");
        print = print_ts;
    } else if (argc == 2 && strcmp(argv[1], "md") == 0) {
        puts("| object | member | type | unit |\n|---|---|---|---|");
        print = print_md;
    } else if (argc == 2 && strcmp(argv[1], "names") == 0) {
        print = print_names;
    } else if (argc == 2 && strcmp(argv[1], "messages") == 0) {
        print_message_rows();
        return 0;
    } else {
        fprintf(stderr, "usage: page_fields ts|md|names|messages\n");
        return 2;
    }
#define PRINT(object, FIELDS) \
    print(#object, object##_fields, sizeof object##_fields / sizeof object##_fields[0]);
    PAGE_OBJECTS(PRINT)
    if (print == print_ts) {
        print_message_type();
    }
    return 0;
}
