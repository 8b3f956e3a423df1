/**
 * Checks that every regular expression runs in linear time: those in the sources and those in the contract's schemas.
 * Tests and benchmarks are excluded, because they process no user input.
 *
 * A check takes up to seconds, so expressions found safe are listed in `safe-regexes.json`, which is committed.
 * `--all` checks those again too, as the long run does.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { calls } from '@mozhan/contract/calls.ts';
import { z } from 'zod';
import { print } from './progress.mjs';
import { findRegexes, findSlowRegexes, type Regex, regexName } from './regexes.ts';
import { root, workspaces } from './tools.ts';

const FOLDERS = [...workspaces, 'scripts', 'examples', 'deploy'];
const SAFE = join(import.meta.dirname, 'safe-regexes.json');

/** Files that create expressions at run time, and why those do no harm. */
const DYNAMIC_REGEXES = new Map([
  ['web/src/router/match.ts', 'from the route table: fixed text, and one `[^/]+?` for a path segment'],
  ['editor/src/find/find-rules.ts', 'from the user, in a worker of their own browser with a time limit'],
]);

const isProductionFile = (file: string): boolean =>
  !/(?:^|\/)(?:dist|node_modules|testing)\/|\.test\.tsx?$/.test(file);

/** Includes zod's own expressions, such as that of e-mail addresses. */
function* patternsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' && typeof value === 'string') yield value;
    else yield* patternsIn(value);
  }
}

const contractRegexes: Regex[] = calls.flatMap((call) =>
  [...patternsIn(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }))].map((source) => ({
    source,
    flags: '',
    location: `${call.method} ${call.path}`,
  })),
);

const found = globSync(`{${FOLDERS}}/**/*.{ts,tsx,js,mjs}`, { cwd: root })
  .filter(isProductionFile)
  .map((file) => findRegexes(readFileSync(join(root, file), 'utf8'), file));
const unknown = found
  .flatMap((each) => each.unknown)
  .filter(({ location }) => !DYNAMIC_REGEXES.has(location));
for (const { location, line } of unknown)
  print(`${location}:${line} creates an expression at run time, which cannot be checked`);
const regexes = [...found.flatMap((each) => each.regexes), ...contractRegexes];
const { values } = parseArgs({ options: { all: { type: 'boolean' } } });
const slow = await findSlowRegexes(regexes, values.all ? {} : { known: SAFE });
for (const regex of slow) print(`${regex.location}: ${regexName(regex)} may be slow: ${regex.reason}`);
if (unknown.length + slow.length > 0) process.exitCode = 1;
else print(`${new Set(regexes.map(regexName)).size} regular expressions`);
