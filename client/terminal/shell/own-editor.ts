// Starts the editor that the person has chosen: `$VISUAL`, or `$EDITOR`, which may hold arguments as well.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** `stdin`: `ignore` where the standard input is a file of cells. Answers the exit status, 128 after a signal. Throws without a choice. */
export async function openOwnEditor(file: string, stdin: 'inherit' | 'ignore', env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const { VISUAL, EDITOR } = env
  const command = VISUAL || EDITOR
  if (command === undefined || command === '') throw new Error('no editor is chosen: set EDITOR, for example to "vi" or "code --wait"')
  const heed = stdin === 'inherit' ? ignoreInterrupts() : () => {}
  try {
    const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'ptc', file], { stdio: [stdin, stdin === 'inherit' ? 'inherit' : 2, 'inherit'], env })
    const [status] = await once(child, 'exit') as [number | null]
    return status ?? 128
  } finally {
    heed()
  }
}

/** Ctrl-C in the editor is the editor's, although the terminal tells it to both. */
function ignoreInterrupts(): () => void {
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[]
  const ignore = () => {}
  process.on('SIGINT', ignore)
  for (const listener of listeners) process.off('SIGINT', listener)
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener)
    process.off('SIGINT', ignore)
  }
}
