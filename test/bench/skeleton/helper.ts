// The skeleton's helper process: holds the worker, and goes when the host does.
import { Worker } from 'node:worker_threads'

process.on('disconnect', () => process.exit())
new Worker(new URL('./worker.ts', import.meta.url))
