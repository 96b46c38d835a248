#include "token.h"

#include <stdio.h>
#include <string.h>

#include "system/system.h"

bool hy_view_is_token(const char *given)
{
    return strlen(given) == HY_VIEW_TOKEN_SIZE - 1 &&
           strspn(given, "0123456789abcdef") == HY_VIEW_TOKEN_SIZE - 1;
}

bool hy_view_new_token(char token[HY_VIEW_TOKEN_SIZE])
{
    uint8_t bits[(HY_VIEW_TOKEN_SIZE - 1) / 2];
    if (!hy_random_bytes(bits, sizeof bits)) {
        return false;
    }
    for (size_t i = 0; i < sizeof bits; i++) {
        snprintf(token + 2 * i, 3, "%02x", bits[i]);
    }
    return true;
}

hy_status view_token_take(char token[HY_VIEW_TOKEN_SIZE], const char *given)
{
    if (given == NULL) {
        return hy_view_new_token(token) ? HY_OK : HY_ESYSTEM;
    }
    if (!hy_view_is_token(given)) {
        return HY_EFORMAT;
    }
    memcpy(token, given, HY_VIEW_TOKEN_SIZE);
    return HY_OK;
}

bool view_token_is(const char token[HY_VIEW_TOKEN_SIZE], hy_bytes said)
{
    if (said.size != HY_VIEW_TOKEN_SIZE - 1) {
        return false;
    }
    volatile uint8_t difference = 0; // volatile: nobody shortens the loop
    for (size_t i = 0; i < said.size; i++) {
        difference = (uint8_t)(difference | (said.data[i] ^ (uint8_t)token[i]));
    }
    return difference == 0;
}
