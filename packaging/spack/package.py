# For Spack 1.0 and newer. It was never run in a Spack; docs/packaging.md says how to use it and what was checked.
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Strata(CMakePackage):
    """Node-aware collectives for hybrid MPI + OpenMP programs: a C library, a library to
    preload under programs that nobody changed, and a command that explains both."""

    license("BSD-3-Clause")

    version("0.1.0")  # from a folder: spack develop --path FOLDER strata@=0.1.0

    variant("mpi", default=True, description="The library; without it only the command, for plans and prices")
    variant("fft", default=False, when="+mpi", description="The program fft, a distributed transform")
    variant("otf2", default=False, description="Recorded calls in the Open Trace Format 2")
    variant("studies", default=True, description="Studies of programs that write JSON")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:", when="+mpi")
    depends_on("hwloc@2.1:", when="+mpi")
    depends_on("fftw@3+mpi+openmp", when="+fft")
    depends_on("jansson", when="+studies")
    depends_on("otf2", when="+otf2")
    conflicts("platform=darwin", msg="a node's memory waits by futex, which Linux has")
    conflicts("platform=windows", msg="a node's memory waits by futex, which Linux has")

    generator("ninja")

    def mpi_args(self):
        """openmpi and mpich are known by name; any other MPI is one of its own."""
        args = [self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc)]
        name = self.spec["mpi"].name
        if name in ("openmpi", "mpich"):
            return args + [self.define("STRATA_MPI", name)]
        return args + [
            self.define("STRATA_MPI", "custom"),
            self.define("STRATA_MPI_NAME", name.replace("-", "_")),
        ]

    def cmake_args(self):
        args = [self.define("BUILD_TESTING", False)]
        return args + (self.mpi_args() if self.spec.satisfies("+mpi") else [self.define("STRATA_MPI", "off")])
