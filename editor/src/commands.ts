import { redo, undo } from '@codemirror/commands';
import { type ChangeSpec, EditorSelection, type EditorState, type SelectionRange } from '@codemirror/state';
import type { Command, EditorView, KeyBinding } from '@codemirror/view';

const isEditable = (view: EditorView): boolean => !view.state.readOnly;

/** Wraps the selection in marks, or removes the marks around it. */
export const wrapSelection =
  (open: string, close = open): Command =>
  (view) => {
    if (!isEditable(view)) return false;
    const { state } = view;
    const change = state.changeByRange(({ from, to }) => {
      const before = state.sliceDoc(Math.max(0, from - open.length), from);
      const after = state.sliceDoc(to, to + close.length);
      if (before === open && after === close) {
        return {
          changes: [
            { from: from - open.length, to: from },
            { from: to, to: to + close.length },
          ],
          range: EditorSelection.range(from - open.length, to - open.length),
        };
      }
      return {
        changes: [
          { from, insert: open },
          { from: to, insert: close },
        ],
        range: EditorSelection.range(from + open.length, to + open.length),
      };
    });
    view.dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    view.focus();
    return true;
  };

const changeLines =
  (next: (text: string, index: number, all: readonly string[]) => string): Command =>
  (view) => {
    if (!isEditable(view)) return false;
    const { doc, selection } = view.state;
    const first = doc.lineAt(selection.main.from).number;
    const last = doc.lineAt(selection.main.to).number;
    const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
    const texts = lines.map(({ text }) => text);
    const changes: ChangeSpec[] = lines.map(({ from, to, text }, index) => ({
      from,
      to,
      insert: next(text, index, texts),
    }));
    const set = view.state.changes(changes);
    view.dispatch({
      changes: set,
      selection: selection.main.empty
        ? { anchor: set.mapPos(lines[0]?.to ?? selection.main.head, 1) }
        : selection.map(set, 1),
      userEvent: 'input',
      scrollIntoView: true,
    });
    view.focus();
    return true;
  };

const LINE_PREFIX = /^(\s*)(?:(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|>\s?)?/;
const splitPrefix = (text: string): [indent: string, rest: string] => {
  const [found = '', indent = ''] = LINE_PREFIX.exec(text) ?? [];
  return [indent, text.slice(found.length)];
};

const togglePrefix = (prefix: (index: number) => string, is: RegExp): Command =>
  changeLines((text, index, all) => {
    const [indent, rest] = splitPrefix(text);
    const isOn = all.every((line) => line.trim() === '' || is.test(line));
    return isOn && all.some((line) => line.trim() !== '') ? indent + rest : indent + prefix(index) + rest;
  });

export const toggleQuote: Command = changeLines((text, _, all) =>
  all.every((line) => /^\s*>/.test(line)) ? text.replace(/^(\s*)>\s?/, '$1') : `> ${text}`,
);
export const toggleList = togglePrefix(() => '- ', /^\s*[-*+]\s+(?!\[[ xX]\])/);
export const toggleNumbers = togglePrefix((index) => `${index + 1}. `, /^\s*\d+[.)]\s/);
export const toggleTasks = togglePrefix(() => '- [ ] ', /^\s*[-*+]\s+\[[ xX]\]/);

/** Each use lowers the level of the heading from 2 to 4, then makes it plain text again. */
export const cycleHeading = changeLines((text) => {
  const [marks = ''] = /^#{0,6}/.exec(text) ?? [];
  const rest = text.slice(marks.length).trimStart();
  const level = marks.length === 0 ? 2 : marks.length + 1;
  return level > 4 ? rest : `${'#'.repeat(level)} ${rest}`;
});

export const setHeading = (level: number): Command =>
  changeLines((text) => `${'#'.repeat(level)} ${text.replace(/^#{1,6}\s*/, '')}`);

const selectionAt = ({ from }: SelectionRange, offset: number, length: number) =>
  EditorSelection.single(from + offset, from + offset + length);

