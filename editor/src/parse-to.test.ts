import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isInTable } from './tables.ts';

test('finds a table that CodeMirror had no time to parse', () => {
  const table = '| 甲 | 乙 |\n| --- | --- |\n| 1 | 2 |';
  // Every look at the clock takes a second, as on a machine that is busy with something else.
  let now = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
  onTestFinished(() => clock.mockRestore());
  const state = EditorState.create({
    doc: `${'段落。\n\n'.repeat(2000)}${table}`,
    extensions: [markdown({ base: markdownLanguage })],
  });
  // From here on the clock stands still, so that the look-up has enough time on any machine.
  clock.mockImplementation(() => now);
  const atTable = state.update({ selection: { anchor: state.doc.length } }).state;
  expect(syntaxTree(atTable).length).toBeLessThan(state.doc.length);
  expect(isInTable(atTable)).toBe(true);
});
