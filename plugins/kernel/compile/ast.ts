// The view of Babel's syntax tree that the compiler works with: one loose node type, the children of each node type, and
// the few questions about a node that more than one phase asks.

/** A field is only present on the node types that have it; `type` says which those are. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
  readonly name: string
  readonly kind: string
  readonly operator: string
  readonly value: unknown
  readonly id: Node | null
  readonly init: Node | null
  readonly body: Node
  readonly declarations: readonly Node[]
  readonly declaration: Node | null
  readonly specifiers: readonly Node[]
  readonly source: Node | null
  readonly attributes: readonly Node[] | undefined
  readonly local: Node
  readonly imported: Node
  readonly exported: Node
  readonly directives: readonly Node[]
  readonly params: readonly Node[]
  readonly arguments: readonly Node[]
  readonly callee: Node
  readonly object: Node
  readonly property: Node
  readonly key: Node
  readonly left: Node
  readonly right: Node
  readonly test: Node
  readonly argument: Node | null
  readonly expression: Node
  readonly expressions: readonly Node[]
  readonly elements: readonly (Node | null)[]
  readonly properties: readonly Node[]
  readonly quasis: readonly Node[]
  readonly consequent: Node
  readonly alternate: Node | null
  readonly discriminant: Node
  readonly cases: readonly Node[]
  readonly block: Node
  readonly handler: Node | null
  readonly finalizer: Node | null
  readonly param: Node | null
  readonly label: Node | null
  readonly superClass: Node | null
  readonly members: readonly Node[]
  readonly initializer: Node | null
  readonly moduleReference: Node
  readonly parameter: Node
  readonly typeAnnotation: Node
  readonly computed: boolean
  readonly shorthand: boolean
  readonly async: boolean
  readonly generator: boolean
  readonly static: boolean
  readonly declare: boolean | undefined
  readonly importKind: string | undefined
  readonly exportKind: string | undefined
  readonly phase: string | null | undefined
  readonly extra: { readonly raw?: string } | undefined
}

/** Children in source order, for the node types that have any. Types of TypeScript are looked at without a table. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  ArrayExpression: ['elements'], ArrayPattern: ['elements', 'typeAnnotation'],
  ArrowFunctionExpression: ['typeParameters', 'params', 'returnType', 'body'],
  AssignmentExpression: ['left', 'right'], AssignmentPattern: ['left', 'right'], AwaitExpression: ['argument'],
  BinaryExpression: ['left', 'right'], BlockStatement: ['directives', 'body'],
  CallExpression: ['callee', 'typeArguments', 'arguments'],
  CatchClause: ['param', 'body'],
  ClassAccessorProperty: ['decorators', 'key', 'typeAnnotation', 'value'],
  ClassBody: ['body'],
  ClassDeclaration: ['decorators', 'id', 'typeParameters', 'superClass', 'superTypeArguments', 'implements', 'body'],
  ClassExpression: ['decorators', 'id', 'typeParameters', 'superClass', 'superTypeArguments', 'implements', 'body'],
  ClassMethod: ['decorators', 'key', 'typeParameters', 'params', 'returnType', 'body'],
  ClassPrivateMethod: ['decorators', 'key', 'typeParameters', 'params', 'returnType', 'body'],
  ClassPrivateProperty: ['decorators', 'key', 'typeAnnotation', 'value'],
  ClassProperty: ['decorators', 'key', 'typeAnnotation', 'value'],
  ConditionalExpression: ['test', 'consequent', 'alternate'], Decorator: ['expression'],
  DoWhileStatement: ['body', 'test'],
  ExportAllDeclaration: ['source', 'attributes'], ExportDefaultDeclaration: ['declaration'],
  ExportNamedDeclaration: ['declaration', 'specifiers', 'source', 'attributes'],
  ExportSpecifier: ['local', 'exported'], ExpressionStatement: ['expression'],
  ForInStatement: ['left', 'right', 'body'], ForOfStatement: ['left', 'right', 'body'],
  ForStatement: ['init', 'test', 'update', 'body'],
  FunctionDeclaration: ['id', 'typeParameters', 'params', 'returnType', 'body'],
  FunctionExpression: ['id', 'typeParameters', 'params', 'returnType', 'body'],
  Identifier: ['typeAnnotation'], IfStatement: ['test', 'consequent', 'alternate'],
  ImportExpression: ['source', 'options'], LabeledStatement: ['label', 'body'], LogicalExpression: ['left', 'right'],
  MemberExpression: ['object', 'property'], MetaProperty: [],
  NewExpression: ['callee', 'typeArguments', 'arguments'],
  ObjectExpression: ['properties'],
  ObjectMethod: ['decorators', 'key', 'typeParameters', 'params', 'returnType', 'body'],
  ObjectPattern: ['properties', 'typeAnnotation'], ObjectProperty: ['key', 'value'],
  OptionalCallExpression: ['callee', 'typeArguments', 'arguments'],
  OptionalMemberExpression: ['object', 'property'],
  ParenthesizedExpression: ['expression'], Program: ['directives', 'body'],
  RestElement: ['argument', 'typeAnnotation'], ReturnStatement: ['argument'], SequenceExpression: ['expressions'],
  SpreadElement: ['argument'], StaticBlock: ['body'], SwitchCase: ['test', 'consequent'],
  SwitchStatement: ['discriminant', 'cases'],
  TaggedTemplateExpression: ['tag', 'typeArguments', 'quasi'], TemplateLiteral: ['quasis', 'expressions'],
  ThrowStatement: ['argument'], TryStatement: ['block', 'handler', 'finalizer'], UnaryExpression: ['argument'],
  UpdateExpression: ['argument'], VariableDeclaration: ['declarations'], VariableDeclarator: ['id', 'init'],
  WhileStatement: ['test', 'body'], WithStatement: ['object', 'body'], YieldExpression: ['argument'],
  TSAsExpression: ['expression', 'typeAnnotation'], TSSatisfiesExpression: ['expression', 'typeAnnotation'],
  TSTypeAssertion: ['typeAnnotation', 'expression'], TSNonNullExpression: ['expression'],
  TSInstantiationExpression: ['expression', 'typeArguments'],
  Directive: [], DirectiveLiteral: [], EmptyStatement: [], StringLiteral: [], NumericLiteral: [], BigIntLiteral: [],
  BooleanLiteral: [], NullLiteral: [], RegExpLiteral: [], ThisExpression: [], Super: [], TemplateElement: [], Import: [],
  PrivateName: [], BreakStatement: [], ContinueStatement: [], DebuggerStatement: [],
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Calls `visit` with each child, in source order. */
export function eachChild(node: Node, visit: (child: Node) => void): void {
  const keys = CHILDREN[node.type] ?? Object.keys(node)
  for (let i = 0; i < keys.length; i += 1) {
    const value = node[keys[i]!]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (let j = 0; j < value.length; j += 1) if (isNode(value[j])) visit(value[j] as Node)
    } else if (isNode(value)) visit(value)
  }
}

