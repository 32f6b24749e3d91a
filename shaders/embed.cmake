# Turns shader files into a C++ source: cmake -DOUTPUT=… -DSHADERS=a;b;… -P embed.cmake
# Each shaders/NAME.EXT becomes `const char* const weft::render::kNAME_EXT`.
set(text "// Made from shaders/ by shaders/embed.cmake.\nnamespace weft::render {\n")
foreach(shader ${SHADERS})
  get_filename_component(name ${shader} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${shader} source)
  string(APPEND text "extern const char* const k_${name};\n"
                     "const char* const k_${name} = R\"glsl(${source})glsl\";\n")
endforeach()
string(APPEND text "}  // namespace weft::render\n")
file(WRITE ${OUTPUT} "${text}")
