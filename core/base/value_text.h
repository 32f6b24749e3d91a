// Values of variables as text for people.
#pragma once

#include <string>

namespace weft {

// "3,670,123", "-0.0125": whole numbers in full, of others six digits.
std::string format_value(double value);
// In the room that an axis has, three digits: "3.67M", "-12.5k", "0.0125".
std::string format_short_value(double value);

}  // namespace weft
