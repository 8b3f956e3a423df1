import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Where other marks are data: what authors wrote, and rules that deal with any text. */
const ANY_TEXT = /\.test\.tsx?$|modules\/demo\/|drawing\/lines\.ts$|text\/words\.ts$/;

test('what the site itself says is quoted with 「」 everywhere', () => {
  const files = ['contract', 'client', 'editor', 'postgres', 'server', 'web', 'admin']
    .flatMap((part) => globSync(`${part}/src/**/*.{ts,tsx,md}`, { cwd: root }))
    .filter((file) => !ANY_TEXT.test(file));
  expect(files.length).toBeGreaterThan(500);
  const wrong = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /[“”]|[一-鿿]"[一-鿿]/.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      ),
  );
  expect(wrong).toEqual([]);
});
