import type { EditorView } from '@codemirror/view';
import { type Block, blocksOf } from '#web/features/writing/outline.ts';

interface Pair {
  block: Block;
  element: HTMLElement;
}

const NEAR_TOP = 4;

const isHeading = (element: Element): boolean => /^H[1-6]$/.test(element.tagName);

/** Headings keep both in step; between two of them blocks are matched in order, by share where their number differs. */
function pair(blocks: readonly Block[], elements: readonly HTMLElement[]): Pair[] {
  const sections = <T>(list: readonly T[], starts: (item: T) => boolean): T[][] => {
    const parts: T[][] = [[]];
    for (const item of list) {
      if (starts(item)) parts.push([]);
      parts.at(-1)?.push(item);
    }
    return parts;
  };
  const texts = sections(blocks, (block) => block.isHeading);
  const shown = sections(elements, isHeading);
  return texts.flatMap((section, index) => {
    const places = shown[index] ?? [];
    return section.flatMap((block, at) => {
      const element = places[Math.floor((at * places.length) / section.length)];
      return element === undefined ? [] : [{ block, element }];
    });
  });
}

const share = (value: number, from: number, size: number): number =>
  size <= 0 ? 0 : Math.min(1, Math.max(0, (value - from) / size));

/** Keeps source and preview at the same block. Whoever was touched last leads. */
export function keepInStep(
  view: EditorView,
  preview: HTMLElement,
  follow: (listener: () => void) => () => void,
) {
  let leader: 'source' | 'preview' = 'source';
  let frame = 0;

  const prose = () => preview.querySelector('[data-prose]')?.firstElementChild;
  const pairs = () => pair(blocksOf(view.state), [...(prose()?.children ?? [])] as HTMLElement[]);
  const topOf = (element: HTMLElement) =>
    element.getBoundingClientRect().top - preview.getBoundingClientRect().top + preview.scrollTop;
  const spanOf = ({ from, to }: Block) => {
    const top = view.lineBlockAt(from).top;
    return { top, height: view.lineBlockAt(to).bottom - top };
  };

  function fromSource(): void {
    const { scrollTop } = view.scrollDOM;
    const at = view.lineBlockAtHeight(scrollTop).from;
    const found = pairs().findLast(({ block }) => block.from <= at);
    if (found === undefined || scrollTop < NEAR_TOP) {
      preview.scrollTo({ top: 0, behavior: 'instant' });
      return;
    }
    const { top, height } = spanOf(found.block);
    const target = topOf(found.element) + share(scrollTop, top, height) * found.element.offsetHeight;
    preview.scrollTo({ top: target, behavior: 'instant' });
  }

  function fromPreview(): void {
    const { scrollTop } = preview;
    const found = pairs().findLast(({ element }) => topOf(element) <= scrollTop);
    if (found === undefined || scrollTop < NEAR_TOP) {
      view.scrollDOM.scrollTo({ top: 0, behavior: 'instant' });
      return;
    }
    const { top, height } = spanOf(found.block);
    const part = share(scrollTop, topOf(found.element), found.element.offsetHeight);
    view.scrollDOM.scrollTo({ top: top + part * height, behavior: 'instant' });
  }

  const soon = (side: typeof leader, run: () => void) => () => {
    if (leader !== side) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(run);
  };

  const stop = new AbortController();
  const { signal } = stop;
  for (const type of ['pointerenter', 'wheel', 'touchstart', 'focusin', 'keydown'] as const) {
    preview.addEventListener(type, () => (leader = 'preview'), { signal, passive: true });
    view.dom.addEventListener(type, () => (leader = 'source'), { signal, passive: true });
  }
  preview.addEventListener('scroll', soon('preview', fromPreview), { signal, passive: true });
  const unfollow = follow(soon('source', fromSource));
  fromSource();
  return () => {
    stop.abort();
    unfollow();
    cancelAnimationFrame(frame);
  };
}
