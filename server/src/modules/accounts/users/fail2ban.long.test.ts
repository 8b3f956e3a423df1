import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { PASSWORD, startTestApp, uniqueName } from '../../../testing/app.ts';

const FILTER = join(import.meta.dirname, '../../../../../deploy/fail2ban/filter.d/mozhan.conf');

test('fail2ban finds the addresses of failed sign-ins in the log, and no others', async () => {
  const lines: string[] = [];
  const t = await startTestApp({
    config: { logLevel: 'info' },
    logStream: { write: (line: string) => void lines.push(line) },
  });
  onTestFinished(() => t.close());
  const { user } = await t.register();
  const signIn = (account: string, password: string, address: string) =>
    t.call('POST core/account/login', { account, password }, { address });
  await signIn(user.account, 'not it', '203.0.113.9');
  await signIn(user.account, 'not it', '2001:db8::9');
  await signIn('","address":"192.0.2.1","reason":"password"', 'x', '203.0.113.10');
  await signIn(uniqueName(), 'x', 'not an address');
  await signIn(user.account, PASSWORD, '198.51.100.1');
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-fail2ban-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'mozhan.log');
  await writeFile(log, lines.join(''));
  const { stdout } = await promisify(execFile)('fail2ban-regex', ['--out', 'ip', log, FILTER]);
  expect(stdout.trim().split('\n').toSorted()).toEqual(['2001:db8::9', '203.0.113.10', '203.0.113.9']);
});
