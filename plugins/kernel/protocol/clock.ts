// The clock that the host and its helpers share: the system's monotonic one, which starts with the machine and not with a process.

/** Milliseconds; comparable between the processes of one machine. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6
