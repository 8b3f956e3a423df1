import { history } from '@codemirror/commands';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { shadowOf, sourceBasics } from '@mozhan/editor/source-editor.ts';
import { useEffect, useRef } from 'react';
import { isNarrow } from '#web/features/writing/desk.ts';
import styles from './compare.module.css';

/** Long texts that share little are compared roughly rather than for minutes. */
const diffConfig = { scanLimit: 1000, timeout: 300 };
const collapse = { margin: 2, minSize: 6 };

const TAKE = '这一处用左边的';

const labelled = (label: string): Extension => EditorView.contentAttributes.of({ 'aria-label': label });
const locked: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
/** What cannot be edited can still be reached and scrolled. */
const reachable: Extension = EditorView.contentAttributes.of({
  tabindex: '0',
  role: 'textbox',
  'aria-readonly': 'true',
});

/** Between the texts; it has no style of its own but what is set on it here. */
function newRevertControl(): HTMLElement {
  const control = document.createElement('button');
  control.type = 'button';
  control.textContent = '→';
  control.title = TAKE;
  control.ariaLabel = TAKE;
  Object.assign(control.style, {
    width: '100%',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r1)',
    background: 'var(--surface)',
    color: 'var(--brand-ink)',
    cursor: 'pointer',
  });
  return control;
}

interface ComparedText {
  read: () => string;
}

interface SideBySideProps {
  theirs: string;
  mine: string;
  onReady: (text: ComparedText) => void;
}

/** Theirs on the left, mine on the right and to be worked on; on a phone one below the other. */
export function SideBySide({ theirs, mine, onReady }: SideBySideProps) {
  const host = useRef<HTMLDivElement>(null);
  const ready = useRef(onReady);
  ready.current = onReady;

  useEffect(() => {
    if (host.current === null) return;
    const root = shadowOf(host.current);
    root.replaceChildren();
    if (isNarrow()) {
      const view = new EditorView({
        parent: root,
        root,
        doc: mine,
        extensions: [
          sourceBasics,
          history(),
          labelled('我的文字'),
          unifiedMergeView({ original: theirs, diffConfig, collapseUnchanged: collapse }),
        ],
      });
      ready.current({ read: () => view.state.doc.toString() });
      return () => view.destroy();
    }
    const merge = new MergeView({
      parent: root,
      root,
      a: { doc: theirs, extensions: [sourceBasics, locked, reachable, labelled('对方的文字')] },
      b: { doc: mine, extensions: [sourceBasics, history(), labelled('我的文字')] },
      revertControls: 'a-to-b',
      renderRevertControl: newRevertControl,
      collapseUnchanged: collapse,
      diffConfig,
    });
    merge.dom.style.height = '100%';
    ready.current({ read: () => merge.b.state.doc.toString() });
    return () => merge.destroy();
  }, [theirs, mine]);

  return <div ref={host} className={styles.texts} />;
}

/** What changed from one text to another, in one column. */
export function Changes({ before, after }: { before: string; after: string }) {
  const host = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (host.current === null) return;
    const root = shadowOf(host.current);
    root.replaceChildren();
    const view = new EditorView({
      parent: root,
      root,
      doc: after,
      extensions: [
        sourceBasics,
        locked,
        reachable,
        labelled('改动'),
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
