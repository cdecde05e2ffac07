// The memory source under the suite of all sources. Nothing outside the process can touch it, hence the gaps.
import { MemorySource } from '../../plugins/journal/memory-store.ts'
import { sourceContract } from './source-contract.ts'

sourceContract('memory', async () => {
  const source = new MemorySource()
  return { source, again: () => source, end: async () => {} }
}, { gaps: ['reopen', 'torn-tail', 'damage', 'read-only', 'other-process', 'disk-full'] })
