// A method as ART and Dalvik write it into traces, and its signature as people read it.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats::art {

struct Method {
  std::string name;    // "java.lang.Object.wait(long, int)"
  std::string params;  // members of a JSON object, without braces: what the name does not say
};

// "android/os/Looper\tloop\t()V\tLooper.java\t123": what stands behind the method's id. Files and
// lines may be missing, and so may the method and its signature. Any bytes.
Method method_from(std::string_view line);

// "(I[JLjava/lang/String;)V" is "(int, long[], java.lang.String)"; empty where it is not a
// signature.
std::string types_of(std::string_view signature);

}  // namespace weft::formats::art
