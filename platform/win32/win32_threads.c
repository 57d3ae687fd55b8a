/* win32_threads.c - threads from a fixed table, and events of the system.
 *
 * The handle of an event is that of the system. The handle of a thread is an
 * index of the table + 1; 0 is no thread. The caller's thread starts and joins
 * threads, and creates and destroys events. Any thread signals and waits.
 */
/* SPDX-License-Identifier: MIT */
#include "win32_state.h"

#include <string.h>

/* Bytes that are added to the stack size that the runtime requests, for the
 * system's part of a stack. Unused pages cost only address space. */
#define STACK_BYTES_EXTRA (256u * 1024u)

/* The longest wait. Longer ones return spuriously after this time. */
#define WAIT_MS_MAX (3600u * 1000u)

/* -- threads -- */

static DWORD WINAPI thread_main(void *argument)
{
    struct win32_thread *thread = argument;

    thread->run(thread->argument);
    return 0;
}

/* Set the name of a thread for debuggers. Windows 10 and later have the call.
 */
static void set_name(HANDLE thread, const char *name)
{
    HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
    wchar_t text[64];
    union {
        FARPROC any;
        HRESULT(WINAPI *set)(HANDLE thread, const wchar_t *name);
    } call = {NULL};

    if (kernel)
        call.any = GetProcAddress(kernel, "SetThreadDescription");
    if (call.any && MultiByteToWideChar(CP_UTF8, 0, name, -1, text,
                                        (int)(sizeof text / sizeof text[0])))
        call.set(thread, text);
}

/* Difference of a priority from that of the starting thread. */
static void set_priority(HANDLE thread, spn_thread_priority priority)
{
    int own = GetThreadPriority(GetCurrentThread());

    if (own == THREAD_PRIORITY_ERROR_RETURN)
        return;
    if (priority == SPN_THREAD_HIGH)
        own++;
    if (priority == SPN_THREAD_LOW)
        own--;
    /* The call fails beyond the highest or lowest priority: keep that one. */
    SetThreadPriority(thread, own);
}

static spn_status thread_start(void *user, const spn_thread_desc *desc,
                               uint64_t *thread)
{
    struct spn_platform_win32 *win32 = user;
    struct win32_thread *slot;
    uint32_t i = 0;

    while (i < WIN32_THREADS_MAX && win32->threads[i].is_used)
        i++;
    if (i == WIN32_THREADS_MAX)
        return SPN_ERR_TABLE_FULL;
    slot = &win32->threads[i];
    slot->run = desc->run;
    slot->argument = desc->argument;
    slot->handle = CreateThread(
        NULL, (SIZE_T)desc->stack_bytes + STACK_BYTES_EXTRA, thread_main, slot,
        STACK_SIZE_PARAM_IS_A_RESERVATION | CREATE_SUSPENDED, NULL);
    if (!slot->handle)
        return SPN_ERR_PLATFORM;
    set_name(slot->handle, desc->name);
    set_priority(slot->handle, desc->priority);
    ResumeThread(slot->handle);
    slot->is_used = true;
    *thread = i + 1;
    return SPN_OK;
}

static void thread_join(void *user, uint64_t thread)
{
    struct spn_platform_win32 *win32 = user;
    struct win32_thread *slot = &win32->threads[thread - 1];

    WaitForSingleObject(slot->handle, INFINITE);
    CloseHandle(slot->handle);
    slot->is_used = false;
}

/* -- events -- */

static HANDLE handle_of(uint64_t event)
{
    return (HANDLE)(uintptr_t)event;
}

static spn_status event_create(void *user, spn_event_use use, uint64_t *event)
{
    HANDLE handle = CreateEventW(NULL, FALSE, FALSE, NULL);

    (void)user;
    (void)use;
    if (!handle)
        return SPN_ERR_PLATFORM;
    *event = (uint64_t)(uintptr_t)handle;
    return SPN_OK;
}

static void event_destroy(void *user, uint64_t event)
{
    (void)user;
    CloseHandle(handle_of(event));
}

static void event_signal(void *user, uint64_t event)
{
    (void)user;
    SetEvent(handle_of(event));
}

/* Milliseconds until due_us, rounded up, so that a wait does not end early and
 * begin again at once. */
static DWORD wait_ms(uint64_t now_us, uint64_t due_us)
{
    uint64_t left_ms;

    if (due_us == UINT64_MAX)
        return INFINITE;
    if (now_us >= due_us)
        return 0;
    left_ms = (due_us - now_us - 1) / 1000 + 1;
    return left_ms < WAIT_MS_MAX ? (DWORD)left_ms : WAIT_MS_MAX;
}

/* Wait for an event. Also returns, spuriously, when a read of the calling
 * thread may have ended, so that the io thread polls. */
static void event_wait(void *user, uint64_t event, uint64_t due_us)
{
    HANDLE handles[1 + WIN32_READS_MAX] = {handle_of(event)};
    DWORD count = 1 + spn__win32_reads_events(user, handles + 1);

    WaitForMultipleObjects(count, handles, FALSE,
                           wait_ms(spn__win32_now_us(user), due_us));
}

static uint64_t thread_current(void *user)
{
    (void)user;
    return GetCurrentThreadId();
}

void spn__win32_threads_fill(spn_platform *table)
{
    table->thread_current = thread_current;
    table->thread_start = thread_start;
    table->thread_join = thread_join;
    table->event_create = event_create;
    table->event_destroy = event_destroy;
    table->event_signal = event_signal;
    table->event_wait = event_wait;
}
