// The memory source under the suite of all sources. Nothing outside the process can touch it, hence the gaps.
import { MemorySource } from '../../plugins/journal/memory-store.ts'
import { describeSource } from './contract.ts'

describeSource('memory', async () => {
  const source = new MemorySource()
  return { source, again: () => source, end: async () => {} }
}, { gaps: ['reopen', 'other-process', 'large', 'torn-tail', 'damage', 'read-only', 'disk-full', 'power-cut', 'inspect', 'documents'] })
