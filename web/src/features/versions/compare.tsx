import { history } from '@codemirror/commands';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { baseExtensions, shadowRootOf } from '@mozhan/editor/source-editor.ts';
import { useEffect, useRef } from 'react';
import { isNarrowScreen } from '#web/features/writing/editor-model.ts';
import styles from './compare.module.css';

/** Limits the effort for long texts that have little in common. */
const diffConfig = { scanLimit: 1000, timeout: 300 };
const collapse = { margin: 2, minSize: 6 };

const TAKE_LEFT_LABEL = '这一处用左边的';

const withLabel = (label: string): Extension => EditorView.contentAttributes.of({ 'aria-label': label });
const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
/** Read-only text must still be focusable and scrollable. */
const focusable: Extension = EditorView.contentAttributes.of({
  tabindex: '0',
  role: 'textbox',
  'aria-readonly': 'true',
});

/** The button between the two texts; styles of the page do not apply inside the shadow root. */
function createRevertControl(): HTMLElement {
  const control = document.createElement('button');
  control.type = 'button';
  control.textContent = '→';
  control.title = TAKE_LEFT_LABEL;
  control.ariaLabel = TAKE_LEFT_LABEL;
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

/** Theirs on the left, mine, editable, on the right; on a phone in one column. */
export function SideBySideEditor({ theirs, mine, onReady }: SideBySideProps) {
  const host = useRef<HTMLDivElement>(null);
  const latestOnReady = useRef(onReady);
  latestOnReady.current = onReady;

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
          history(),
          withLabel('我的文字'),
          unifiedMergeView({ original: theirs, diffConfig, collapseUnchanged: collapse }),
        ],
      });
      latestOnReady.current({ read: () => view.state.doc.toString() });
      return () => view.destroy();
    }
    const merge = new MergeView({
      parent: root,
      root,
      a: { doc: theirs, extensions: [baseExtensions, readOnly, focusable, withLabel('对方的文字')] },
      b: { doc: mine, extensions: [baseExtensions, history(), withLabel('我的文字')] },
      revertControls: 'a-to-b',
      renderRevertControl: createRevertControl,
      collapseUnchanged: collapse,
      diffConfig,
    });
    merge.dom.style.height = '100%';
    latestOnReady.current({ read: () => merge.b.state.doc.toString() });
    return () => merge.destroy();
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
