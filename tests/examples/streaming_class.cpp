// streaming_class.cpp - a class that streams a file and may be destroyed at any
// time.
//
// The runtime reads the file. A worker processes the data. The main thread then
// notifies the object. The destructor aborts the read: after
// spn_read_abort_now has returned, no callback of the read runs any more and
// the runtime does not write to the buffer. Usage: streaming_class FILE
/* SPDX-License-Identifier: MIT */
#include <cstdio>
#include <cstdlib>
#include <spindle/platform_posix.h>
#include <spindle/spindle.h>
#include <vector>

class StreamedFile
{
  public:
    explicit StreamedFile(spn_runtime *runtime) : runtime_(runtime)
    {
    }
    ~StreamedFile()
    {
        if (read_ != 0)
            spn_read_abort_now(runtime_, read_);
    }
    StreamedFile(const StreamedFile &) = delete;
    StreamedFile &operator=(const StreamedFile &) = delete;

    /* False when the runtime is full (SPN_FULL: try again after the next
     * spn_update) or on an error. */
    bool load(const char *path)
    {
        spn_read_desc desc = spn_read_desc();

        desc.path = path;
        desc.task = SPN_TASK_USER;
        desc.on_storage = on_storage; /* Called when the size is known */
        desc.on_async = on_async;
        desc.on_done = on_done;
        desc.user = this;
        return spn_read_start(runtime_, &desc, &read_) == SPN_OK;
    }
    bool is_loaded() const
    {
        return is_loaded_;
    }
    bool is_reading() const
    {
        return read_ != 0;
    }
    unsigned sum() const
    {
        return sum_;
    }

  private:
    static StreamedFile *self(void *user)
    {
        return static_cast<StreamedFile *>(user);
    }
    static spn_status on_storage(const spn_read_want *want, void **buffer)
    {
        self(want->user)->data_.resize(static_cast<size_t>(want->bytes));
        *buffer = self(want->user)->data_.data();
        return SPN_OK;
    }
    /* Runs on a worker: it may take long, and the main thread continues. */
    static void on_async(const spn_read_result *result)
    {
        if (result->status == SPN_OK)
            self(result->user)->process(result->bytes);
    }
    // Inside spn_update, or inside the destructor's spn_read_abort_now.
    static void on_done(const spn_read_result *result)
    {
        StreamedFile *file = self(result->user);

        file->read_ = 0; /* Ended: the runtime will not use it again */
        file->is_loaded_ = result->status == SPN_OK;
    }
    void process(uint64_t bytes)
    {
        for (uint64_t i = 0; i < bytes; i++)
            sum_ += data_[static_cast<size_t>(i)];
    }

    spn_runtime *runtime_;
    spn_read read_ = 0;
    bool is_loaded_ = false;
    unsigned sum_ = 0;
    std::vector<unsigned char> data_;
};

static int run(spn_runtime *rt, const char *path)
{
    StreamedFile whole(rt);

    /* Destroy objects at once or a little later, in all states of their
     * reads. */
    for (int i = 0; i < 200; i++) {
        StreamedFile *soon_gone = new StreamedFile(rt);

        soon_gone->load(path);
        for (int k = 0; k < i % 7; k++)
            spn_update(rt);
        delete soon_gone;
    }
    if (!whole.load(path))
        return 1;
    while (whole.is_reading())
        spn_update(rt);
    std::printf("%s, sum %u\n", whole.is_loaded() ? "loaded" : "failed",
                whole.sum());
    return whole.is_loaded() ? 0 : 1;
}

int main(int argc, char **argv)
{
    spn_platform platform;
    spn_config config = spn_config();
    void *state = std::malloc(spn_platform_posix_bytes());
    spn_runtime *rt;
    int result;

    if (argc < 2 || !state ||
        spn_platform_posix_init(state, spn_platform_posix_bytes(), &platform))
        return 2;
    config.platform = &platform;
    config.heap_bytes = 1u << 20;
    size_t bytes = (spn_memory_needed(&config) + 63) / 64 * 64;
    void *block = aligned_alloc(SPN_MEMORY_ALIGN, bytes);
    if (!block || spn_init(&config, block, bytes, &rt))
        return 3;
    result = run(rt, argv[1]);
    spn_shutdown(rt);
    std::free(block);
    std::free(state);
    return result;
}
