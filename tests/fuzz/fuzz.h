// The fuzz targets: each takes any bytes, and aborts if an invariant is broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace weft::fuzz {

// Formats that are not read as the bytes that they are.
void bootchart(const uint8_t* data, size_t size);
void chrome_json(const uint8_t* data, size_t size);
void ctf(const uint8_t* data, size_t size);
void ctf_text(const uint8_t* data, size_t size);
void sigrok(const uint8_t* data, size_t size);
void uftrace(const uint8_t* data, size_t size);

void c_source(const uint8_t* data, size_t size);
void ctf_metadata_2(const uint8_t* data, size_t size);
void custom_format(const uint8_t* data, size_t size);
void event_wire(const uint8_t* data, size_t size);
void filter(const uint8_t* data, size_t size);
void lenient_json(const uint8_t* data, size_t size);
void recognise(const uint8_t* data, size_t size);
void weft_file(const uint8_t* data, size_t size);

// Files for weft_file() and recognise() to begin with, the latter from each format's of `cases`.
void write_weft_seeds(const std::filesystem::path& folder);
void write_recognise_seeds(const std::filesystem::path& cases, const std::filesystem::path& folder);

}  // namespace weft::fuzz
