// What the 50 Hz loop of a robot program asks of the system: no memory and no lock, counted. The linker sends the calls
// of everything that is ours here (--wrap).
#include "cmocka_all.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "robot_loop.h"

static unsigned allocations, locks;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __real_pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int __real_pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int __real_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __real_sem_wait(sem_t *semaphore);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __wrap_sem_wait(sem_t *semaphore);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return __real_realloc(memory, size);
}

void __wrap_free(void *memory)
{
    allocations++;
    __real_free(memory);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    locks++;
    return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    locks++;
    return __real_pthread_mutex_trylock(mutex);
}

int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    locks++;
    return __real_pthread_rwlock_rdlock(lock);
}

int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    locks++;
    return __real_pthread_rwlock_wrlock(lock);
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    locks++;
    return __real_pthread_cond_wait(condition, mutex);
}

int __wrap_sem_wait(sem_t *semaphore)
{
    locks++;
    return __real_sem_wait(semaphore);
}

static void calls_are_counted(void **state)
{
    (void)state;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    allocations = locks = 0;
    void *volatile memory = malloc(1); // volatile: or the compiler leaves the pair out
    free(memory);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    assert_int_equal(allocations, 2);
    assert_int_equal(locks, 1);
}

static void a_loop_needs_neither_memory_nor_locks(void **state)
{
    (void)state;
    static robot_loop loop;
    double sum = 0.0;
    allocations = locks = 0;
    robot_loop_start(&loop);
    for (int i = 0; i < 10000; i++) {
        sum += robot_loop_once(&loop);
    }
    assert_int_equal(allocations, 0);
    assert_int_equal(locks, 0);
    // And it did its work: the devices have moved on, and an enabled command goes out.
    assert_true(sum > 0.0);
    assert_true(loop.gate.accepted == 10000 && loop.gate.lost == 0);
    assert_true(loop.xrp.encoder[0].distance != 0.0 && loop.commander.command.motor[0] != 0.0F);
    assert_true(loop.out[0].size > 0 && hy_commander_is_enabled(&loop.commander));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted),
        cmocka_unit_test(a_loop_needs_neither_memory_nor_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
