/** Symbols are numbers; what they stand for is the caller's business. */
export type Symbols = readonly number[];

/** Aho and Corasick's machine: finds every occurrence of many patterns in one walk over the text. */
export interface Automaton {
  /** Of each node, where a symbol leads; a leaf has none. */
  edges: (Map<number, number> | undefined)[];
  /** The node of the longest proper ending that begins a pattern too. */
  fails: number[];
  /** The pattern that ends here, or -1. */
  patterns: number[];
  /** The nearest node along `fails` at which a pattern ends; 0 when there is none. */
  outputs: number[];
}

const ROOT = 0;

/** No pattern may be empty, nor twice the same. */
export function buildAutomaton(patterns: readonly Symbols[]): Automaton {
  const automaton: Automaton = { edges: [undefined], fails: [ROOT], patterns: [-1], outputs: [ROOT] };
  for (const [i, pattern] of patterns.entries()) automaton.patterns[addPath(automaton, pattern)] = i;
  linkFailures(automaton);
  return automaton;
}

function addPath({ edges, fails, patterns, outputs }: Automaton, pattern: Symbols): number {
  let node = ROOT;
  for (const symbol of pattern) {
    const known = edges[node]?.get(symbol);
    if (known !== undefined) {
      node = known;
      continue;
    }
    const made = edges.length;
    edges.push(undefined);
    fails.push(ROOT);
    patterns.push(-1);
    outputs.push(ROOT);
    const own = edges[node] ?? new Map<number, number>();
    own.set(symbol, made);
    edges[node] = own;
    node = made;
  }
  return node;
}

/** By length of path: whatever a node refers to is finished before it. */
function linkFailures(automaton: Automaton): void {
  const { edges, fails, patterns, outputs } = automaton;
  const queue = [ROOT];
  for (const node of queue) {
    for (const [symbol, child] of edges[node] ?? []) {
      const fail = node === ROOT ? ROOT : step(automaton, fails[node] ?? ROOT, symbol);
      fails[child] = fail;
      outputs[child] = patterns[fail] === -1 ? (outputs[fail] ?? ROOT) : fail;
      queue.push(child);
    }
  }
}

function step({ edges, fails }: Automaton, from: number, symbol: number): number {
  for (let node = from; ; node = fails[node] ?? ROOT) {
    const next = edges[node]?.get(symbol);
    if (next !== undefined) return next;
    if (node === ROOT) return ROOT;
  }
}

/** Tells of every occurrence, also inside others: which pattern, and behind which symbol it ends. */
export function walk(
  automaton: Automaton,
  text: Symbols,
  onHit: (pattern: number, end: number) => void,
): void {
  const { patterns, outputs } = automaton;
  let node = ROOT;
  for (let i = 0; i < text.length; i++) {
    node = step(automaton, node, text[i] ?? 0);
    for (let at = node; at !== ROOT; at = outputs[at] ?? ROOT) {
      const pattern = patterns[at] ?? -1;
      if (pattern !== -1) onHit(pattern, i + 1);
    }
  }
}
