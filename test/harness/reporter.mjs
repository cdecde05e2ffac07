// The spec reporter, ending with the one plain line that continuous integration reads.
import mocha from 'mocha'

export default class PlainLine extends mocha.reporters.Spec {
  epilogue() {
    super.epilogue()
    const { passes, failures, pending } = this.stats
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`)
  }
}
