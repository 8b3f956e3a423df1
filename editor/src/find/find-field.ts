import { StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type PanelConstructor,
  showPanel,
} from '@codemirror/view';
import type { Match } from './find-rules.ts';

interface FindState {
  panel: PanelConstructor | null;
  marks: DecorationSet;
  current: DecorationSet;
}

export const setFind = StateEffect.define<{
  panel?: PanelConstructor | null;
  matches?: readonly Match[];
  current?: Match | null;
}>();

const match = Decoration.mark({ class: 'cm-searchMatch' });
const currentMatch = Decoration.mark({ class: 'cm-searchMatch-selected' });

const toMarks = (matches: readonly Match[], mark: Decoration): DecorationSet =>
  Decoration.set(matches.filter(({ from, to }) => from < to).map(({ from, to }) => mark.range(from, to)));

/** The panel and the marks of the matches, which move with the text until they are found anew. */
export const findField = StateField.define<FindState>({
  create: () => ({ panel: null, marks: Decoration.none, current: Decoration.none }),
  update(value, { changes, effects }) {
    let next = value;
    if (!changes.empty)
      next = { ...next, marks: next.marks.map(changes), current: next.current.map(changes) };
    for (const effect of effects) {
      if (!effect.is(setFind)) continue;
      const { panel, matches, current } = effect.value;
      next = {
        panel: panel === undefined ? next.panel : panel,
        marks: matches === undefined ? next.marks : toMarks(matches, match),
        current:
          current === undefined ? next.current : toMarks(current === null ? [] : [current], currentMatch),
      };
    }
    return next;
  },
  provide: (field) => [
    showPanel.from(field, ({ panel }) => panel),
    EditorView.decorations.from(field, ({ marks }) => marks),
    EditorView.decorations.from(field, ({ current }) => current),
  ],
});
