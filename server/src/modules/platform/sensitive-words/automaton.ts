/** The caller defines the meaning of the symbols. */
export type Symbols = readonly number[];

/** An Aho–Corasick automaton, which finds all occurrences of many patterns in one pass. */
export interface Automaton {
  /** Children of each node by symbol; undefined for a leaf. */
  edges: (Map<number, number> | undefined)[];
  /** Failure links: the node of the longest proper suffix that is a prefix of a pattern. */
  fails: number[];
  /** Index of the pattern that ends at the node, or -1. */
  patterns: number[];
  /** The nearest node along `fails` at which a pattern ends, or 0. */
  outputs: number[];
}

const ROOT = 0;

/** Patterns must be unique and not empty. */
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
    const created = edges.length;
    edges.push(undefined);
    fails.push(ROOT);
    patterns.push(-1);
    outputs.push(ROOT);
    const own = edges[node] ?? new Map<number, number>();
    own.set(symbol, created);
    edges[node] = own;
    node = created;
  }
  return node;
}

/** Breadth-first, because a failure link leads to a node of lesser depth. */
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

/** Reports every occurrence, also overlapping ones; `end` is exclusive. */
export function findPatterns(
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
