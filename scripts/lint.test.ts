import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root, runTool } from './tools.ts';

/** Runs Biome with the settings of `npm run check` on one file. */
function lint(css: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mozhan-lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  writeFileSync(join(folder, 'sample.module.css'), css);
  return runTool('biome', [
    ...['lint', '--error-on-warnings', '--vcs-enabled=false', `--config-path=${folder}`],
    join(folder, 'sample.module.css'),
  ]);
}

test('reports a class that is defined twice in a CSS module', async () => {
  const { code, output } = await lint('.facts {\n  gap: 4px;\n}\n\n.facts {\n  gap: 6px;\n}\n');
  expect(output).toContain('noDuplicateSelectors');
  expect(code).not.toBe(0);
});

test('accepts states and media queries of a class', async () => {
  const { code, output } = await lint(
    [
      '.facts {\n  gap: 4px;\n\n  & dt {\n    margin: 0;\n  }\n}\n',
      '.facts:hover {\n  gap: 5px;\n}\n',
      '.facts[data-open] {\n  gap: 6px;\n}\n',
      '@media (width < 768px) {\n  .facts {\n    gap: 7px;\n  }\n}\n',
    ].join('\n'),
  );
  expect(output).not.toContain('noDuplicateSelectors');
  expect(code).toBe(0);
});
