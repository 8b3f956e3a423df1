import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { type Result, run } from './process.mjs';

export const root = dirname(import.meta.dirname);

/** The folders of the packages. */
export const workspaces: string[] = manifest.workspaces;

const bin = join(root, 'node_modules/.bin');

interface ToolOptions {
  /** Straight to our terminal, instead of into the result. */
  show?: boolean;
  /** Milliseconds. */
  timeout?: number;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program of node_modules with the pinned Node, whichever way we were started. */
export function runTool(
  name: string,
  args: string[],
  { env, ...options }: ToolOptions = {},
): Promise<Result> {
  const path = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  return run(join(bin, name), args, { cwd: root, env: { ...process.env, ...env, PATH: path }, ...options });
}

/** Those of the programs that are not installed on this machine. */
export function missingPrograms(names: readonly string[]): string[] {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const isThere = (name: string) => folders.some((folder) => existsSync(join(folder, name)));
  return names.filter((name) => !isThere(name));
}
