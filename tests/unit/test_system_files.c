// Files that others shorten while they are read, and files that are replaced: no signal, no name that can be foreseen, nothing half.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "system/system.h"

#define PAGES 8

static char folder[200], path[256], other[256];
static char error[HY_SYSTEM_ERROR_MAX];

static void write_text(const char *name, const char *text)
{
    FILE *const file = fopen(name, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *name, const char *text)
{
    char found[100] = "";
    FILE *const file = fopen(name, "rb");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_string_equal(found, text);
}

static size_t count_files(void)
{
    size_t count = 0;
    DIR *const files = opendir(folder);
    assert_non_null(files);
    for (const struct dirent *file; (file = readdir(files)) != NULL;) {
        count += strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0;
    }
    assert_int_equal(closedir(files), 0);
    return count;
}

static int make_folder(void **state)
{
    (void)state;
    const char *const place = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/halyard-files-XXXXXX", place != NULL ? place : "/tmp");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/file", folder);
    (void)snprintf(other, sizeof other, "%s/other", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    (void)unlink(other);
    return rmdir(folder);
}

static void create(hy_file_output *output, int permissions)
{
    if (!hy_file_create(output, path, permissions, error)) {
        fail_msg("%s", error);
    }
    assert_true(fputs("new", output->stream) >= 0);
}

// --------------------------------------------------------------------------- reading

static void what_a_shorter_file_lacks_reads_as_zeros(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    static uint8_t full[PAGES * 65536];
    memset(full, 7, sizeof full);
    for (int round = 0; round < 3; round++) { // a place in the handler's table is used again
        hy_bytes first, second;
        FILE *const file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(full, 1, PAGES * page, file), PAGES * page);
        assert_int_equal(fclose(file), 0);
        assert_true(hy_file_map(path, &first, error));
        assert_true(hy_file_map(path, &second, error));
        assert_int_equal(truncate(path, (off_t)page + 10), 0);
        for (size_t i = PAGES * page; i-- > 0;) { // from its end
            assert_int_equal(first.data[i], i < page + 10 ? 7 : 0);
        }
        hy_file_unmap(&first);
        assert_int_equal(truncate(path, 0), 0);
        assert_int_equal(second.data[0], 0);
        assert_int_equal(second.data[PAGES * page - 1], 0);
        hy_file_unmap(&second);
    }
}

// --------------------------------------------------------------------------- replacing

