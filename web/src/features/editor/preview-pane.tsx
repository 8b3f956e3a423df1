import { hasCode, messageOf } from '@mozhan/client/errors.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { useEffect, useRef, useState } from 'react';
import type { Desk } from '#web/features/writing/desk.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Prose } from '#web/ui/prose.tsx';
import { patchBlocks } from './patch-blocks.ts';
import { keepInStep } from './scroll-sync.ts';
import styles from './writer.module.css';

const GAP_MS = 1000;
const BUSY_MS = 15_000;
const AGAIN_MS = 5000;
/** Blocks; what is out of sight of a longer text is not laid out. */
const LONG = 300;

/** The text as the page will show it, laid out by the server in each pause; what was last laid out stays meanwhile. */
function usePreview(desk: Desk, active: boolean, onHtml: (html: string) => void): string {
  const api = useApi();
  const pauses = useStore(desk.pauses);
  const [problem, setProblem] = useState('');
  const shown = useRef<string>(undefined);
  const nextAt = useRef(0);
  const show = useRef(onHtml);
  show.current = onHtml;
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each pause, and again after a failure
  useEffect(() => {
    if (!active) return;
    const content = desk.view.get()?.state.doc.toString() ?? desk.writing.fields.get().content;
    if (content === shown.current) return;
    const controller = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const began = Date.now();
      try {
        const answer = await api('POST core/essay/preview', { content }, { signal: controller.signal });
        shown.current = content;
        show.current(answer.html);
        // A text that takes long is laid out less often.
        nextAt.current = Date.now() + Math.max(GAP_MS, 3 * (Date.now() - began));
        setProblem('');
      } catch (error) {
        if (controller.signal.aborted) return;
        if (hasCode(error, 'TOO_MANY_REQUESTS')) nextAt.current = Date.now() + BUSY_MS;
        setProblem(messageOf(error));
        again = setTimeout(() => setAttempt((count) => count + 1), AGAIN_MS);
      }
    };
    const timer = setTimeout(ask, Math.max(0, nextAt.current - Date.now()));
    return () => {
      clearTimeout(timer);
      clearTimeout(again);
      controller.abort();
    };
  }, [active, pauses, attempt, desk]);

  return problem;
}

/** Diagrams are drawn as on the page itself; those that did not change stay as they are. */
function useDiagrams(): (blocks: readonly Element[]) => void {
  const { basePath } = useApp();
  const [stop] = useState(() => new AbortController());
  useEffect(() => () => stop.abort(), [stop]);
  return (blocks) => {
    const figures = blocks.flatMap((block) => [
      ...(block.matches('[data-diagram]') ? [block] : []),
      ...block.querySelectorAll('[data-diagram]'),
    ]);
    if (figures.length === 0) return;
    import('@mozhan/client/diagrams.ts')
      .then(({ drawDiagrams }) => drawDiagrams(figures, basePath, stop.signal))
      // Their source stands there meanwhile.
      .catch(() => {});
  };
}

interface PreviewPaneProps {
  desk: Desk;
  hidden: boolean;
  inStep: boolean;
}

export function PreviewPane({ desk, hidden, inStep }: PreviewPaneProps) {
  const pane = useRef<HTMLElement>(null);
  const { title } = useStore(desk.writing.fields);
  const view = useStore(desk.view);
  const body = useRef<HTMLDivElement>(null);
  const draw = useDiagrams();
  const problem = usePreview(desk, !hidden, (html) => {
    const prose = body.current?.firstElementChild;
    if (!prose) return;
    draw(patchBlocks(prose, html));
    body.current?.toggleAttribute('data-long', prose.childElementCount > LONG);
    desk.onScroll();
  });

  useEffect(() => {
    if (view === null || pane.current === null || !inStep) return;
    return keepInStep(view, pane.current, (listener) => {
      desk.scrolled.add(listener);
      return () => desk.scrolled.delete(listener);
    });
  }, [view, inStep, desk]);

  return (
    <section
      ref={pane}
      className={styles.preview}
      aria-label="预览"
      hidden={hidden}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by those who scroll with keys
      tabIndex={0}
    >
      <h2 className={styles.previewTitle}>{title || '没有标题'}</h2>
      {problem === '' ? null : <Notice tone="warn">预览没有更新：{problem}</Notice>}
      <div ref={body} className={styles.previewBody} data-prose>
        <Prose html="" />
      </div>
    </section>
  );
}
