"""A heat equation on a periodic grid, by numpy's FFTs of columns and mpi4py's alltoall, in C's and in Python's way."""
import numpy
from mpi4py import MPI

N, STEPS = 256, 40
world = MPI.COMM_WORLD
ranks, rank = world.size, world.rank
rows = N // ranks


def transpose(part):
    """Of a matrix whose rows are dealt to the ranks: an alltoall of square blocks."""
    blocks = numpy.ascontiguousarray(part.reshape(rows, ranks, rows).swapaxes(0, 1))
    came = numpy.empty_like(blocks)
    world.Alltoall(blocks, came)
    return numpy.ascontiguousarray(came.reshape(N, rows).T)


def transform(part, fft):
    return transpose(fft(transpose(fft(part, axis=1)), axis=1))


line = numpy.arange(N)
here = line[rank * rows:(rank + 1) * rows, None]
heat = numpy.exp(-((here - 90) ** 2 + (line - 140) ** 2) / 200.0)
waves = numpy.fft.fftfreq(N)
decay = numpy.exp(-4 * (waves[here] ** 2 + waves ** 2))
for step in range(STEPS):
    heat = transform(decay * transform(heat, numpy.fft.fft), numpy.fft.ifft).real
    if step % 10 == 9:
        total = world.allreduce(float(heat.sum()))
        most = world.allreduce(float(heat.max()), op=MPI.MAX)
        if rank == 0:
            print(f"step {step + 1} total {total:.8f} most {most:.8f}")
        world.Barrier()
names = world.gather({"rank": rank, "rows": rows})
settings = world.bcast({"steps": STEPS} if rank == 0 else None)
if rank == 0:
    print("ranks", [name["rank"] for name in names], settings)
