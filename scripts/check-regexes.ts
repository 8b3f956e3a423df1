/**
 * No regular expression of ours takes more than linear time, whatever the text: those of the sources, and those by which
 * the contract checks what is sent. Tests and benchmarks read only what they wrote themselves.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '@mozhan/contract/calls.ts';
import { z } from 'zod';
import { print } from './progress.mjs';
import { findRegexes, findSlow, nameOf, type Regex } from './regexes.ts';
import { root, workspaces } from './tools.ts';

const FOLDERS = [...workspaces, 'scripts', 'examples', 'deploy'];
const CACHE = join(root, 'node_modules/.cache/regexes.json');

/** Files that make an expression while they run, and why it is linear. */
const MADE_AT_RUN_TIME = new Map([
  ['web/src/router/match.ts', 'of the table of routes: fixed text, and one `[^/]+?` for a part of a path'],
]);

const isOurs = (file: string): boolean => !/(?:^|\/)(?:dist|node_modules|testing)\/|\.test\.tsx?$/.test(file);

/** zod's own expressions, such as those of addresses, are among them. */
function* patternsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' && typeof value === 'string') yield value;
    else yield* patternsIn(value);
  }
}

const ofContract: Regex[] = calls.flatMap((call) =>
  [...patternsIn(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }))].map((source) => ({
    source,
    flags: '',
    place: `${call.method} ${call.path}`,
  })),
);

const found = globSync(`{${FOLDERS}}/**/*.{ts,tsx,js,mjs}`, { cwd: root })
  .filter(isOurs)
  .map((file) => findRegexes(readFileSync(join(root, file), 'utf8'), file));
const unknown = found.flatMap((each) => each.unknown).filter(({ place }) => !MADE_AT_RUN_TIME.has(place));
for (const { place, line } of unknown)
  print(`${place}:${line} makes an expression while it runs, which cannot be checked`);
const regexes = [...found.flatMap((each) => each.regexes), ...ofContract];
const slow = await findSlow(regexes, { cache: CACHE });
for (const regex of slow) print(`${regex.place}: ${nameOf(regex)} may be slow: ${regex.reason}`);
if (unknown.length + slow.length > 0) process.exitCode = 1;
else print(`${new Set(regexes.map(nameOf)).size} regular expressions`);
