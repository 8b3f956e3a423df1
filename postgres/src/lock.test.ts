import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EmbeddedError, lockFolder } from './lock.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('exactly one of many processes acquires a stale lock, and no file remains after its release', async () => {
  for (let round = 0; round < 20; round++) {
    // A killed process leaves a socket without a listener; a plain file has the same effect.
    mkdirSync(join(folder, 'pg.lock'));
    writeFileSync(join(folder, 'pg.lock', 'dead'), '');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder)));
    const winners = results.filter((result) => result.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    for (const loser of results.filter((result) => result.status === 'rejected')) {
      expect(loser.reason).toBeInstanceOf(EmbeddedError);
    }
    for (const winner of winners) await winner.value();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('reports an error when the folder cannot be locked', async () => {
  await expect(lockFolder(join(folder, 'absent'))).rejects.toThrow('无法锁定数据目录');
});
