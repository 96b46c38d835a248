/// cmocka with the headers that it needs before it, in the order that it needs them.
#ifndef HALYARD_TESTS_CMOCKA_ALL_H
#define HALYARD_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
