# cmake -D FILES=… -D OUTPUT=… -P embed_profiles.cmake: the texts of profiles as rows of a C++ table.
set(rows "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "{\"${name}\", R\"profile(${text})profile\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
