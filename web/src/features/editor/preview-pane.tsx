import { errorMessageOf, hasErrorCode } from '@mozhan/client/errors.ts';
import { excessCharacters, MAX_PREVIEW_SECTIONS } from '@mozhan/contract/content-length.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Prose } from '#web/ui/prose.tsx';
import styles from './editor-screen.module.css';
import { blocksIn, patchSections, sectionIdsIn } from './patch-sections.ts';
import { syncScroll } from './scroll-sync.ts';

const MIN_INTERVAL_MS = 1000;
const RATE_LIMIT_WAIT_MS = 15_000;
const RETRY_MS = 5000;
/** After this time the writer is told that the preview is still being made. */
const SLOW_MS = 4000;
/** In a text with more blocks, parts outside the viewport are not laid out. */
const LONG_TEXT_BLOCKS = 300;

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });

/**
 * Lets the server render the text after each typing pause; the last result stays visible meanwhile. A request is not
 * aborted when the text changes, or a long text would not be shown while its author is writing.
 */
function usePreview(
  editor: EditorModel,
  active: boolean,
  body: RefObject<HTMLElement | null>,
  onBlocks: (blocks: HTMLElement[]) => void,
): string {
  const api = useApi();
  const changeCount = useStoreValue(editor.changeCount);
  const [problem, setProblem] = useState('');
  const renderedText = useRef<string>(undefined);
  const update = useRef(() => {});
  const latestOnBlocks = useRef(onBlocks);
  latestOnBlocks.current = onBlocks;

  useEffect(() => {
    if (!active) return;
    const controller = new AbortController();
    const { signal } = controller;
    let isRunning = false;
    const readText = () => editor.view.get()?.state.doc.toString() ?? editor.essay.fields.get().content;

    /** Returns how long to wait before the next request. */
    async function renderText(content: string): Promise<number> {
      const startedAt = Date.now();
      const slowTimer = setTimeout(() => setProblem('文字较长或网络较慢，正在等服务器排好'), SLOW_MS);
      try {
        const known = body.current === null ? [] : sectionIdsIn(body.current).slice(0, MAX_PREVIEW_SECTIONS);
        const { sections } = await api('POST core/essay/preview/sections', { content, known }, { signal });
        renderedText.current = content;
        if (body.current !== null) latestOnBlocks.current(patchSections(body.current, sections));
        setProblem('');
        // A text that takes long is rendered less often.
        return Math.max(MIN_INTERVAL_MS, Date.now() - startedAt);
      } catch (error) {
        if (!signal.aborted) setProblem(`${errorMessageOf(error)}，稍后自动再试`);
        return hasErrorCode(error, 'TOO_MANY_REQUESTS') ? RATE_LIMIT_WAIT_MS : RETRY_MS;
      } finally {
        clearTimeout(slowTimer);
      }
    }

    async function renderUntilCurrent(): Promise<void> {
      while (!signal.aborted) {
        const content = readText();
        const excess = excessCharacters(content);
        // The next change continues.
        if (excess > 0)
          return setProblem(`正文超出 ${excess.toLocaleString('zh-CN')} 个字符，删减之后会接着更新`);
        if (content === renderedText.current) return setProblem('');
        await wait(await renderText(content), signal);
      }
    }

    update.current = () => {
      if (isRunning) return;
      isRunning = true;
      void renderUntilCurrent().finally(() => {
        isRunning = false;
      });
    };
    update.current();
    return () => {
      update.current = () => {};
      controller.abort();
    };
  }, [active, editor, api, body]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per typing pause
  useEffect(() => update.current(), [changeCount]);

  return problem;
}

/** Draws diagrams as on the essay page; unchanged ones stay as they are. */
function useDiagrams(): (blocks: readonly Element[]) => void {
  const { basePath } = useApp();
  const [stop] = useState(() => new AbortController());
  useEffect(() => () => stop.abort(), [stop]);
  return (blocks) => {
    const figures = blocks.flatMap((block) => [
      ...(block instanceof HTMLElement && block.matches('[data-diagram]') ? [block] : []),
      ...block.querySelectorAll<HTMLElement>('[data-diagram]'),
    ]);
    if (figures.length === 0) return;
    import('@mozhan/client/diagrams.ts')
      .then(({ drawDiagrams }) => drawDiagrams(figures, basePath, stop.signal))
      // On failure the source of the diagram stays visible.
      .catch(() => {});
  };
}

interface PreviewPaneProps {
  editor: EditorModel;
  hidden: boolean;
  syncsScroll: boolean;
}

export function PreviewPane({ editor, hidden, syncsScroll }: PreviewPaneProps) {
  const pane = useRef<HTMLElement>(null);
  const { title } = useStoreValue(editor.essay.fields);
  const view = useStoreValue(editor.view);
  const body = useRef<HTMLDivElement>(null);
  const draw = useDiagrams();
  const problem = usePreview(editor, !hidden, body, (blocks) => {
    draw(blocks);
    if (body.current !== null)
      body.current.toggleAttribute('data-long', blocksIn(body.current).length > LONG_TEXT_BLOCKS);
    editor.onScroll();
  });

  useEffect(() => {
    if (view === null || pane.current === null || !syncsScroll) return;
    return syncScroll(view, pane.current, (listener) => {
      editor.scrollListeners.add(listener);
      return () => editor.scrollListeners.delete(listener);
    });
  }, [view, syncsScroll, editor]);

  return (
    <section
      ref={pane}
      className={styles.preview}
      aria-label="预览"
      hidden={hidden}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
    >
      <h2 className={styles.previewTitle}>{title || '没有标题'}</h2>
      {problem === '' ? null : <Alert tone="warn">预览停在之前的样子：{problem}。</Alert>}
      <div ref={body} className={styles.previewBody} data-prose>
        <Prose html="" />
      </div>
    </section>
  );
}
