# A Python program that knows nothing of Strata. Prints "all right", or what is wrong.
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
right = True
for _ in range(4):
    all = array("i", [0])
    comm.Allreduce([array("i", [comm.rank]), MPI.INT], [all, MPI.INT])
    right = right and all[0] == comm.size * (comm.size - 1) // 2
    right = right and comm.allgather(("rank", comm.rank)) == [("rank", r) for r in range(comm.size)]
if comm.rank == 0 and right:
    print("all right")
raise SystemExit(not right)
