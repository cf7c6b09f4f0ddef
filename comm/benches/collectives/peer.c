// What a program in C calls, in the MPI that the process has started.

#include <mpi.h>

static MPI_Comm comm;

int start(void) { return MPI_Comm_dup(MPI_COMM_WORLD, &comm); }

int version(char *text, int *length) { return MPI_Get_library_version(text, length); }

int end(void) { return MPI_Comm_free(&comm); }

int all_reduce(const float *input, float *output, int count, int calls) {
    for (int call = 0; call < calls; call++) {
        int error = MPI_Allreduce(input, output, count, MPI_FLOAT, MPI_SUM, comm);
        if (error != MPI_SUCCESS) return error;
    }
    return MPI_SUCCESS;
}

// There and back: who sends first receives then.
int ping_pong(const float *sent, float *received, int count, int other, int is_first, int calls) {
    for (int call = 0; call < calls; call++) {
        int error = is_first ? MPI_Send(sent, count, MPI_FLOAT, other, 0, comm)
                             : MPI_Recv(received, count, MPI_FLOAT, other, 0, comm, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS) return error;
        error = is_first ? MPI_Recv(received, count, MPI_FLOAT, other, 0, comm, MPI_STATUS_IGNORE)
                         : MPI_Send(sent, count, MPI_FLOAT, other, 0, comm);
        if (error != MPI_SUCCESS) return error;
    }
    return MPI_SUCCESS;
}
