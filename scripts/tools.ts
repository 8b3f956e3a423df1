import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { type Result, run } from './process.mjs';

export const root = dirname(import.meta.dirname);

/** Folders of the workspace packages. */
export const workspaces: string[] = manifest.workspaces;

const bin = join(root, 'node_modules/.bin');

interface ToolOptions {
  /** Print to the terminal instead of returning the output. */
  show?: boolean;
  timeout?: number;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program of node_modules with the pinned Node. */
export function runTool(
  name: string,
  args: string[],
  { env, ...options }: ToolOptions = {},
): Promise<Result> {
  const path = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  return run(join(bin, name), args, { cwd: root, env: { ...process.env, ...env, PATH: path }, ...options });
}

export function findMissingPrograms(names: readonly string[]): string[] {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const isInstalled = (name: string) => folders.some((folder) => existsSync(join(folder, name)));
  return names.filter((name) => !isInstalled(name));
}
