import type { EditorView } from '@codemirror/view';
import { errorMessageOf } from '@mozhan/client/errors.ts';
import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { createPictureUploads } from '@mozhan/editor/picture-uploads.ts';
import { type PictureInText, pictureAt } from '@mozhan/editor/pictures.ts';
import { createValueStore, type ValueStore } from '@mozhan/editor/store.ts';
import { type TableInfo, tableInfoAt } from '@mozhan/editor/tables.ts';
import { toast } from '#web/ui/toast.tsx';
import type { EssayModel } from './essay-model.ts';
import { type Heading, headingsOf } from './outline.ts';
import { countText, type TextCounts } from './text-counts.ts';

const IDLE_MS = 350;
const VIEW_MODE_KEY = 'editor-view';

export type ViewMode = 'source' | 'live' | 'split' | 'preview';

interface Cursor {
  line: number;
  column: number;
}

export const isNarrowScreen = (): boolean => matchMedia('(max-width: 767.98px)').matches;

function storedMode(): ViewMode {
  const stored =
    (['source', 'live', 'split', 'preview'] as const).find((mode) => mode === readItem(VIEW_MODE_KEY)) ??
    'split';
  return stored === 'split' && isNarrowScreen() ? 'source' : stored;
}

/** An equal value would render the bars again. */
function setUnlessEqual<T>(store: ValueStore<T>, value: T): void {
  if (JSON.stringify(value) !== JSON.stringify(store.get())) store.set(value);
}

export type EditorModel = ReturnType<typeof createEditorModel>;

/** State shared by the parts of the editor; values derived from the text are updated in typing pauses. */
export function createEditorModel(api: Client, essay: EssayModel) {
  const view = createValueStore<EditorView | null>(null);
  const cursor = createValueStore<Cursor>({ line: 1, column: 1 });
  const inTable = createValueStore(false);
  const table = createValueStore<TableInfo | null>(null);
  const picture = createValueStore<PictureInText | null>(null);
  const counts = createValueStore<TextCounts>({ wordCount: 0, readMinutes: 1, characters: 0 });
  const headings = createValueStore<readonly Heading[]>([]);
  /** Incremented in each typing pause after which the text has changed. */
  const changeCount = createValueStore(0);
  const mode = createValueStore<ViewMode>(storedMode());
  const focus = createValueStore(false);
  const outline = createValueStore(false);
  const pictures = createPictureUploads(api, errorMessageOf, (text) => toast(text));
  const scrollListeners = new Set<() => void>();
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let stopCounting = () => {};

  function updateTextInfo(): void {
    const state = view.get()?.state;
    if (state === undefined) return;
    stopCounting();
    stopCounting = countText(state.doc, counts.set);
    headings.set(headingsOf(state));
    updateCursorInfo();
    changeCount.set(changeCount.get() + 1);
  }

  function updateCursorInfo(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    const state = view.get()?.state;
    if (state === undefined) return;
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    cursor.set({ line: line.number, column: head - line.from + 1 });
    const found = tableInfoAt(state);
    inTable.set(found !== null);
    setUnlessEqual(table, found);
    setUnlessEqual(picture, pictureAt(state));
  }

  return {
    essay,
    view,
    cursor,
    inTable,
    table,
    picture,
    counts,
    headings,
    changeCount,
    mode,
    focus,
    outline,
    pictures,
    scrollListeners,
    onChange(): void {
      essay.autosave.notifyChange();
      clearTimeout(idleTimer);
      idleTimer = setTimeout(updateTextInfo, IDLE_MS);
    },
    onCursor(): void {
      if (frame === 0) frame = requestAnimationFrame(updateCursorInfo);
    },
    onScroll(): void {
      for (const listener of scrollListeners) listener();
    },
    connect(next: EditorView | null): void {
      view.set(next);
      pictures.connect(next ?? undefined);
      if (next !== null) updateTextInfo();
      else {
        clearTimeout(idleTimer);
        stopCounting();
      }
    },
    setMode(next: ViewMode): void {
      writeItem(VIEW_MODE_KEY, next);
      mode.set(next);
    },
    goTo(position: number): void {
      const target = view.get();
      if (target === null) return;
      if (mode.get() === 'preview') mode.set(isNarrowScreen() ? 'source' : 'split');
      target.dispatch({ selection: { anchor: position }, scrollIntoView: true });
      requestAnimationFrame(() => target.focus());
    },
  };
}
