// A model that says what a test wants: a chat-completions endpoint on the loopback interface that streams scripted answers and
// keeps the requests that it got.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface ModelMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string, readonly function: { readonly name: string, readonly arguments: string } }[]
  readonly tool_call_id?: string
}

export interface ModelTool {
  readonly function: { readonly name: string, readonly description: string, readonly parameters: { readonly properties: Record<string, { readonly description?: string }> } }
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[]
}

/** Arguments that are text are sent as they are: a model can write what is no JSON. */
export interface ToolCall { readonly name: string, readonly arguments: unknown }

export type Answer = { readonly text: string } | { readonly calls: readonly ToolCall[] }

export interface Model {
  readonly baseURL: string
  readonly requests: readonly ModelRequest[]
  /** What the next requests get, in order. */
  readonly script: Answer[]
  /** Takes the place of the script when it answers. */
  answer: ((request: ModelRequest) => Answer | undefined) | undefined
  close(): Promise<void>
}

/** The answer that runs one cell. */
export const cell = (code: string): Answer => ({ calls: [{ name: 'run_code', arguments: { code, description: 'Run one test cell' } }] })
export const say = (text: string): Answer => ({ text })

async function bodyOf(request: IncomingMessage): Promise<ModelRequest> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text) as ModelRequest
}

/** Two deltas a field, so that whoever reads them has to put them together. */
const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)]

function* deltas(answer: Answer, turn: number): Generator<object> {
  yield { role: 'assistant', content: '' }
  if ('text' in answer) {
    for (const content of halves(answer.text)) yield { content }
    return
  }
  for (const [index, { name, arguments: given }] of answer.calls.entries()) {
    yield { tool_calls: [{ index, id: `call_${turn}_${index}`, type: 'function', function: { name, arguments: '' } }] }
    for (const part of halves(typeof given === 'string' ? given : JSON.stringify(given))) yield { tool_calls: [{ index, function: { arguments: part } }] }
  }
}

function stream(response: ServerResponse, answer: Answer, turn: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, rest: object) => {
    const chunk = { id: `answer-${turn}`, object: 'chat.completion.chunk', created: 0, model: 'scripted', choices: [{ index: 0, delta, finish_reason: null, ...rest }] }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  for (const delta of deltas(answer, turn)) send(delta, {})
  send({}, { finish_reason: 'text' in answer ? 'stop' : 'tool_calls' })
  response.end('data: [DONE]\n\n')
}

/** A request that the script has no answer for ends the turn with an error that says so. */
export async function startModel(): Promise<Model> {
  const requests: ModelRequest[] = []
  const script: Answer[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      requests.push(body)
      const answer = model.answer?.(body) ?? script.shift()
      if (answer !== undefined) return stream(response, answer, requests.length)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'the script is at its end', type: 'invalid_request_error' } }))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const model: Model = {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, script, answer: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return model
}
