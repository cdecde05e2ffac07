// Preloaded: the host and everything in it runs on the older release of its Cordis, which is installed under another name.
import { registerHooks } from 'node:module'

const OLDER = { '@deepseek-ai/cordis': 'cordis-4.0.1' }

registerHooks({
  resolve: (specifier, context, next) => next(OLDER[specifier] ?? specifier, context),
})
