// Run before anything else by npm scripts. Plain JavaScript on purpose: it must run on the very Node versions that it refuses.
import { advice, isSupported } from '../bin/node-version.js'

if (!isSupported(process.version)) {
  console.error(advice(process.version))
  process.exit(1)
}
