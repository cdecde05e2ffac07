// What programs ask about 5,000 members, and what telling a session about them costs. Rows for `npm run bench`. The first of each is
// left out of the median, and shown apart where it makes an index.
import type { Members } from '../../plugins/capabilities/types.ts'
import { boot } from './graph.ts'
import { Random } from '../harness/random.ts'
import { measure, type Row } from './measure.ts'

const VERBS = ['read', 'write', 'list', 'find', 'open', 'close', 'merge', 'count', 'watch', 'move']
const NOUNS = ['File', 'Order', 'Customer', 'Issue', 'Branch', 'Mail', 'Note', 'Picture', 'Ticket', 'Invoice', 'Folder', 'Comment', 'User', 'Project']
const CHINESE = ['读取指定的文件', '列出全部订单', '搜索客户记录', '打开一个议题', '移动邮件到文件夹']

function membersOf(namespace: number): Members {
  const random = new Random(namespace)
  return Object.fromEntries(Array.from({ length: 100 }, (_, i) => {
    const verb = random.pick(VERBS)
    const noun = random.pick(NOUNS)
    const description = `${verb}s a ${noun.toLowerCase()} of the ${random.pick(NOUNS).toLowerCase()} service, by its id. ${random.pick(CHINESE)}`
    const properties = Object.fromEntries([verb, noun, 'limit'].map(name => [name, { type: 'string', description: `The ${name} to use.` }]))
    return [`${verb}${noun}${i}`, { description, parameters: { type: 'object', properties, required: [verb] }, replay: 'recorded-value', call: () => null }]
  }))
}

export async function capabilityRows(): Promise<Row[]> {
  const graph = await boot()
  const plan = graph.ctx.capabilityPlan
  const rows: Row[] = []
  const batches = Array.from({ length: 50 }, (_, i) => membersOf(i))
  rows.push(['register 5,000 members', await measure(1, () => batches.map((members, i) => plan.register(`service${i}`, members))), ''])
  rows.push(['first search over 5,000 members', await measure(1, () => plan.search({ query: 'order' })), 'makes the index'])
  const queries = ['read the order of a customer', 'service12.readFile3', '搜索客户', 'open issue', 'limit', 'mail folder 移动邮件']
  rows.push(['search', await measure(300, i => plan.search({ query: queries[i % queries.length]! })), 'target 10'])
  const texts = ['readFile', 'service12', 'customer service', '列出全部订单', 'limit', 'nothing']
  rows.push(['find', await measure(300, i => plan.find(texts[i % texts.length]!)), 'target 5'])
  rows.push(['first declaration of 5,000 members', await measure(1, () => plan.declaration()), 'writes every type'])
  plan.configure({ managementEnabled: true, baseline: ['service7', 'service8.readFile1'] })
  rows.push(['compose the plan of a session', await measure(50, i => plan.session(`s${i}`).refresh()), 'target 50'])
  rows.push(['view of a new session, plan included', await measure(50, i => plan.view(`v${i}`)), ''])
  plan.session('v0').close('service9')
  rows.push(['view after a closure', await measure(50, i => { plan.session('v0').close(`service${i}`); return plan.view('v0') }), ''])
  await graph.dispose()
  return rows
}
