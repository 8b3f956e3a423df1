import { history } from '@codemirror/commands';
import { type Chunk, getChunks, MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { baseExtensions, shadowRootOf } from '@mozhan/editor/source-editor.ts';
import { useEffect, useRef } from 'react';
import { isNarrowScreen } from '#web/features/writing/editor-model.ts';
import styles from './compare.module.css';

/** Limits the effort for long texts that have little in common. */
const diffConfig = { scanLimit: 1000, timeout: 300 };
const collapse = { margin: 2, minSize: 6 };

const TAKE_THEIRS_LABEL = '用别处的';
const TAKE_MINE_LABEL = '用这里的';

/** Without it the gutters are white in the dark theme. */
const plainGutters: Extension = EditorView.theme({
  '.cm-gutters': { border: '0', backgroundColor: 'transparent' },
});

const withLabel = (label: string): Extension => EditorView.contentAttributes.of({ 'aria-label': label });
const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
/** Read-only text must still be focusable and scrollable. */
const focusable: Extension = EditorView.contentAttributes.of({
  tabindex: '0',
  role: 'textbox',
  'aria-readonly': 'true',
});

/** Styles of the page do not apply inside the shadow root. */
function createChoiceButton(
  label: string,
  arrow: string,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement {
  const control = document.createElement('button');
  control.type = 'button';
  control.textContent = arrow === '←' ? `← ${label}` : `${label}${arrow}`;
  control.ariaLabel = `这一处${label}`;
  Object.assign(control.style, {
    position: 'static',
    width: 'auto',
    padding: '0 6px',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r1)',
    background: 'var(--surface)',
    color: 'var(--brand-ink)',
    font: '12px/1.9 var(--sans)',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
  });
  // The views handle the mouse themselves; a click also works by keyboard.
  control.addEventListener('mousedown', (event) => event.stopPropagation());
  control.addEventListener('click', onClick);
  return control;
}

/** Copies a differing part from one side to the other, after which the sides no longer differ there. */
function takeChunk({ a, b }: MergeView, { fromA, toA, fromB, toB }: Chunk, side: 'theirs' | 'mine'): void {
  const [source, target] = side === 'theirs' ? [a, b] : [b, a];
  const [from, to] = side === 'theirs' ? [fromA, toA] : [fromB, toB];
  const [start, end] = side === 'theirs' ? [fromB, toB] : [fromA, toA];
  // The end of a part includes its line break, which the last line of a text does not have.
  const text = source.state.sliceDoc(from, Math.max(from, to - 1));
  const { length } = target.state.doc;
  const insert = from !== to && end <= length ? `${text}\n` : text;
  target.dispatch({ changes: { from: start, to: Math.min(length, end), insert }, userEvent: 'merge' });
}

/** The two buttons between the texts, at each differing part. */
function createChunkControl(getMerge: () => MergeView | undefined): HTMLElement {
  const box = document.createElement('div');
  Object.assign(box.style, { position: 'absolute', display: 'grid', gap: '2px', width: '100%' });
  const take = (side: 'theirs' | 'mine') => () => {
    const merge = getMerge();
    const chunk = merge?.chunks[Number(box.dataset.chunk)];
    if (merge !== undefined && chunk !== undefined) takeChunk(merge, chunk, side);
  };
  box.append(
    createChoiceButton(TAKE_THEIRS_LABEL, ' →', take('theirs')),
    createChoiceButton(TAKE_MINE_LABEL, '←', take('mine')),
  );
  return box;
}

interface ComparedText {
  read: () => string;
}

interface SideBySideProps {
  theirs: string;
  mine: string;
  onReady: (text: ComparedText) => void;
  /** Called with the number of parts that still differ. */
  onDifferences: (count: number) => void;
}

/** Theirs on the left, mine, editable, on the right; on a phone in one column. */
export function SideBySideEditor({ theirs, mine, onReady, onDifferences }: SideBySideProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ onReady, onDifferences });
  latest.current = { onReady, onDifferences };

  useEffect(() => {
    if (host.current === null) return;
    const root = shadowRootOf(host.current);
    root.replaceChildren();
    if (isNarrowScreen()) {
      const view = new EditorView({
        parent: root,
        root,
        doc: mine,
        extensions: [
          baseExtensions,
          plainGutters,
          history(),
          withLabel('我的文字'),
          unifiedMergeView({
            original: theirs,
            diffConfig,
            collapseUnchanged: collapse,
            mergeControls: (type, action) =>
              createChoiceButton(type === 'accept' ? TAKE_MINE_LABEL : TAKE_THEIRS_LABEL, '', action),
          }),
          EditorView.updateListener.of(({ state }) =>
            latest.current.onDifferences(getChunks(state)?.chunks.length ?? 0),
          ),
        ],
      });
      latest.current.onReady({ read: () => view.state.doc.toString() });
      latest.current.onDifferences(getChunks(view.state)?.chunks.length ?? 0);
      return () => view.destroy();
    }
    let merge: MergeView | undefined;
    // The view updates its parts after this listener ran.
    const countSoon = EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) queueMicrotask(() => latest.current.onDifferences(merge?.chunks.length ?? 0));
    });
    const created = new MergeView({
      parent: root,
      root,
      a: {
        doc: theirs,
        extensions: [baseExtensions, plainGutters, readOnly, focusable, countSoon, withLabel('别处的文字')],
      },
      b: {
        doc: mine,
        extensions: [baseExtensions, plainGutters, history(), countSoon, withLabel('我的文字')],
      },
      revertControls: 'a-to-b',
      renderRevertControl: () => createChunkControl(() => merge),
      collapseUnchanged: collapse,
      diffConfig,
    });
    merge = created;
    created.dom.style.height = '100%';
    const controls = created.dom.querySelector<HTMLElement>('.cm-merge-revert');
    if (controls !== null) controls.style.width = '92px';
    latest.current.onReady({ read: () => created.b.state.doc.toString() });
    latest.current.onDifferences(created.chunks.length);
    return () => created.destroy();
  }, [theirs, mine]);

  return <div ref={host} className={styles.texts} />;
}

export function TextChanges({ before, after }: { before: string; after: string }) {
  const host = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (host.current === null) return;
    const root = shadowRootOf(host.current);
    root.replaceChildren();
    const view = new EditorView({
      parent: root,
      root,
      doc: after,
      extensions: [
        baseExtensions,
        plainGutters,
        readOnly,
        focusable,
        withLabel('改动'),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          diffConfig,
          collapseUnchanged: collapse,
        }),
      ],
    });
    return () => view.destroy();
  }, [before, after]);

  return <div ref={host} className={styles.texts} />;
}
