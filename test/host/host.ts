// Boots an agent host of published packages in this process, with or without the bundle, over a scripted model, and drives
// conversations with it as an app would.
//
// Owns: the host's context, its folder and its model. Everything goes with `dispose`.
import type { Context } from '@deepseek-ai/cordis'
import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'
import { installModelSelection, type Agent } from '@deepseek-ai/dsh-agent'
import { boot, loadOverlayPatches } from '@deepseek-ai/dsh-app-boot'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SessionId, type Session, type SessionEvent } from '@deepseek-ai/dsh-session'
import type {} from '@deepseek-ai/dsh-agent-default-model'
import type {} from '@deepseek-ai/dsh-tools'
import { expect } from 'chai'
import { copyFileSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BridgeService } from '../../plugins/cordis-bridge/types.ts'
import { temporaryFolder } from '../harness/sessions.ts'
import { startModel, type Answer, type Model } from './model.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The provider of the model reads its key from the environment. */
const KEY = 'PTC_TEST_MODEL_KEY'

export interface HostOptions {
  /** Settings of the bundle's bridge; `null` for a host without the bundle. */
  readonly bridge?: Record<string, unknown> | null
  /** Settings of the kernel. */
  readonly kernel?: Record<string, unknown>
  /** The bundle as this folder has it installed, instead of from the sources. */
  readonly installed?: string
  readonly mode?: 'native' | 'code' | 'both'
  /** Keeps sessions in files below this folder. */
  readonly sessions?: string
  readonly patches?: readonly PatchOptions[]
}

export interface ConversationOptions {
  readonly id?: string
  readonly cwd?: string
  readonly seed?: readonly SessionEvent[]
  readonly parent?: string
  /** Registers what this agent alone has. */
  readonly setup?: (ctx: Context) => unknown
}

export interface Conversation {
  readonly agent: Agent
  readonly session: Session
  /** One turn: the model answers with `script`; the events that it added. */
  ask(...script: Answer[]): Promise<readonly SessionEvent[]>
  dispose(): Promise<void>
}

export interface Host {
  readonly ctx: Context
  readonly model: Model
  readonly folder: string
  /** What plugins logged as warnings and as errors. */
  readonly logged: { readonly warn: readonly string[], readonly error: readonly string[] }
  /** The bridge's service; fails without the bundle. */
  readonly bridge: BridgeService
  open(options?: ConversationOptions): Promise<Conversation>
  resume(id: string, options?: Pick<ConversationOptions, 'setup'>): Promise<Conversation>
  dispose(): Promise<void>
}

type Row = NonNullable<PatchOptions['insert']>[number]

/** Rows as the bundle's patch has them, but for where their modules are. */
function withModules(patch: string, moduleOf: (name: string) => string, settings: Readonly<Record<string, object>> = {}): PatchOptions[] {
  const inserted = (row: Row): Row => ({ ...row, name: pathToFileURL(moduleOf(row.name)).href, config: { ...row.config as object, ...settings[row.id ?? ''] } })
  return loadOverlayPatches('test', patch).map((item) => item.insert === undefined ? item : { ...item, insert: item.insert.map(inserted) })
}

