import {
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import { EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { LineChange } from './diff-lines.ts';

const titles: Record<LineChange['kind'], string> = {
  added: '新加的',
  changed: '改过的',
  removed: '这里删过',
};

class ChangeMarker extends GutterMarker {
  override readonly elementClass: string;
  readonly #kind: LineChange['kind'];
  constructor(kind: LineChange['kind']) {
    super();
    this.#kind = kind;
    this.elementClass = `cm-marked-${kind}`;
  }
  override toDOM(): Node {
    const mark = document.createElement('span');
    mark.title = titles[this.#kind];
    return mark;
  }
}

const markers: Record<LineChange['kind'], ChangeMarker> = {
  added: new ChangeMarker('added'),
  changed: new ChangeMarker('changed'),
  removed: new ChangeMarker('removed'),
};

const setChanges = StateEffect.define<readonly LineChange[]>();

function toMarkers(doc: Text, changes: readonly LineChange[]): RangeSet<GutterMarker> {
  const ranges = changes.map(({ kind, from, to }) => {
    // Removed lines are marked at the line that follows them.
    const last = Math.min(doc.lines, Math.max(from + 1, to));
    const first = Math.min(doc.lines, from + 1);
    return markers[kind].range(doc.line(first).from, doc.line(last).from);
  });
  return RangeSet.of(ranges, true);
}

/** A change is one range, however many lines it has, and read for the visible lines only. */
function markerAt(state: EditorState, line: number): GutterMarker | null {
  let found: GutterMarker | null = null;
  state.field(changeField).between(line, line, (_from, _to, marker) => {
    found = marker;
    return false;
  });
  return found;
}

const changeField = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, { changes, effects, state }) {
    for (const effect of effects) if (effect.is(setChanges)) return toMarkers(state.doc, effect.value);
    return value.map(changes);
  },
});

const theme = EditorView.theme({
  '.cm-gutters': { border: '0', backgroundColor: 'transparent' },
  '.cm-changeMarks': { width: '6px' },
  '.cm-changeMarks .cm-gutterElement': { position: 'relative' },
  '.cm-changeMarks .cm-gutterElement > span': { position: 'absolute', inset: '0' },
  '.cm-marked-added': { boxShadow: 'inset 3px 0 var(--ok)' },
  '.cm-marked-changed': { boxShadow: 'inset 3px 0 var(--warn)' },
  '.cm-marked-removed': { boxShadow: 'inset 0 2px var(--bad)' },
});

/** Marks beside the lines that differ from an older version. */
export const changeMarks: Extension = [
  changeField,
  gutter({
    class: 'cm-changeMarks',
    lineMarker: ({ state }, { from }) => markerAt(state, from),
    lineMarkerChange: ({ startState, state }) => startState.field(changeField) !== state.field(changeField),
  }),
  theme,
];

export const showChanges = (view: EditorView, changes: readonly LineChange[]): void =>
  view.dispatch({ effects: setChanges.of(changes) });
