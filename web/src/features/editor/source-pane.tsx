import { EditorView } from '@codemirror/view';
import { pasteAndDropHandlers } from '@mozhan/editor/paste.ts';
import {
  createSourceEditor,
  createTextDocument,
  setFormatting,
  setReadOnly,
} from '@mozhan/editor/source-editor.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useEffect, useRef, useState } from 'react';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { toast } from '#web/ui/toast.tsx';
import { PictureBar } from './picture-bar.tsx';
import styles from './source-pane.module.css';
import { TableBar } from './table-bar.tsx';

/** Loads live formatting when it is chosen. Returns true until an editor that opens with it is formatted. */
function useFormatting(editor: EditorModel, view: EditorView | null, isLive: boolean): boolean {
  const [isPending, setPending] = useState(isLive);
  useEffect(() => {
    if (view === null || !isLive) return;
    let isCurrent = true;
    const onLoadError = () => {
      if (!isCurrent) return;
      toast('没能载入即时排版，请检查网络', 'warn');
      editor.mode.set('source');
    };
    void import('@mozhan/editor/live/live-formatting.ts')
      .then(({ liveFormatting }) => {
        if (isCurrent) setFormatting(view, liveFormatting(editor.pictures.list));
      }, onLoadError)
      .finally(() => setPending(false));
    return () => {
      isCurrent = false;
      setFormatting(view, []);
    };
  }, [editor, view, isLive]);
  return isPending;
}

interface SourcePaneProps {
  editor: EditorModel;
  readOnly: boolean;
  /** Shows formatted text instead of the source. */
  isLive: boolean;
  className: string | undefined;
  hidden: boolean;
  onTextFiles: (files: File[]) => void;
  onPickPictures: () => void;
}

/** The source editor. Re-rendering by React never rebuilds it. */
export function SourcePane({
  editor,
  readOnly,
  isLive,
  className,
  hidden,
  onTextFiles,
  onPickPictures,
}: SourcePaneProps) {
  const host = useRef<HTMLElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const latest = useRef({ onTextFiles, onPickPictures, readOnly });
  latest.current = { onTextFiles, onPickPictures, readOnly };

  useEffect(() => {
    if (host.current === null) return;
    const { essay, pictures } = editor;
    const view = createSourceEditor({
      host: host.current,
      label: '正文，Markdown',
      text: essay.fields.get().content,
      readOnly: latest.current.readOnly,
      onChange: editor.onChange,
      onCursor: editor.onCursor,
      onScroll: editor.onScroll,
      onPictures: () => latest.current.onPickPictures(),
      extensions: [
        pasteAndDropHandlers({
          pictures,
          onTextFiles: (files) => latest.current.onTextFiles(files),
          onError: (text) => toast(text, 'warn'),
        }),
        // The bars at the bottom do not cover the line of the cursor.
        EditorView.scrollMargins.of(() => ({ bottom: 64 })),
      ],
    });
    essay.connectText(createTextDocument(view));
    editor.connect(view);
    return () => {
      essay.connectText(undefined);
      editor.connect(null);
      view.destroy();
    };
  }, [editor]);

  const view = useStoreValue(editor.view);
  useEffect(() => {
    if (view !== null) setReadOnly(view, readOnly);
  }, [view, readOnly]);

  const isPending = useFormatting(editor, view, isLive);
  const table = useStoreValue(editor.table);
  const picture = useStoreValue(editor.picture);
  const isEditing = view !== null && !readOnly && !hidden;
  return (
    <div
      ref={pane}
      className={`${styles.pane} ${className}`}
      hidden={hidden}
      data-pending={isPending || undefined}
      onKeyDownCapture={(event) => {
        if (event.key !== 'F10' || !event.altKey || (table === null && picture === null)) return;
        event.preventDefault();
        pane.current?.querySelector<HTMLElement>('[data-context-bar] button:not(:disabled)')?.focus();
      }}
    >
      <section ref={host} className={styles.host} aria-label="Markdown 源码" />
      {picture !== null && isEditing ? <PictureBar view={view} picture={picture} /> : null}
      {table !== null && picture === null && isEditing ? <TableBar view={view} table={table} /> : null}
    </div>
  );
}
