// What one double costs WPILib's own DataLogWriter into memory that is there: nanoseconds of the processor's time, one line a round.
#include <wpi/DataLogWriter.h>
#include <wpi/raw_ostream.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

namespace {

constexpr int RECORDS = 200000, ROUNDS = 21, BEFORE_FLUSH = 10000;

class memory_stream : public wpi::raw_ostream {
public:
    explicit memory_stream(std::vector<char> &memory) : memory_(memory) { SetUnbuffered(); }
    ~memory_stream() override { flush(); }

private:
    void write_impl(const char *bytes, size_t size) override
    {
        std::memcpy(memory_.data() + used_, bytes, size);
        used_ += size;
    }
    uint64_t current_pos() const override { return used_; }
    std::vector<char> &memory_;
    size_t used_ = 0;
};

void write_round(std::vector<char> &memory)
{
    wpi::log::DataLogWriter log{ std::make_unique<memory_stream>(memory) };
    const int entry = log.Start("NT:/Robot/Battery", "double");
    for (int i = 0; i < RECORDS; i++) {
        log.AppendDouble(entry, i, 1 + i * 1000LL); // 0 would be "now"
        if (i % BEFORE_FLUSH == 0) {
            log.Flush(); // 2026.2.2 waits for itself for ever once 1 MB waits
        }
    }
    log.Flush();
}

} // namespace

int main()
{
    std::vector<char> memory(32 * RECORDS);
    write_round(memory);
    for (int i = 0; i < ROUNDS; i++) {
        const std::clock_t from = std::clock();
        write_round(memory);
        std::printf("%.2f\n", static_cast<double>(std::clock() - from) * 1e9 / CLOCKS_PER_SEC / RECORDS);
    }
}
