// Runs the published contract of history sources under mocha.
import { sourceContract, type ContractOptions, type Place } from '../../plugins/journal/testing/index.ts'

export function describeSource(name: string, make: () => Promise<Place>, options: ContractOptions): void {
  describe(`history source ${name}${options.gaps.length > 0 ? ` (without ${options.gaps.join(', ')})` : ''}`, () => {
    for (const { title, run } of sourceContract(make, options).cases) it(title, run)
  })
}