/** The bundle from the sources of this checkout. */
function sourcePatches(bridge: Record<string, unknown>, kernel: Record<string, unknown>): PatchOptions[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, { default: string }> }
  const sourceOf = (name: string) => join(root, exports[name.replace(/^dsh-ptc-plus/u, '.')]!.default.replace(/^\.\/lib\//u, '').replace(/\.js$/u, '.ts'))
  return withModules(join(root, 'cordis.patch.yml'), sourceOf, {
    'ptc-plus': { kernel: { spareHelper: false, maxOldGenerationSizeMb: 128, ...kernel } }, 'ptc-plus-bridge': bridge,
  })
}

/** The bundle from where a package manager has put it: its manifest says where its patch is. */
function installedPatches(app: string): PatchOptions[] {
  const { resolve } = createRequire(join(app, 'package.json'))
  const manifest = resolve('dsh-ptc-plus/package.json')
  const { dsh } = JSON.parse(readFileSync(manifest, 'utf8')) as { dsh: { bundle: { patch: string } } }
  return withModules(join(manifest, '..', dsh.bundle.patch), resolve)
}

function patchesOf({ bridge = {}, kernel = {}, installed, mode = 'code', sessions, patches = [] }: HostOptions, model: Model): PatchOptions[] {
  return [
    { id: 'llm-deepseek', config: { baseURL: model.baseURL, apiKeyEnv: KEY, retryPolicy: { mode: 'normal', backoff: { initialDelayMs: 1, maxDelayMs: 2, jitterRatio: 0 } } } },
    { id: 'tools', config: { mode } },
    ...sessions === undefined ? [] : [{ insert: [{ id: 'persistence', name: '@deepseek-ai/dsh-session-persistence-jsonl', config: { root: sessions, compression: 'none' } }] }],
    ...installed !== undefined ? installedPatches(installed) : bridge === null ? [] : sourcePatches(bridge, kernel),
    ...patches,
  ]
}

let conversations = 0

export async function bootHost(options: HostOptions = {}): Promise<Host> {
  const model = await startModel()
  const folder = temporaryFolder()
  const before = { home: process.env.DSH_HOME, key: process.env[KEY] }
  Object.assign(process.env, { DSH_HOME: folder.path, [KEY]: 'none' })
  const restore = async () => {
    for (const [name, value] of [['DSH_HOME', before.home], [KEY, before.key]] as const) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    await model.close()
    folder.remove()
  }
  const logged: Record<'warn' | 'error', string[]> = { warn: [], error: [] }
  const listen = (early: Context) => {
    early.logger.exporter({ levels: { default: 3 }, export: ({ type, args }) => { if (type === 'warn' || type === 'error') logged[type].push(String(args[0])) } })
  }
  let ctx: Context
  try {
    // The loader writes changes of a composition back into its file.
    const composition = join(folder.path, 'host.yml')
    copyFileSync(join(root, 'test/host/host.yml'), composition)
    ctx = await boot('test', composition, patchesOf(options, model), listen, pathToFileURL(root).href)
  } catch (error) {
    await restore()
    throw error
  }
  const selection = ctx.get('agentDefaultModel')!.currentSelection()
  const agentOptions = { provider: selection.provider, model: selection.model }
  const prepare = (setup: ConversationOptions['setup']) => async (agentCtx: Context) => {
    installModelSelection(agentCtx, { current: selection, assembled: undefined })
    await setup?.(agentCtx)
  }
  const conversation = (agent: Agent, dispose: () => Promise<void>): Conversation => ({
    agent, session: agent.session, dispose,
    async ask(...script) {
      const from = agent.session.seq
      model.script.push(...script)
      agent.followup(createUserMessage({ content: [{ type: 'text', text: 'Go on.' }], source: { kind: 'user' } }))
      await agent.whenIdle()
      return agent.session.events.slice(from)
    },
  })
  return {
    ctx, model, folder: folder.path, logged,
    get bridge() { return (ctx as unknown as { get(name: 'cordisBridge'): BridgeService | undefined }).get('cordisBridge')! },
    async open({ id = `conversation-${conversations += 1}`, cwd = folder.path, seed, parent, setup } = {}) {
      const { agent, dispose } = await ctx.get('agents')!.create({
        sessionId: SessionId(id), agentOptions, setup: prepare(setup), ...seed === undefined ? {} : { seed },
        meta: { cwd, ...parent === undefined ? {} : { parentSession: SessionId(parent), origin: 'subagent' as const } },
      })
      return conversation(agent, dispose)
    },
    async resume(id, { setup } = {}) {
      const { agent, dispose } = await ctx.get('agents')!.resume({ resumeSessionId: SessionId(id), agentOptions, setup: prepare(setup) })
      return conversation(agent, dispose)
    },
    async dispose() {
      await ctx.fiber.dispose()
      await restore()
    },
  }
}

/** Runs `use` with a host and takes the host down, whatever happens. */
export async function withHost(use: (host: Host) => Promise<void>, options: HostOptions = {}): Promise<void> {
  const host = await bootHost(options)
  try {
    await use(host)
  } finally {
    await host.dispose()
  }
  expect(host.logged.error, 'errors that plugins logged').to.deep.equal([])
}

/** What the model reads of the calls' results among the events, in order. */
export function resultsIn(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => event.type !== 'tool/result' ? []
    : [event.data.message.content.map((part) => part.content.map((block) => block.type === 'text' ? block.text : `[${block.type}]`).join('')).join('')])
}

export function endOf(events: readonly SessionEvent[]): string | undefined {
  const last = events.findLast((event) => event.type === 'turn/end')
  return last?.type === 'turn/end' ? last.data.reason.kind : undefined
}