/** Replaces the selection by the template; the text between `⟨` and `⟩` in it becomes the new selection. */
export function insertTemplate(view: EditorView, template: string): void {
  if (!isEditable(view)) return;
  const range = view.state.selection.main;
  const start = template.indexOf('⟨');
  const end = template.indexOf('⟩');
  const text = template.replace(/[⟨⟩]/g, '');
  const selection =
    start < 0 ? selectionAt(range, text.length, 0) : selectionAt(range, start, end - start - 1);
  view.dispatch({
    changes: { from: range.from, to: range.to, insert: text },
    selection,
    userEvent: 'input',
    scrollIntoView: true,
  });
  view.focus();
}

/** The line breaks needed before a block that begins at this position. */
export function blockGapBefore({ doc }: EditorState, at: number): string {
  const line = doc.lineAt(at);
  if (doc.sliceString(line.from, at).trim() !== '') return '\n\n';
  return line.number === 1 || doc.line(line.number - 1).text.trim() === '' ? '' : '\n';
}

/** Inserts a block with an empty line before and after it. */
export function insertBlock(view: EditorView, template: string): void {
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  const after = doc.sliceString(to, to + 1) === '\n' || to === doc.length ? '\n' : '\n\n';
  insertTemplate(view, blockGapBefore(view.state, from) + template + after);
}

const selectedText = ({ state }: EditorView): string =>
  state.sliceDoc(state.selection.main.from, state.selection.main.to);

export const insertLink: Command = (view) => {
  const text = selectedText(view);
  insertTemplate(view, /^https?:\/\/\S+$/.test(text) ? `[⟨⟩](${text})` : `[${text}](⟨https://⟩)`);
  return true;
};

export function insertCode(view: EditorView): void {
  const text = selectedText(view);
  if (text !== '' && !text.includes('\n')) {
    wrapSelection('`')(view);
    return;
  }
  insertBlock(view, `\`\`\`⟨⟩\n${text}\n\`\`\``);
}

export const insertMath = (view: EditorView): void => {
  const text = selectedText(view);
  if (text !== '' && !text.includes('\n')) wrapSelection('$')(view);
  else insertBlock(view, `$$\n${text}⟨⟩\n$$`);
};

export const insertDiagram = (view: EditorView): void =>
  insertBlock(view, '```mermaid\nflowchart LR\n  ⟨开始⟩ --> 结束\n```');

export const insertCallout = (view: EditorView): void => insertBlock(view, '> [!NOTE]\n> ⟨⟩');

export const insertRule = (view: EditorView): void => insertBlock(view, '---\n⟨⟩');

/** Inserts the mark at the cursor and the note at the end, with the next free number. */
export function insertFootnote(view: EditorView): void {
  if (!isEditable(view)) return;
  const { state } = view;
  const { to } = state.selection.main;
  const used = [...state.doc.toString().matchAll(/\[\^(\d+)\]/g)].map(([, number]) => Number(number));
  const number = Math.max(0, ...used) + 1;
  const mark = `[^${number}]`;
  const end = state.doc.length;
  const gap = state.doc.sliceString(Math.max(0, end - 2)).endsWith('\n\n') ? '' : '\n\n';
  const note = `${gap}${mark}: `;
  view.dispatch({
    changes: [
      { from: to, insert: mark },
      { from: end, insert: note },
    ],
    selection: { anchor: end + mark.length + note.length },
    userEvent: 'input',
    scrollIntoView: true,
  });
  view.focus();
}

export const undoChange: Command = (view) => {
  view.focus();
  return undo(view);
};
export const redoChange: Command = (view) => {
  view.focus();
  return redo(view);
};

export const toggleBold = wrapSelection('**');
export const toggleEmphasis = wrapSelection('*');
export const toggleStrikethrough = wrapSelection('~~');

/** CodeMirror does not run these while a character is being composed. */
export const formatKeymap: KeyBinding[] = [
  { key: 'Mod-b', run: toggleBold },
  { key: 'Mod-i', run: toggleEmphasis },
  { key: 'Mod-k', run: insertLink },
  { key: 'Mod-Shift-x', run: toggleStrikethrough },
  { key: 'Mod-e', run: wrapSelection('`') },
  { key: 'Mod-Alt-1', run: setHeading(1) },
  { key: 'Mod-Alt-2', run: setHeading(2) },
  { key: 'Mod-Alt-3', run: setHeading(3) },
  { key: 'Mod-Shift-7', run: toggleNumbers },
  { key: 'Mod-Shift-8', run: toggleList },
  { key: 'Mod-Shift-9', run: toggleQuote },
];