/** The statements of a block, a program, a class body or the body of a namespace. */
export function listOf(node: Node): readonly Node[] { return node.body as unknown as readonly Node[] }

/** Does the tree below `node` contain a node for which `test` holds? `enter` says where to look further. */
export function contains(node: Node, test: (node: Node) => boolean, enter: (node: Node) => boolean): boolean {
  let found = false
  const look = (child: Node): void => {
    if (found) return
    if (test(child)) found = true
    else if (enter(child)) eachChild(child, look)
  }
  look(node)
  return found
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ObjectMethod', 'ClassMethod', 'ClassPrivateMethod',
])

export function isFunction(node: Node): boolean { return FUNCTIONS.has(node.type) }

/** Around an expression, these change its type or its grouping but not its value. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'ParenthesizedExpression', 'TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion',
  'TSInstantiationExpression',
])

export function isWrapper({ type }: Node): boolean { return WRAPPERS.has(type) }

export function unwrap(node: Node): Node {
  let inner = node
  while (WRAPPERS.has(inner.type)) inner = inner.expression
  return inner
}

/** An expression that takes its name from what it is assigned to. */
export function isAnonymous(node: Node): boolean {
  const inner = unwrap(node)
  if (inner.type === 'ArrowFunctionExpression') return true
  return (inner.type === 'FunctionExpression' || inner.type === 'ClassExpression') && inner.id == null
}

/** The identifiers that a pattern binds, in source order, repeated ones repeated. */
export function targetsOf(pattern: Node, found: Node[] = []): Node[] {
  switch (pattern.type) {
    case 'Identifier': found.push(pattern); break
    case 'ObjectPattern': for (const property of pattern.properties) targetsOf(property, found); break
    case 'ObjectProperty': targetsOf(pattern.value as Node, found); break
    case 'ArrayPattern': for (const element of pattern.elements) if (element !== null) targetsOf(element, found); break
    case 'AssignmentPattern': targetsOf(pattern.left, found); break
    case 'RestElement': targetsOf(pattern.argument!, found); break
    case 'TSParameterProperty': targetsOf(pattern.parameter, found); break
  }
  return found
}
