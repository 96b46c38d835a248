// From reset to the C library's start code, and from any fault to a failed exit.
#include <stdint.h>

extern uint32_t stack_top; // of mcu.ld
extern void _start(void);  // of newlib: clears .bss, opens the semihosted files, calls main

void reset_handler(void);
void fault_handler(void);

void reset_handler(void)
{
#ifdef __ARM_FP
    volatile uint32_t *const cpacr = (volatile uint32_t *)0xE000ED88; // Coprocessor Access Control
    *cpacr |= 0xFU << 20; // full access to CP10 and CP11, the FPU
    __asm__ volatile("dsb\n\tisb");
#endif
    _start();
}

/// Unaligned accesses on ARMv6-M end here. Semihosting: SYS_EXIT (0x18) with ADP_Stopped_InternalError.
void fault_handler(void)
{
    __asm__ volatile("movs r0, #0x18\n\t"
                     "ldr r1, =0x20024\n\t"
                     "bkpt 0xAB\n\t"
                     "b .");
}

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors = {
    &stack_top,
    { reset_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
      fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
      fault_handler, fault_handler, fault_handler },
};
