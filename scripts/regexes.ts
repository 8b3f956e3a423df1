/** Finds the regular expressions of source files and asks recheck whether a text can make one of them slow. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseSync } from '@swc/core';

export interface Regex {
  source: string;
  flags: string;
  /** The file or call that has it. */
  place: string;
}

export interface Finding extends Regex {
  /** Why it is refused. */
  reason: string;
}

interface Found {
  regexes: Regex[];
  /** Made of what is only known when the program runs. */
  unknown: { place: string; line: number }[];
}

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesIn(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value === 'object' && value !== null)
    for (const child of Object.values(value)) yield* nodesIn(child);
}

/** The text of a constant expression, from literals and other constants of the file; null when it is not constant. */
function textOf(node: unknown, constants: ReadonlyMap<string, unknown>): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type === 'Identifier') {
    const value = constants.get(String(node.value));
    return value === undefined ? null : textOf(value, constants);
  }
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node.quasis as { cooked: string }[];
  const parts = (node.expressions as unknown[]).map((each) => textOf(each, constants));
  if (parts.includes(null)) return null;
  return quasis.map(({ cooked }, at) => cooked + (parts[at] ?? '')).join('');
}

/** Every literal, and every `RegExp` made of constants. */
export function findRegexes(code: string, place: string): Found {
  const syntax = /\.m?js$/.test(place) ? 'ecmascript' : 'typescript';
  const { body } = parseSync(code, { syntax, tsx: place.endsWith('x'), target: 'esnext' });
  const nodes = [...nodesIn(body)];
  const constants = new Map<string, unknown>(
    nodes
      .filter(({ type, init }) => type === 'VariableDeclarator' && isNode(init))
      .map(({ id, init }) => [String((id as Node).value), init]),
  );
  const found: Found = { regexes: [], unknown: [] };
  const lines = code.split('\n');
  let searched = 0;
  for (const node of nodes) {
    if (node.type === 'RegExpLiteral')
      found.regexes.push({ source: String(node.pattern), flags: String(node.flags), place });
    const isMade = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (!isMade || !isNode(node.callee) || node.callee.value !== 'RegExp') continue;
    const [source, flags] = (node.arguments as { expression: unknown }[]).map(({ expression }) =>
      textOf(expression, constants),
    );
    searched = lines.findIndex((line, at) => at >= searched && /\bRegExp\(/.test(line)) + 1;
    if (typeof source === 'string' && flags !== null)
      found.regexes.push({ source, flags: flags ?? '', place });
    else found.unknown.push({ place, line: searched });
  }
  return found;
}

export const nameOf = ({ source, flags }: Pick<Regex, 'source' | 'flags'>): string => `/${source}/${flags}`;

/** Without a repetition it looks at no more characters than it has itself. */
const repeats = ({ source }: Regex): boolean => /[*+{]/.test(source);

interface CheckOptions {
  /** Where the names of those found safe are kept; none: all are checked anew. */
  cache?: string;
  /** Milliseconds for one expression; what takes longer is refused. */
  timeout?: number;
}

const readSafe = (cache: string | undefined): string[] =>
  cache !== undefined && existsSync(cache) ? JSON.parse(readFileSync(cache, 'utf8')) : [];

/** Those that some text makes slow, or that could not be proved not to be. */
export async function findSlow(
  regexes: readonly Regex[],
  { cache, timeout = 120_000 }: CheckOptions = {},
): Promise<Finding[]> {
  const safe = new Set(readSafe(cache));
  const byName = new Map(regexes.map((regex) => [nameOf(regex), regex]));
  const waiting = [...byName].filter(([name, regex]) => !safe.has(name) && repeats(regex));
  const slow: Finding[] = [];

  /** After each, so that a check that was stopped goes on where it was. */
  function save(): void {
    if (cache === undefined) return;
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(cache, JSON.stringify([...safe].filter((name) => byName.has(name))));
  }

  async function work(): Promise<void> {
    const worker = new Worker(join(import.meta.dirname, 'regex-worker.ts'));
    try {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [name, regex] = next;
        const { promise, resolve, reject } = Promise.withResolvers<string | null>();
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage({ source: regex.source, flags: regex.flags, timeout });
        const reason = await promise;
        worker.off('error', reject);
        if (reason === null) {
          safe.add(name);
          save();
        } else slow.push({ ...regex, reason });
      }
    } finally {
      await worker.terminate();
    }
  }
  const threads = Math.min(availableParallelism(), waiting.length);
  await Promise.all(Array.from({ length: threads }, work));
  save();
  return slow;
}
