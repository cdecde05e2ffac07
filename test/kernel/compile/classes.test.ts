// Class declarations at the root of a session.
import { rows } from '../../harness/cells.ts'

describe('cells: root classes', () => {
  rows([
    ['persist, with name and text', ['class A { m() { return 1 } }', 'return [new A().m(), A.name, A.toString()]'], [1, 'A', 'class A { m() { return 1 } }']],
    ['do not exist before their place', ['return [typeof A]; class A {}'], ['undefined']],
    ['declared again are another class', ['class A {} const a = new A()', 'class A {} return [a instanceof A, new A() instanceof A]'], [false, true]],
    ['refer to themselves while they are evaluated', ['class A { static self = A; static { this.two = A } } return [A.self === A, A.two === A]'], [true, true]],
    ['inside, the name is their own', ['class A { who() { return A } } const Old = A', 'A = 1; return new Old().who() === Old'], true],
    ['that fail leave the old one', ['class A { static v = 1 }', 'class A { static v = nope() }', 'return A.v'], 1],
    ['extend what an earlier cell has', ['class A { v = 1 }', 'class B extends A { w = this.v + 1 } return new B().w'], 2],
    ['private members, accessors, static blocks', ['class A { #p = 1; get p() { return this.#p } set p(v) { this.#p = v } static has(o) { return #p in o } }', 'const a = new A(); a.p = 3; return [a.p, A.has(a), A.has({})]'], [3, true, false]],
    ['abstract, implements, generic', ['interface I {} abstract class A<T> implements I { abstract m(): T }', 'class B extends A<number> { m() { return 1 } } return new B().m()'], 1],
    ['without semicolon, before a parenthesis', ['class A {}\n(function () {})()\nreturn typeof A'], 'function'],
  ])
})
