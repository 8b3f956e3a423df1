/** Finds the regular expressions of source files and checks with recheck whether they can be slow. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseSync } from '@swc/core';

export interface Regex {
  source: string;
  flags: string;
  location: string;
}

export interface SlowRegex extends Regex {
  reason: string;
}

interface SourceRegexes {
  regexes: Regex[];
  /** Expressions built from values known only at run time. */
  unknown: { location: string; line: number }[];
}

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesIn(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value === 'object' && value !== null)
    for (const child of Object.values(value)) yield* nodesIn(child);
}

/** Evaluates literals and constants of the file; null when the value is not constant. */
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

/** Finds all literals, and all `RegExp` objects built from constants. */
export function findRegexes(code: string, location: string): SourceRegexes {
  const syntax = /\.m?js$/.test(location) ? 'ecmascript' : 'typescript';
  const { body } = parseSync(code, { syntax, tsx: location.endsWith('x'), target: 'esnext' });
  const nodes = [...nodesIn(body)];
  const constants = new Map<string, unknown>(
    nodes
      .filter(({ type, init }) => type === 'VariableDeclarator' && isNode(init))
      .map(({ id, init }) => [String((id as Node).value), init]),
  );
  const found: SourceRegexes = { regexes: [], unknown: [] };
  const lines = code.split('\n');
  let searched = 0;
  for (const node of nodes) {
    if (node.type === 'RegExpLiteral')
      found.regexes.push({ source: String(node.pattern), flags: String(node.flags), location });
    const isMade = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (!isMade || !isNode(node.callee) || node.callee.value !== 'RegExp') continue;
    const [source, flags] = (node.arguments as { expression: unknown }[]).map(({ expression }) =>
      textOf(expression, constants),
    );
    searched = lines.findIndex((line, at) => at >= searched && /\bRegExp\(/.test(line)) + 1;
    if (typeof source === 'string' && flags !== null)
      found.regexes.push({ source, flags: flags ?? '', location });
    else found.unknown.push({ location, line: searched });
  }
  return found;
}

export const regexName = ({ source, flags }: Pick<Regex, 'source' | 'flags'>): string =>
  `/${source}/${flags}`;

/** An expression without repetition reads a bounded number of characters. */
const hasRepetition = ({ source }: Regex): boolean => /[*+{]/.test(source);

interface CheckOptions {
  /** File with the names of expressions found safe, which are not checked again; new ones are added. */
  known?: string;
  /** Milliseconds per expression; slower checks count as failed. */
  timeout?: number;
}

const readSafe = (file: string | undefined): string[] =>
  file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];

/** Returns expressions that are slow for some text, or not provably linear. */
export async function findSlowRegexes(
  regexes: readonly Regex[],
  { known, timeout = 120_000 }: CheckOptions = {},
): Promise<SlowRegex[]> {
  const safe = new Set(readSafe(known));
  const byName = new Map(regexes.map((regex) => [regexName(regex), regex]));
  const waiting = [...byName].filter(([name, regex]) => !safe.has(name) && hasRepetition(regex));
  const slow: SlowRegex[] = [];

  /** Called after each expression, so that an interrupted check resumes. */
  function save(): void {
    if (known === undefined) return;
    const names = [...safe].filter((name) => byName.has(name)).sort();
    writeFileSync(known, `${JSON.stringify(names, null, 2)}\n`);
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
