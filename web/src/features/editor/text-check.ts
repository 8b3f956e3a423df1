import { StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { changeMarks, showChanges } from '@mozhan/editor/change-marks.ts';
import { afterComposition } from '@mozhan/editor/composition.ts';
import { createValueStore } from '@mozhan/editor/store.ts';
import type { TextCheckRequest, TextCheckResult } from '@mozhan/editor/text-check.worker.ts';
import TextCheckWorker from '@mozhan/editor/text-check.worker.ts?worker';
import { hintKey, listHints, type PlacedHint, showHints, textHints } from '@mozhan/editor/text-hints.ts';
import type { TextHint } from '@mozhan/editor/typography.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';

const IGNORED_KEY = 'ignored-hints';
const TYPOGRAPHY_KEY = 'typography-hints';
const MAX_IGNORED = 300;
const LIST_DELAY_MS = 100;

export type TextCheck = ReturnType<typeof createTextCheck>;

/** Keys contain no line breaks, since suggestions end with their line. */
const readIgnored = (): Set<string> => new Set((readItem(IGNORED_KEY) ?? '').split('\n').filter(Boolean));

/** The version that the text is compared with: the one that readers see, otherwise the one that was opened. */
async function loadBase(api: Client, { essay }: EditorModel): Promise<string | null> {
  const saved = essay.autosave.saved();
  const { shelvedVersion } = essay.statusInfo.get();
  if (saved === null) return null;
  if (shelvedVersion === null || shelvedVersion === saved.version) return saved.draft.content;
  const shelved = await api('GET core/essay/{id}/revision', { id: saved.id, revision: shelvedVersion });
  return 'content' in shelved ? shelved.content : null;
}

/** Checks the text in a worker after each typing pause, and marks the results beside and in the text. */
export function createTextCheck(api: Client, editor: EditorModel) {
  const worker = new TextCheckWorker();
  const hints = createValueStore<readonly PlacedHint[]>([]);
  const showsTypography = createValueStore(readItem(TYPOGRAPHY_KEY) !== 'off');
  let ignored = readIgnored();
  let listTimer: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;
  let checkedDoc: EditorView['state']['doc'] | undefined;
  let found: readonly TextHint[] = [];
  let isBaseSent = false;

  function check(): void {
    const state = editor.view.get()?.state;
    if (state === undefined || state.doc === checkedDoc) return;
    checkedDoc = state.doc;
    lastId += 1;
    worker.postMessage({ id: lastId, text: state.doc.toString() } satisfies TextCheckRequest);
  }

  /** Results of a text that has changed since are dropped, because the next check is under way. */
  function show(view: EditorView, id: number, run: () => void): void {
    afterComposition(view, () => {
      if (id === lastId && view.state.doc === checkedDoc) run();
    });
  }

  function showFound(view: EditorView): void {
    const text = view.state.doc.toString();
    showHints(
      view,
      found.filter(
        (hint) => (hint.kind === 'html' || showsTypography.get()) && !ignored.has(hintKey(text, hint)),
      ),
    );
  }

  worker.onmessage = ({ data }: MessageEvent<TextCheckResult>) => {
    const view = editor.view.get();
    if (view === null) return;
    show(view, data.id, () => {
      found = data.hints;
      showChanges(view, data.changes);
      showFound(view);
    });
  };

  function ignore(list: readonly TextHint[]): void {
    const view = editor.view.get();
    if (view === null) return;
    const text = view.state.doc.toString();
    const keys = [...ignored, ...list.map((hint) => hintKey(text, hint))];
    ignored = new Set(keys.slice(-MAX_IGNORED));
    writeItem(IGNORED_KEY, [...ignored].join('\n'));
    showHints(
      view,
      listHints(view.state).filter((hint) => !ignored.has(hintKey(text, hint))),
    );
  }

  async function sendBase(): Promise<void> {
    if (isBaseSent) return;
    isBaseSent = true;
    const base = await loadBase(api, editor).catch(() => null);
    lastId += 1;
    const state = editor.view.get()?.state;
    checkedDoc = state?.doc;
    worker.postMessage({ id: lastId, text: state?.doc.toString() ?? '', base } satisfies TextCheckRequest);
  }

  return {
    hints,
    showsTypography,
    ignore,
    setTypography(isOn: boolean): void {
      writeItem(TYPOGRAPHY_KEY, isOn ? 'on' : 'off');
      showsTypography.set(isOn);
      const view = editor.view.get();
      if (view !== null && view.state.doc === checkedDoc) showFound(view);
    },
    connect(view: EditorView): void {
      const extension = textHints({
        // Not at every key, because a long text has many.
        onChange(isTyping) {
          clearTimeout(listTimer);
          const list = () => hints.set(listHints(view.state));
          if (isTyping) listTimer = setTimeout(list, LIST_DELAY_MS);
          else list();
        },
        onIgnore: (hint) => ignore([hint]),
      });
      view.dispatch({ effects: StateEffect.appendConfig.of([changeMarks, extension]) });
      void sendBase();
    },
    check,
    stop(): void {
      clearTimeout(listTimer);
      worker.terminate();
    },
  };
}
