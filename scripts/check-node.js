// Plain JavaScript on purpose: it must run on the very Node versions that it refuses.
import { version } from 'node:process'

const [major, minor] = version.slice(1).split('.').map(Number)
if (!(major >= 24 || (major === 22 && minor >= 19))) {
  console.error(`PTC Plus needs Node 22.19, or 24 and later; this is ${version}.
"npm ci" brings Node 24 as a development dependency and npm scripts use it. If it is missing,
run "npm ci" again without --omit=dev and --ignore-scripts, or install a newer Node.`)
  process.exit(1)
}
