import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { type RefObject, Suspense, useEffect, useState } from 'react';
import { lazyComponent, useLoaded } from '#web/lib/lazy-component.ts';
import { usePassagesShown } from '#web/lib/shown-passages.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';

const TextHighlights = lazyComponent(() => import('./text-highlights.tsx'), 'TextHighlights');

interface HighlightsProps {
  essay: Essay;
  text: RefObject<HTMLDivElement | null>;
}

/** Whether the reader has selected some of the text, or the URL names a passage of it. */
function useIsAsked(text: RefObject<Element | null>): boolean {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (isAsked) return;
    const check = () => {
      const selection = getSelection();
      const isSelected =
        selection !== null &&
        !selection.isCollapsed &&
        selection.anchorNode !== null &&
        text.current?.contains(selection.anchorNode) === true;
      if (isSelected || location.hash.startsWith('#hl-')) setAsked(true);
    };
    check();
    document.addEventListener('selectionchange', check);
    addEventListener('hashchange', check);
    return () => {
      document.removeEventListener('selectionchange', check);
      removeEventListener('hashchange', check);
    };
  }, [isAsked, text]);
  return isAsked;
}

/** Highlights of an essay. Their code is loaded when there is something to paint or the reader selects text. */
export function Highlights({ essay, text }: HighlightsProps) {
  const isShown = usePassagesShown();
  const isAsked = useIsAsked(text);
  const hasMarks = essay.mine.highlights > 0 || (essay.hasPassages && isShown);
  const isHydrated = useHydrated();
  const isNeeded = isHydrated && essay.status === ESSAY_STATUS.onShelf && (isAsked || hasMarks);
  if (!useLoaded(TextHighlights, isNeeded)) return null;
  return (
    // The text is readable without them.
    <ErrorBoundary resetKey={essay.id} fallback={null}>
      <Suspense>
        <TextHighlights essay={essay} text={text} hasMarks={hasMarks} />
      </Suspense>
    </ErrorBoundary>
  );
}
