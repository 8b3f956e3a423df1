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

test('gives a stale lock to exactly one of many, and leaves nothing when released', async () => {
  for (let round = 0; round < 20; round++) {
    // What a killed holder leaves: a socket nobody listens on, here simply a file.
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

test('says so when the folder cannot be locked', async () => {
  await expect(lockFolder(join(folder, 'absent'))).rejects.toThrow('无法锁定数据目录');
});
