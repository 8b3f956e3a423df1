import type { TextQuote, TextRange } from '@mozhan/contract/anchoring.ts';
import { findExact } from '@mozhan/contract/anchoring.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { Highlight, Passage } from '@mozhan/contract/highlights.ts';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { usePassagesShown } from '#web/lib/shown-passages.ts';
import { marksQuery } from './highlight-calls.ts';
import { canPaintRanges, type PaintedRange, paint } from './paint.ts';
import './painting.css';
import { PassagePanel } from './passage-panel.tsx';
import { SelectionMenu } from './selection-menu.tsx';
import { createTextMap, type TextMap } from './text-map.ts';

interface TextHighlightsProps {
  essay: Essay;
  text: RefObject<HTMLDivElement | null>;
  /** Whether the server has anything to paint. */
  hasMarks: boolean;
}

/** Something that can be opened by a click: own highlights, and what many readers highlighted. */
export interface OpenedPassage {
  mine: Highlight | null;
  passage: Passage | null;
  quote: TextQuote;
  words: string;
  rect: DOMRect;
}

interface Located<Mark> {
  mark: Mark;
  range: TextRange;
}

/** The page may show another version than the server knows, so the words decide. */
function locate({ text }: TextMap, { start, end, exact, state }: Highlight): TextRange | null {
  if (state === 'orphaned') return null;
  const words = exact.replace(/\s+/g, '');
  if (text.startsWith(words, start)) return { start, end: start + words.length };
  return findExact(text, { exact: words, prefix: '', suffix: '', start, end });
}

function useMarks(map: TextMap | null, essayId: string, isEnabled: boolean) {
  const api = useApi();
  const userId = useCurrentUser()?.id;
  const isShown = usePassagesShown();
  const { queryKey, queryFn } = marksQuery(api, essayId);
  const { data, refetch } = useQuery({ queryKey, queryFn, enabled: isEnabled });
  // Another user has other highlights.
  useEffect(() => {
    if (isEnabled && userId !== undefined) void refetch();
  }, [isEnabled, userId, refetch]);
  return useMemo(() => {
    const mine: Located<Highlight>[] = [];
    const passages: Located<Passage>[] = [];
    if (map === null || data === undefined) return { mine, passages };
    for (const mark of data.mine) {
      const range = locate(map, mark);
      if (range !== null) mine.push({ mark, range });
    }
    if (isShown)
      for (const mark of data.passages)
        if (map.text.startsWith(mark.opening, mark.start)) passages.push({ mark, range: mark });
    return { mine, passages };
  }, [map, data, isShown]);
}

const toPainted = (map: TextMap, name: string, range: TextRange): PaintedRange[] => {
  const found = map.rangeOf(range);
  return found === null ? [] : [{ name, range: found }];
};

/** A point between lines or beside the text does not belong to it. */
const contains = (range: Range, x: number, y: number): boolean =>
  [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
  );

const covers = ({ start, end }: TextRange, map: TextMap, x: number, y: number): boolean => {
  const range = map.rangeOf({ start, end });
  return range !== null && contains(range, x, y);
};

/** `#hl-12-34`: a passage that a comment or the list of own highlights links to. */
function targetOf(hash: string): TextRange | null {
  const found = /^#hl-(\d{1,7})-(\d{1,7})$/.exec(hash);
  return found === null ? null : { start: Number(found[1]), end: Number(found[2]) };
}

const FLASH_MS = 2500;

/** Scrolls to the passage that the URL names, and marks it for a moment. */
function useTarget(map: TextMap | null, root: Element | null): TextRange | null {
  const [target, setTarget] = useState<TextRange | null>(null);
  useEffect(() => {
    if (map === null || root === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      const wanted = targetOf(location.hash);
      const range = wanted === null ? null : createTextMap(root).rangeOf(wanted);
      if (wanted === null || range === null) return;
      const { top, height } = range.getBoundingClientRect();
      scrollTo({ top: scrollY + top - (innerHeight - height) / 2, behavior: 'instant' });
      setTarget(wanted);
      clearTimeout(timer);
      timer = setTimeout(() => setTarget(null), FLASH_MS);
    };
    show();
    addEventListener('hashchange', show);
    return () => {
      clearTimeout(timer);
      removeEventListener('hashchange', show);
    };
  }, [map, root]);
  return target;
}

/** Paints highlights, and shows the menu of a selection and the panel of a highlight. */
export function TextHighlights({ essay, text, hasMarks }: TextHighlightsProps) {
  const root = text.current;
  const [map, setMap] = useState<TextMap | null>(null);
  const [opened, setOpened] = useState<OpenedPassage | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has new elements
  useEffect(() => {
    if (text.current !== null) setMap(createTextMap(text.current));
  }, [text, essay.html]);

  const isSignedIn = useCurrentUser() !== null;
  const { mine, passages } = useMarks(map, essay.id, hasMarks || isSignedIn);
  const target = useTarget(map, root);

  useEffect(() => {
    if (map === null || text.current === null) return;
    // Wrapping text in elements replaces its nodes.
    const current = canPaintRanges() ? map : createTextMap(text.current);
    return paint([
      ...passages.flatMap(({ range }) => toPainted(current, 'passage', range)),
      ...mine.flatMap(({ mark, range }) => toPainted(current, mark.color, range)),
      ...(target === null ? [] : toPainted(current, 'target', target)),
    ]);
  }, [map, text, mine, passages, target]);

  const found = useRef({ mine, passages });
  found.current = { mine, passages };
  useEffect(() => {
    if (map === null || root === null) return;
    const stop = new AbortController();
    root.addEventListener(
      'click',
      ({ target, clientX: x, clientY: y }) => {
        if (!(target instanceof Element) || target.closest('a, button, img, summary') !== null) return;
        if (getSelection()?.isCollapsed === false) return;
        const current = createTextMap(root);
        const own = found.current.mine.find(({ range }) => covers(range, current, x, y));
        const shared = found.current.passages.find(({ range }) => covers(range, current, x, y));
        const range = own?.range ?? shared?.range;
        const place = range && current.rangeOf(range);
        if (range === undefined || !place) return;
        setOpened({
          mine: own?.mark ?? null,
          passage: shared?.mark ?? null,
          quote: current.quoteOf(place) ?? { ...range, exact: '', prefix: '', suffix: '' },
          words: place.toString(),
          rect: place.getBoundingClientRect(),
        });
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, [map, root]);

  if (map === null || root === null) return null;
  return createPortal(
    <>
      <SelectionMenu essay={essay} root={root} hasPanel={opened !== null} />
      {opened === null ? null : (
        <PassagePanel essay={essay} opened={opened} onOpen={setOpened} onClose={() => setOpened(null)} />
      )}
    </>,
    document.body,
  );
}
