import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Files in which other quotation marks are data: authors' texts, and rules for arbitrary text. */
const EXCLUDED_FILES =
  /\.test\.tsx?$|drawing\/lines\.ts$|text\/extract-text\.ts$|editor\/src\/(typography|prose-ranges)\.ts$/;

test('texts of the site use only the quotation marks 「」', () => {
  const files = ['contract', 'client', 'editor', 'postgres', 'server', 'web', 'admin']
    .flatMap((part) => globSync(`${part}/src/**/*.{ts,tsx,md}`, { cwd: root }))
    .filter((file) => !EXCLUDED_FILES.test(file));
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