static void a_reader_keeps_the_file_that_is_replaced(void **state)
{
    (void)state;
    hy_file_output output;
    hy_bytes old;
    write_text(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(hy_file_map(path, &old, error));
    create(&output, HY_FILE_OVERWRITE);
    assert_text(path, "old");
    assert_true(hy_file_place(&output, error));
    assert_text(path, "");
    assert_true(hy_file_close(&output, true, error));
    assert_text(path, "new");
    assert_memory_equal(old.data, "old", 3);
    hy_file_unmap(&old);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
    assert_int_equal(count_files(), 1);
}

static void what_is_not_wanted_leaves_everything_as_it_was(void **state)
{
    (void)state;
    hy_file_output output;
    create(&output, 0);
    assert_true(hy_file_close(&output, false, error));
    assert_int_equal(count_files(), 0);
    create(&output, HY_FILE_OVERWRITE);
    assert_true(hy_file_close(&output, false, error));
    assert_int_equal(count_files(), 0);
    write_text(path, "old");
    assert_false(hy_file_create(&output, path, 0, error));
    assert_non_null(strstr(error, "the file exists already"));
    create(&output, HY_FILE_OVERWRITE);
    assert_true(hy_file_close(&output, false, error));
    assert_text(path, "old");
    assert_int_equal(count_files(), 1);
}

static void a_link_is_replaced_and_what_it_names_is_not_written(void **state)
{
    (void)state;
    hy_file_output output;
    struct stat facts;
    write_text(other, "theirs");
    assert_int_equal(symlink(other, path), 0);
    create(&output, HY_FILE_OVERWRITE);
    assert_true(hy_file_close(&output, true, error));
    assert_text(other, "theirs");
    assert_text(path, "new");
    assert_int_equal(lstat(path, &facts), 0);
    assert_true(S_ISREG(facts.st_mode));
    // And one that leads nowhere makes no file there.
    assert_int_equal(unlink(other), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_false(hy_file_create(&output, path, 0, error));
    create(&output, HY_FILE_OVERWRITE);
    assert_true(hy_file_close(&output, true, error));
    assert_int_equal(stat(other, &facts), -1);
    assert_text(path, "new");
}

/// As somebody who may write into the folder, but not to the file: root may write everything, so a child gives that up.
static bool is_refused(void)
{
    hy_file_output output;
    return (geteuid() != 0 || setuid(65534) == 0) &&
           !hy_file_create(&output, path, HY_FILE_OVERWRITE, error) &&
           strstr(error, "cannot be written (Permission denied)") != NULL;
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state)
{
    (void)state;
    int status = 0;
    write_text(path, "old");
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    const pid_t child = fork();
    if (child == 0) {
        _exit(is_refused() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_pipe_is_never_waited_for(void **state)
{
    (void)state;
    hy_file_output output;
    char read_back[8] = "";
    assert_int_equal(mkfifo(path, 0600), 0);
    (void)alarm(20);
    assert_false(hy_file_create(&output, path, HY_FILE_OVERWRITE | HY_FILE_PIPES, error));
    assert_non_null(strstr(error, "not a regular file"));
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_false(hy_file_create(&output, path, HY_FILE_OVERWRITE, error));
    create(&output, HY_FILE_OVERWRITE | HY_FILE_PIPES);
    assert_true(hy_file_close(&output, true, error));
    assert_int_equal(read(reader, read_back, sizeof read_back), 3);
    assert_string_equal(read_back, "new");
    (void)close(reader);
    (void)alarm(0);
}

static void a_device_is_written_to_and_stays(void **state)
{
    (void)state;
    hy_file_output output;
    struct stat facts;
    assert_true(hy_file_create(&output, "/dev/null", HY_FILE_OVERWRITE, error));
    assert_true(hy_file_close(&output, true, error));
    assert_int_equal(stat("/dev/null", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
    assert_true(hy_file_create(&output, "/dev/full", HY_FILE_OVERWRITE, error));
    assert_true(fputs("new", output.stream) >= 0);
    assert_false(hy_file_close(&output, true, error));
    assert_non_null(strstr(error, "/dev/full: not all of it could be written"));
    assert_false(hy_file_create(&output, folder, HY_FILE_OVERWRITE, error));
    assert_non_null(strstr(error, "not a regular file"));
}

static void what_is_in_a_folder_is_told_apart(void **state)
{
    (void)state;
    hy_folder names;
    size_t size = 0;
    char hidden[300], inner[300];
    (void)snprintf(hidden, sizeof hidden, "%s/.hidden", folder);
    (void)snprintf(inner, sizeof inner, "%s/inner", folder);
    write_text(other, "other");
    write_text(path, "12345");
    write_text(hidden, "");
    assert_int_equal(mkfifo(inner, 0600), 0);
    assert_int_equal(hy_file_look(path, &size), HY_FILE_REGULAR);
    assert_int_equal(size, 5);
    assert_int_equal(hy_file_look(inner, NULL), HY_FILE_OTHER);
    assert_null(hy_file_open(inner)); // which fopen() would wait for
    assert_int_equal(hy_file_look(folder, NULL), HY_FILE_FOLDER);
    assert_int_equal(hy_file_look("/dev/null", NULL), HY_FILE_DEVICE);
    assert_true(hy_folder_open(&names, folder));
    assert_int_equal(names.count, 3);
    assert_string_equal(hy_folder_name(&names, 0), "file");
    assert_string_equal(hy_folder_name(&names, 1), "inner");
    assert_string_equal(hy_folder_name(&names, 2), "other");
    hy_folder_close(&names);
    assert_int_equal(unlink(hidden) + unlink(inner) + unlink(other), 0);
    assert_int_equal(hy_file_look(other, NULL), HY_FILE_MISSING);
    assert_false(hy_folder_open(&names, other));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(what_is_in_a_folder_is_told_apart),
        TEST(what_a_shorter_file_lacks_reads_as_zeros),
        TEST(a_reader_keeps_the_file_that_is_replaced),
        TEST(what_is_not_wanted_leaves_everything_as_it_was),
        TEST(a_link_is_replaced_and_what_it_names_is_not_written),
        TEST(a_file_that_may_not_be_written_is_not_replaced),
        TEST(a_pipe_is_never_waited_for),
        TEST(a_device_is_written_to_and_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
