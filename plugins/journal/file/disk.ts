// The few file operations of an append that tests make fail. Everything else goes to `node:fs` directly.
import { fdatasyncSync, ftruncateSync, writeSync } from 'node:fs'

export interface Disk {
  /** Answers the number of bytes that were written, which may be fewer than asked. */
  write(fd: number, bytes: Buffer): number
  fdatasync(fd: number): void
  ftruncate(fd: number, length: number): void
}

export const nodeDisk: Disk = {
  write: (fd, bytes) => writeSync(fd, bytes),
  fdatasync: (fd) => fdatasyncSync(fd),
  ftruncate: (fd, length) => ftruncateSync(fd, length),
}
