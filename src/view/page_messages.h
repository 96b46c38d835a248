/// @file page_messages.h
/// Every message that a page sends (docs/spec/page.md), each described once: clients.c obeys them by these lists, and the page's type of
/// what it may send (page/src/net/wire.ts) and the document's table are made of them.
#ifndef HALYARD_VIEW_PAGE_MESSAGES_H
#define HALYARD_VIEW_PAGE_MESSAGES_H

/// Whose page is obeyed. The first message of a page, `token`, is read before.
typedef enum {
    VIEW_ANYBODY,       ///< Every page that is known.
    VIEW_TOKEN_OR_SEAT, ///< Pages with the token, or that of any seat.
    VIEW_OWN_SEAT, ///< Pages with the token, and with that of the seat of the player that the message names first.
    VIEW_TOKEN, ///< Pages with the token.
} view_page_right;

/// X(verb, right): the first word of a message, and who may send it.
#define VIEW_PAGE_VERBS(X)      \
    X(ping, VIEW_ANYBODY)       \
    X(name, VIEW_TOKEN_OR_SEAT) \
    X(own, VIEW_OWN_SEAT)       \
    X(release, VIEW_OWN_SEAT)   \
    X(sticks, VIEW_OWN_SEAT)    \
    X(button, VIEW_TOKEN)       \
    X(reset, VIEW_TOKEN)        \
    X(stop, VIEW_TOKEN)         \
    X(push, VIEW_TOKEN)         \
    X(invite, VIEW_TOKEN)       \
    X(revoke, VIEW_TOKEN)       \
    X(tune, VIEW_TOKEN)         \
    X(choose, VIEW_TOKEN)       \
    X(replay, VIEW_TOKEN)

/// X(form, meaning). In a form, words of capitals are the sender's: N, A, B numbers, TEXT and JSON any text; `...` repeats.
// clang-format off
#define VIEW_PAGE_FORMS(X) \
    X("token TEXT", "the first message: the token, or that of a seat; without a right one the page is a watcher, or is closed") \
    X("own N", "I drive player N from now on; one page owns a player at a time; refused if another does") \
    X("release N", "I no longer do") \
    X("sticks N JSON", "player N's controller, as in joystick -> core (docs/spec/icd.md), at least every 50 ms while owned; 150 ms of silence count as all zero, and so do `release` and a closed socket") \
    X("button N down", "the user button of robot N (a board's; N counts from 1) is pressed") \
    X("button N up", "it is let go") \
    X("reset", "a board's world begins anew") \
    X("stop", "the robots of a board or of a robot program stop, and stand until their program is disabled and enabled again") \
    X("push N", "robot N (a board's; N counts from 1) was pushed while it calibrated its gyro at power-up") \
    X("name TEXT", "what the person at this page is called, see below; nothing: no name") \
    X("invite N", "makes a token for the seat of player N, if there is none; answered by `seats`") \
    X("revoke N", "makes it invalid, and ends the page that has it; answered by `seats`") \
    X("tune N V", "number N (from 0) of `tunables` becomes V, within its limits; V is finite") \
    X("tune N", "it becomes what it was at the start") \
    X("choose N M", "option M (from 0) of chooser N (from 0) of `tunables` is chosen") \
    X("choose N", "what was chosen at the start") \
    X("replay seek N", "a recording: show its millisecond N") \
    X("replay pace N", "a recording: go on at N thousandths of real time, at most 16000; 0: pause") \
    X("replay plot A B N...", "a recording: answer with `plot`, the values of the channels N... (numbers in `channels`, at most 8) from millisecond A to millisecond B") \
    X("ping TEXT", "answered by `pong`")
// clang-format on

#endif
