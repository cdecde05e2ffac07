// A process of its own for tests of locks. Reads commands from stdin, one a line, and answers each with one line:
// `lock FILE` -> `won` or `lost: <why>`; `release` -> `released`.
// It ends, without releasing anything, when stdin ends.
import { createInterface } from 'node:readline'
import { acquire } from '../../plugins/journal/lock.ts'

let release: () => unknown = () => {}

async function obey(command: string, file = ''): Promise<string> {
  try {
    if (command === 'lock') {
      const lock = acquire(file, 'race')
      release = () => lock.release()
    } else {
      await release()
      return 'released'
    }
    return 'won'
  } catch (error) {
    return `lost: ${error instanceof Error ? error.message : String(error)}`
  }
}

console.log('ready')
for await (const line of createInterface({ input: process.stdin })) console.log(await obey(...line.split(' ') as [string]))
process.exit()
