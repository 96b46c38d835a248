#include "accept_key.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GUID       "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#define TEXT_SIZE  (WEB_KEY_SIZE + sizeof(GUID) - 1)
#define BLOCK_SIZE 64

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool web_key_is_valid(const char *key)
{
    return strlen(key) == WEB_KEY_SIZE && strspn(key, digits) == WEB_KEY_SIZE - 2 &&
           strcmp(key + WEB_KEY_SIZE - 2, "==") == 0;
}

// --------------------------------------------------------------------------- SHA-1 (RFC 3174, 6.1)

static uint32_t turn_left(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t mix(unsigned round, const uint32_t s[5])
{
    if (round < 20) {
        return ((s[1] & s[2]) | (~s[1] & s[3])) + UINT32_C(0x5a827999);
    }
    if (round < 40) {
        return (s[1] ^ s[2] ^ s[3]) + UINT32_C(0x6ed9eba1);
    }
    if (round < 60) {
        return ((s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3])) + UINT32_C(0x8f1bbcdc);
    }
    return (s[1] ^ s[2] ^ s[3]) + UINT32_C(0xca62c1d6);
}

static void take_block(uint32_t hash[5], const uint8_t block[BLOCK_SIZE])
{
    uint32_t words[80], s[5];
    for (size_t i = 0; i < 16; i++) {
        const uint8_t *const at = block + 4 * i;
        words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (size_t i = 16; i < 80; i++) {
        words[i] = turn_left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    memcpy(s, hash, sizeof s);
    for (unsigned round = 0; round < 80; round++) {
        const uint32_t next = turn_left(s[0], 5) + mix(round, s) + s[4] + words[round];
        s[4] = s[3];
        s[3] = s[2];
        s[2] = turn_left(s[1], 30);
        s[1] = s[0];
        s[0] = next;
    }
    for (size_t i = 0; i < 5; i++) {
        hash[i] += s[i];
    }
}

/// Of a text of TEXT_SIZE bytes: with padding and length that is two blocks.
static void hash_text(const uint8_t *text, uint8_t out[20])
{
    uint32_t hash[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
    uint8_t blocks[2 * BLOCK_SIZE] = { 0 };
    memcpy(blocks, text, TEXT_SIZE);
    blocks[TEXT_SIZE] = 0x80;
    blocks[sizeof blocks - 2] = (uint8_t)(8 * TEXT_SIZE >> 8);
    blocks[sizeof blocks - 1] = (uint8_t)(8 * TEXT_SIZE & 0xff);
    take_block(hash, blocks);
    take_block(hash, blocks + BLOCK_SIZE);
    for (size_t i = 0; i < 20; i++) {
        out[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
    }
}

// --------------------------------------------------------------------------- the answer

void web_accept_key(const char *key, char out[WEB_ACCEPT_SIZE])
{
    uint8_t text[TEXT_SIZE], hash[21] = { 0 }; // 21: a multiple of three
    memcpy(text, key, WEB_KEY_SIZE);
    memcpy(text + WEB_KEY_SIZE, GUID, sizeof(GUID) - 1);
    hash_text(text, hash);
    for (size_t i = 0; i < 7; i++) {
        const uint32_t bits =
            (uint32_t)hash[3 * i] << 16 | (uint32_t)hash[3 * i + 1] << 8 | hash[3 * i + 2];
        for (size_t k = 0; k < 4; k++) {
            out[4 * i + k] = digits[bits >> (18 - 6 * k) & 63];
        }
    }
    out[WEB_ACCEPT_SIZE - 2] = '='; // of the added byte
    out[WEB_ACCEPT_SIZE - 1] = '\0';
}
