// Where helpers keep compiled code between them (Node's own compile cache): a helper starts in half the time when one before it
// has compiled the same files. Programs and their children do not see the setting.
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What to add to a helper's environment; null when whoever runs the host has said something about it. The folder is the one that
 * Node takes by default, where it keeps versions and users apart.
 */
export function codeCacheVariables(env: NodeJS.ProcessEnv): { readonly NODE_COMPILE_CACHE: string } | null {
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined) return null
  return { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }
}
