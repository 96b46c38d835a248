// What one double costs MCAP's own writer for Rust, without chunks and compression, into memory that is there: nanoseconds of the
// processor's time, one line a round.
use std::collections::BTreeMap;
use std::io::Cursor;

const RECORDS: u32 = 200_000;
const ROUNDS: u32 = 21;

extern "C" {
    fn clock() -> std::ffi::c_long; // of the C library: microseconds of the processor's time
}

fn write_round(memory: Vec<u8>) -> Vec<u8> {
    let options = mcap::WriteOptions::new().use_chunks(false).compression(None);
    let mut writer = options.create(Cursor::new(memory)).unwrap();
    let channel = writer.add_channel(0, "/Robot/Battery", "", &BTreeMap::new()).unwrap();
    for i in 0..RECORDS {
        let time = u64::from(i) * 1000;
        let header = mcap::records::MessageHeader { channel_id: channel, sequence: i, log_time: time, publish_time: time };
        writer.write_to_known_channel(&header, &f64::from(i).to_le_bytes()).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner().into_inner()
}

fn main() {
    let mut memory = write_round(Vec::new());
    for _ in 0..ROUNDS {
        memory.clear();
        let from = unsafe { clock() };
        memory = write_round(memory);
        println!("{:.2}", (unsafe { clock() } - from) as f64 * 1000.0 / f64::from(RECORDS));
    }
}
