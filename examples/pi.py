"""Pi as an integral, in steps of half the width until it stands: a program that knows nothing of Strata.

mpirun -n 4 strata run --report -- python3 pi.py
"""
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, ranks = comm.Get_rank(), comm.Get_size()


def integral(steps):
    """4 / (1 + x^2) from 0 to 1: each rank sums every ranks-th step."""
    total = array("d", [sum(4 / (1 + ((i + 0.5) / steps) ** 2) for i in range(rank, steps, ranks))])
    comm.Allreduce(MPI.IN_PLACE, total)
    return total[0] / steps


steps, before, now = 16, 0.0, integral(8)
while abs(now - before) > 1e-9:
    before, now = now, integral(steps)
    steps *= 2
if rank == 0:
    print(f"pi is {now:.8f}, after {steps // 2} steps on {ranks} ranks")
