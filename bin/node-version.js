// Which Node versions PTC Plus runs on. Plain JavaScript that old versions can load, because it has to run on exactly
// the versions that it turns away.

/** `version` is written like `process.version`: `v24.1.0`. */
export function isSupported(version) {
  const parts = version.replace(/^v/, '').split('.').map(Number)
  return parts[0] >= 24 || (parts[0] === 22 && parts[1] >= 19)
}

export function advice(version) {
  return 'PTC Plus needs Node 22.19, or 24 and later; this is ' + version + '.\n'
    + 'In a source checkout "npm ci" brings Node 24 as a development dependency; if it is missing, run "npm ci" again\n'
    + 'without --omit=dev and --ignore-scripts. Elsewhere install a newer Node.'
}
