import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip } from '@codemirror/view';
import type { TextHint } from './typography.ts';

/** Read on each side; after spaces are left out, two characters remain. */
const CONTEXT = 10;

/** Recognizes a suggestion after changes elsewhere, also of spaces around it. */
export function hintKey(text: string, { kind, from, to }: TextHint): string {
  const before = text.slice(Math.max(0, from - CONTEXT), from).replace(/\s/g, '');
  const after = text.slice(to, to + CONTEXT).replace(/\s/g, '');
  return `${kind} ${before.slice(-2)}${text.slice(from, to)}${after.slice(0, 2)}`;
}

const setHints = StateEffect.define<readonly TextHint[]>();

/** A suggestion for an insertion is marked at the two characters around it. */
function toDecorations(length: number, hints: readonly TextHint[]): DecorationSet {
  return Decoration.set(
    hints.map((hint) => {
      const isInsertion = hint.from === hint.to;
      const from = Math.max(0, isInsertion ? hint.from - 1 : hint.from);
      const to = Math.min(length, isInsertion ? hint.to + 1 : hint.to);
      return Decoration.mark({
        class: hint.kind === 'html' ? 'cm-hint-html' : 'cm-hint',
        hint,
        offset: hint.from - from,
      }).range(from, to);
    }),
    true,
  );
}

/** Suggestions for text that was changed since are dropped; the next check finds them again. */
function withoutTouched(hints: DecorationSet, changes: ChangeDesc): DecorationSet {
  let kept = hints;
  changes.iterChangedRanges((fromA, toA) => {
    kept = kept.update({ filter: () => false, filterFrom: fromA, filterTo: toA });
  });
  return kept.map(changes);
}

const hintField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, { changes, docChanged, effects, state }) {
    for (const effect of effects)
      if (effect.is(setHints)) return toDecorations(state.doc.length, effect.value);
    return docChanged ? withoutTouched(value, changes) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A suggestion at its current place; `found` identifies it. */
export interface PlacedHint extends TextHint {
  found: TextHint;
}

function toHint(from: number, { spec }: Decoration): PlacedHint {
  const { hint, offset } = spec as { hint: TextHint; offset: number };
  const start = from + offset;
  return { ...hint, found: hint, from: start, to: start + hint.to - hint.from };
}

/** The current suggestions, at their current places. */
export function listHints(state: EditorState): PlacedHint[] {
  const found: PlacedHint[] = [];
  const cursor = state.field(hintField, false)?.iter();
  for (; cursor?.value; cursor.next()) found.push(toHint(cursor.from, cursor.value));
  return found;
}

/** The text may have changed since the hints were listed, so their places are looked up again. */
export function acceptHints(view: EditorView, hints: readonly PlacedHint[]): void {
  const accepted = new Set(hints.map(({ found }) => found));
  const current = listHints(view.state).filter(({ found }) => accepted.has(found));
  view.dispatch({
    changes: current.map(({ from, to, insert }) => ({ from, to, insert })),
    userEvent: 'input.hint',
  });
}

interface HintSetup {
  /** Typing changes the places only. */
  onChange: (isTyping: boolean) => void;
  onIgnore: (hint: TextHint) => void;
}

function createTooltip(view: EditorView, hint: PlacedHint, { onIgnore }: HintSetup): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-hint-box';
  const button = (text: string, run: () => void) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.textContent = text;
    element.addEventListener('click', run);
    return element;
  };
  box.append(
    hint.message,
    button(hint.kind === 'html' ? '改成代码' : '接受', () => acceptHints(view, [hint])),
    button('忽略', () => onIgnore(hint)),
  );
  return box;
}

const theme = EditorView.theme({
  '.cm-hint': { borderBottom: '1px dotted var(--ink-3)' },
  '.cm-hint-html': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '4px' },
  '.cm-hint-box': {
    display: 'flex',
    alignItems: 'center',
    gap: '8px',
    padding: '6px 10px',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--text-s)',
  },
  '.cm-hint-box button': {
    border: '0',
    background: 'none',
    color: 'var(--brand-ink)',
    font: 'inherit',
    cursor: 'pointer',
  },
});

/** Underlines suggestions; the pointer over one shows it with its buttons. */
export const textHints = (setup: HintSetup): Extension => [
  hintField,
  theme,
  hoverTooltip((view, position) => {
    if (view.composing || view.state.readOnly) return null;
    const hint = listHints(view.state).find(
      ({ from, to }) => position >= from - (from === to ? 1 : 0) && position <= to + (from === to ? 1 : 0),
    );
    if (hint === undefined) return null;
    return { pos: hint.from, end: hint.to, create: () => ({ dom: createTooltip(view, hint, setup) }) };
  }),
  EditorView.updateListener.of(({ startState, state, transactions }) => {
    if (startState.field(hintField, false) === state.field(hintField, false)) return;
    const isOwn = transactions.some(
      (each) => each.isUserEvent('input.hint') || each.effects.some((effect) => effect.is(setHints)),
    );
    setup.onChange(!isOwn);
  }),
];

export const showHints = (view: EditorView, hints: readonly TextHint[]): void =>
  view.dispatch({ effects: setHints.of(hints) });
