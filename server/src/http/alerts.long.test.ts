import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestApp } from '../testing/app.ts';

const run = promisify(execFile);
const fileIn = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url));

test('Prometheus accepts the alert rules, and each one reports its problem', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', fileIn('alerts.yaml')]);
  expect(stdout).toContain('SUCCESS');
  const tested = await run('promtool', ['test', 'rules', fileIn('alerts.test.yaml')]);
  expect(tested.stdout).toContain('SUCCESS');
});

test('Prometheus finds nothing wrong with the own metrics', async () => {
  const t = await startTestApp();
  const { body } = await t.app.server.inject('/metrics');
  await t.close();
  // The default metrics of prom-client have names that are older than the rules of the linter.
  const own = body
    .split('\n')
    .filter((line) => !/\b(nodejs|process)_/.test(line))
    .join('\n');
  const linter = spawn('promtool', ['check', 'metrics']);
  const output = Promise.all([text(linter.stdout), text(linter.stderr)]);
  linter.stdin.end(own);
  const [code] = await once(linter, 'exit');
  expect([(await output).join(''), code]).toEqual(['', 0]);
});
