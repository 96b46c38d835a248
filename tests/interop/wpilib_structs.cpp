// What WPILib's own reader of structs says, for run_structs.py. From standard input, words with tabs between: "schema NAME TEXT", in which
// "\n" stands for a line's end, "size NAME", and "value NAME HEX". For each size a line with the struct's bytes, 0 if it is wrong; for
// each value a line "KEY WIDTH VALUE" for each number, in the order of the bytes, and a line "end". A value is the whole number that its
// bits are, the width of a floating-point one is "f32" or "f64", and that of characters is "text".
#include <wpi/struct/DynamicStruct.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

void print_struct(const wpi::DynamicStruct &value, const std::string &key);

void print_element(const wpi::DynamicStruct &value, const wpi::StructFieldDescriptor &field, size_t index, const std::string &key)
{
    if (field.GetType() == wpi::StructFieldType::kStruct) {
        print_struct(value.GetStructField(&field, index), key);
        return;
    }
    uint64_t bits = 0;
    switch (field.GetType()) {
    case wpi::StructFieldType::kBool: bits = value.GetBoolField(&field, index); break;
    case wpi::StructFieldType::kFloat: bits = std::bit_cast<uint32_t>(value.GetFloatField(&field, index)); break;
    case wpi::StructFieldType::kDouble: bits = std::bit_cast<uint64_t>(value.GetDoubleField(&field, index)); break;
    default:
        bits = field.IsInt() ? static_cast<uint64_t>(value.GetIntField(&field, index)) : value.GetUintField(&field, index);
        break;
    }
    const bool is_float = field.GetType() == wpi::StructFieldType::kFloat || field.GetType() == wpi::StructFieldType::kDouble;
    std::printf("%s\t%s%u\t%llu\n", key.c_str(), is_float ? "f" : "", field.GetBitWidth(), static_cast<unsigned long long>(bits));
}

void print_struct(const wpi::DynamicStruct &value, const std::string &key)
{
    for (const auto &field : value.GetDescriptor()->GetFields()) {
        const std::string name = key + "/" + field.GetName();
        if (field.GetType() == wpi::StructFieldType::kChar) {
            const std::string_view text = value.GetStringField(&field);
            std::printf("%s\ttext\t", name.c_str());
            for (const char c : text) {
                std::printf("%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            }
            std::printf("\n");
        } else if (field.IsArray()) {
            for (size_t i = 0; i < field.GetArraySize(); i++) {
                print_element(value, field, i, name + "/" + std::to_string(i));
            }
        } else {
            print_element(value, field, 0, name);
        }
    }
}

std::vector<uint8_t> bytes_of(const std::string &hex)
{
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

} // namespace

int main()
{
    wpi::StructDescriptorDatabase database;
    for (std::string line; std::getline(std::cin, line);) {
        const size_t one = line.find('\t'), two = line.find('\t', one + 1);
        const std::string name = line.substr(one + 1, two - one - 1);
        std::string rest = line.substr(two + 1), error;
        if (line.substr(0, one) == "schema") {
            for (size_t at; (at = rest.find("\\n")) != std::string::npos;) {
                rest.replace(at, 2, "\n");
            }
            database.Add(name, rest, &error);
            continue;
        }
        const wpi::StructDescriptor *const found = database.Find(name);
        if (line.substr(0, one) == "size") {
            std::printf("%zu\n", found != nullptr && found->IsValid() ? found->GetSize() : 0);
            continue;
        }
        print_struct(wpi::DynamicStruct{found, bytes_of(rest)}, "");
        std::printf("end\n");
    }
}
