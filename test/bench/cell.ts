// The cell that every session in the benchmarks runs, ours and others': an interface, a type, a function, a generic class.
// Semicolons, because some take a cell as one line.

const CELL = `interface Order$I { id: number; customer: string; total: number; paid: boolean }
type Totals$I = Record<string, number>;
const orders$I: Order$I[] = [
  { id: 1, customer: 'ada', total: 10.5, paid: true },
  { id: 2, customer: 'bob', total: 20, paid: false },
  { id: 3, customer: 'ada', total: 4.25, paid: true },
];
function totals$I(rows: readonly Order$I[], paid?: boolean): Totals$I {
  const sums: Totals$I = {};
  for (const row of rows) {
    if (paid !== undefined && row.paid !== paid) continue;
    sums[row.customer] = (sums[row.customer] ?? 0) + row.total;
  }
  return sums;
}
class Report$I<T extends Totals$I> {
  private readonly rows: T;
  constructor(rows: T) { this.rows = rows }
  lines(): string[] { return Object.entries(this.rows).map(([name, sum]) => \`\${name}: \${sum.toFixed(2)}\`) }
}
new Report$I(totals$I(orders$I, true)).lines().join(', ')`

/** A copy with names of its own: some sessions refuse a name that they have. */
export const twenty = (i: number): string => CELL.replaceAll('$I', `${i}`)
export const TWENTY_ANSWER = 'ada: 14.75'
