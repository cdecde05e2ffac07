// Patterns at the root of a session: their names appear together, after the whole pattern has succeeded.
import { rows } from '../../harness/cells.ts'

describe('cells: root patterns', () => {
  rows([
    ['objects, arrays, rest, defaults', ['const { a, b: [c, ...d], ...e } = { a: 1, b: [2, 3, 4], f: 5 }, [g = 6] = []', 'return [a, c, d, e, g]'], [1, 2, [3, 4], { f: 5 }, 6]],
    ['the initializer reads the names of before', ['let x = { x: 1 }', 'const { x } = x; return x'], 1],
    ['defaults read names of the same pattern', ['const [a, b = a + 1] = [1]; return b'], 2],
    ['a name of the pattern is dead before its turn', ['var b = 1; const [a = b, b] = [undefined, 2]'], { error: 'ReferenceError' }],
    ['a failure leaves all names as they were', ['let a = 1', 'const { a, b: { c } } = { a: 2 }', 'return [a, typeof c]'], [1, 'undefined']],
    ['an assignment keeps what it wrote', ['let a = 1, c; try { ({ a, b: { c } } = { a: 2 }) } catch {}', 'return a'], 2],
    ['functions in defaults are named', ['const { f = () => 1, g = class {} } = {}; return [f.name, g.name]'], ['f', 'g']],
    ['await in the initializer', ['const { a } = await { a: 1 }; return a'], 1],
    ['await in a default', ['const { a = await 1, [await "k"]: b } = { k: 2 }; return [a, b]'], [1, 2]],
    ['await in a function of a default', ['const { f = async () => await 1 } = {}; return await f()'], 1],
    ['a repeated name, later defaults see it', ['const [x, y = x, x = y + 1] = [1]; return [x, y]'], [2, 1]],
    ['a closure in the pattern sees later updates', ['const { a, get = () => a } = { a: 1 }; a = 5', 'return get()'], 5],
    ['a closure that runs inside the pattern sees the candidate', ['let a = 0', 'const { a, list = [1, 2].map(x => x + a) } = { a: 10 }; return list'], [11, 12]],
    ['such a pattern too publishes all or nothing', ['let a = 0', 'const { a, f = () => a, b: { c } } = { a: 1 }', 'return [a, typeof f]'], [0, 'undefined']],
    ['empty patterns evaluate', ['let {} = { }; const [] = []; return 1'], 1],
    ['types in a pattern', ['const { a, b }: { a: number, b?: string } = { a: 1 } as any; return [a, b]'], [1, undefined]],
    ['an object pattern on its own lines', ['const {\n  a,\n  b: { c }\n} = { a: 1, b: { c: 2 } }\nreturn [a, c]'], [1, 2]],
    ['no initializer', ['let { a }'], { error: 'SyntaxError' }],
    ['in a loop head', ['for (var { a } = { a: 3 }, i = 0; i < 1; i += 1);', 'return [a, i]'], [3, 1]],
    ['strict cells', ['"use strict"; const [x, x = 2] = [1]; const { f = () => x } = {}; return [x, f()]'], [2, 2]],
  ])
})
