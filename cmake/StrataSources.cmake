# strata_sources(VARIABLE FOLDER...): the .c files of these folders that this configuration builds.
function(strata_sources variable)
    set(all)
    foreach(folder ${ARGN})
        file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
             ${PROJECT_SOURCE_DIR}/${folder}/*.c)
        if(NOT STRATA_HAVE_MPI) # the names from the root: a folder above it may have any
            list(FILTER sources EXCLUDE REGEX "_(mpi|omp)\\.c$|^(api|apps|bench)/")
        endif()
        list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
        list(APPEND all ${sources})
    endforeach()
    set(${variable} ${all} PARENT_SCOPE)
endfunction()
