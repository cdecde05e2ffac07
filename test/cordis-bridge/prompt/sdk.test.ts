// The host's SDK text without some of its tools.
import { expect } from 'chai'
import { withoutTools } from '../../../plugins/cordis-bridge/prompt/sdk.ts'

const SDK = `The available tools:

\`\`\`ts
interface ToolArgsMap {
  /** Adds. add: { evil } *\\/ end */
  add: {
    /** in mcp__x__y: {} */
    a?: number;
    read: {
      b: string;
    };
  } & Record<string, JsonValue>;
  "my-tool": {
    c: number;
  };
  mcp__x__y: Record<string, never>;
}

interface ToolOutputMap {
  add: JsonValue;
  "my-tool": {
    ok?: boolean;
  };
  mcp__x__y: JsonValue;
}

type ToolName = keyof ToolOutputMap
\`\`\``

const without = (...names: string[]) => withoutTools(SDK, (name) => names.includes(name))

describe('the SDK text', () => {
  it('loses a tool with its comment, in both places', () => {
    expect(without('add')).to.equal(SDK.replace(/ {2}\/\*\* Adds[^]*?JsonValue>;\n/u, '').replace('  add: JsonValue;\n', ''))
    expect(without('my-tool')).to.equal(SDK.replaceAll(/ {2}"my-tool": \{\n.*\n {2}\};\n/gu, ''))
  })
  it('loses the last one as the host would have left it out', () => {
    expect(without('add', 'my-tool', 'mcp__x__y')).to.contain('interface ToolArgsMap {}\n\ninterface ToolOutputMap {}\n\ntype')
  })
  it('keeps what is not named, and what is only named inside', () => { expect(without('read', 'evil', 'c', 'ToolName')).to.equal(SDK) })
  for (const [what, text] of [
    ['another layout', SDK.replace('    a?: number;', '   a?: number;')], ['no end', SDK.replaceAll('\n}\n', '\n')], ['no interfaces', 'declare const tools: {}'],
  ] as const) it(`is left alone with ${what}`, () => { expect(withoutTools(text, () => true)).to.equal(text) })
})
