import type { EditorView } from '@codemirror/view';
import { messageOf } from '@mozhan/client/errors.ts';
import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { createPictures } from '@mozhan/editor/pictures.ts';
import { createStore } from '@mozhan/editor/store.ts';
import { isInTable } from '@mozhan/editor/tables.ts';
import { type Counts, countText } from './counts.ts';
import { type Heading, headingsOf } from './outline.ts';
import type { Writing } from './writing.ts';

const IDLE_MS = 350;
const VIEW = 'editor-view';

export type ViewMode = 'source' | 'split' | 'preview';

interface Cursor {
  line: number;
  column: number;
}

/** Two panes do not fit on a phone. */
export const isNarrow = (): boolean => matchMedia('(max-width: 767.98px)').matches;

function storedMode(): ViewMode {
  const stored = (['source', 'split', 'preview'] as const).find((mode) => mode === readItem(VIEW)) ?? 'split';
  return stored === 'split' && isNarrow() ? 'source' : stored;
}

export type Desk = ReturnType<typeof createDesk>;

/** All that the parts of the editor share. What follows the text does so in a pause, never at a key. */
export function createDesk(api: Client, writing: Writing) {
  const view = createStore<EditorView | null>(null);
  const cursor = createStore<Cursor>({ line: 1, column: 1 });
  const inTable = createStore(false);
  const counts = createStore<Counts>({ wordCount: 0, readMinutes: 1, characters: 0 });
  const headings = createStore<readonly Heading[]>([]);
  /** Counts the pauses in which the text was found changed. */
  const pauses = createStore(0);
  const mode = createStore<ViewMode>(storedMode());
  const focus = createStore(false);
  const outline = createStore(false);
  const pictures = createPictures(api, messageOf);
  const scrolled = new Set<() => void>();
  let idle: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let stopCounting = () => {};

  function lookAtText(): void {
    const state = view.get()?.state;
    if (state === undefined) return;
    stopCounting();
    stopCounting = countText(state.doc, counts.set);
    headings.set(headingsOf(state));
    pauses.set(pauses.get() + 1);
  }

  function lookAtCursor(): void {
    frame = 0;
    const state = view.get()?.state;
    if (state === undefined) return;
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    cursor.set({ line: line.number, column: head - line.from + 1 });
    inTable.set(isInTable(state));
  }

  return {
    writing,
    view,
    cursor,
    inTable,
    counts,
    headings,
    pauses,
    mode,
    focus,
    outline,
    pictures,
    scrolled,
    onChange(): void {
      writing.autosave.changed();
      clearTimeout(idle);
      idle = setTimeout(lookAtText, IDLE_MS);
    },
    onCursor(): void {
      if (frame === 0) frame = requestAnimationFrame(lookAtCursor);
    },
    onScroll(): void {
      for (const listener of scrolled) listener();
    },
    connect(next: EditorView | null): void {
      view.set(next);
      pictures.connect(next ?? undefined);
      if (next !== null) lookAtText();
      else {
        clearTimeout(idle);
        stopCounting();
      }
    },
    choose(next: ViewMode): void {
      writeItem(VIEW, next);
      mode.set(next);
    },
    goTo(position: number): void {
      const target = view.get();
      if (target === null) return;
      if (mode.get() === 'preview') mode.set(isNarrow() ? 'source' : 'split');
      target.dispatch({ selection: { anchor: position }, scrollIntoView: true });
      requestAnimationFrame(() => target.focus());
    },
  };
}
