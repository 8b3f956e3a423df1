import { pasteAndDrop } from '@mozhan/editor/paste.ts';
import { createSourceEditor, setReadOnly, textPort } from '@mozhan/editor/source-editor.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { useEffect, useRef } from 'react';
import type { Desk } from '#web/features/writing/desk.ts';
import { toast } from '#web/ui/toast.tsx';

interface SourcePaneProps {
  desk: Desk;
  readOnly: boolean;
  className: string | undefined;
  hidden: boolean;
  onTexts: (files: File[]) => void;
  onPickPictures: () => void;
}

/** The text itself. It lives as long as the page; what React does around it never rebuilds it. */
export function SourcePane({ desk, readOnly, className, hidden, onTexts, onPickPictures }: SourcePaneProps) {
  const host = useRef<HTMLElement>(null);
  const latest = useRef({ onTexts, onPickPictures, readOnly });
  latest.current = { onTexts, onPickPictures, readOnly };

  useEffect(() => {
    if (host.current === null) return;
    const { writing, pictures } = desk;
    const view = createSourceEditor({
      host: host.current,
      label: '正文，Markdown',
      text: writing.fields.get().content,
      readOnly: latest.current.readOnly,
      onChange: desk.onChange,
      onCursor: desk.onCursor,
      onScroll: desk.onScroll,
      onPictures: () => latest.current.onPickPictures(),
      extensions: pasteAndDrop({
        pictures,
        onTexts: (files) => latest.current.onTexts(files),
        onProblem: (text) => toast(text, 'warn'),
      }),
    });
    writing.connectText(textPort(view));
    desk.connect(view);
    return () => {
      writing.connectText(undefined);
      desk.connect(null);
      view.destroy();
    };
  }, [desk]);

  const view = useStore(desk.view);
  useEffect(() => {
    if (view !== null) setReadOnly(view, readOnly);
  }, [view, readOnly]);

  return <section ref={host} className={className} aria-label="Markdown 源码" hidden={hidden} />;
}
