import type { EditorView } from '@codemirror/view';
import { type Block, blocksOf } from '#web/features/writing/outline.ts';
import { blocksIn } from './patch-sections.ts';

interface BlockPair {
  block: Block;
  element: HTMLElement;
}

const NEAR_TOP = 4;

const isHeading = (element: Element): boolean => /^H[1-6]$/.test(element.tagName);

/** Matches blocks in order between two headings, proportionally where their number differs. */
function pairBlocks(blocks: readonly Block[], elements: readonly HTMLElement[]): BlockPair[] {
  const sections = <T>(list: readonly T[], starts: (item: T) => boolean): T[][] => {
    const parts: T[][] = [[]];
    for (const item of list) {
      if (starts(item)) parts.push([]);
      parts.at(-1)?.push(item);
    }
    return parts;
  };
  const sourceSections = sections(blocks, (block) => block.isHeading);
  const previewSections = sections(elements, isHeading);
  return sourceSections.flatMap((section, index) => {
    const candidates = previewSections[index] ?? [];
    return section.flatMap((block, at) => {
      const element = candidates[Math.floor((at * candidates.length) / section.length)];
      return element === undefined ? [] : [{ block, element }];
    });
  });
}

const fractionOf = (value: number, from: number, size: number): number =>
  size <= 0 ? 0 : Math.min(1, Math.max(0, (value - from) / size));

/** Keeps source and preview at the same block; the pane that was used last leads. */
export function syncScroll(
  view: EditorView,
  preview: HTMLElement,
  onSourceScroll: (listener: () => void) => () => void,
) {
  let leader: 'source' | 'preview' = 'source';
  let frame = 0;

  function pairs(): BlockPair[] {
    const body = preview.querySelector('[data-prose]');
    return body === null ? [] : pairBlocks(blocksOf(view.state), blocksIn(body));
  }
  const topOf = (element: HTMLElement) =>
    element.getBoundingClientRect().top - preview.getBoundingClientRect().top + preview.scrollTop;
  const extentOf = ({ from, to }: Block) => {
    const top = view.lineBlockAt(from).top;
    return { top, height: view.lineBlockAt(to).bottom - top };
  };

  function scrollPreview(): void {
    const { scrollTop } = view.scrollDOM;
    const at = view.lineBlockAtHeight(scrollTop).from;
    const found = pairs().findLast(({ block }) => block.from <= at);
    if (found === undefined || scrollTop < NEAR_TOP) {
      preview.scrollTo({ top: 0, behavior: 'instant' });
      return;
    }
    const { top, height } = extentOf(found.block);
    const target = topOf(found.element) + fractionOf(scrollTop, top, height) * found.element.offsetHeight;
    preview.scrollTo({ top: target, behavior: 'instant' });
  }

  function scrollSource(): void {
    const { scrollTop } = preview;
    const found = pairs().findLast(({ element }) => topOf(element) <= scrollTop);
    if (found === undefined || scrollTop < NEAR_TOP) {
      view.scrollDOM.scrollTo({ top: 0, behavior: 'instant' });
      return;
    }
    const { top, height } = extentOf(found.block);
    const part = fractionOf(scrollTop, topOf(found.element), found.element.offsetHeight);
    view.scrollDOM.scrollTo({ top: top + part * height, behavior: 'instant' });
  }

  const nextFrame = (side: typeof leader, run: () => void) => () => {
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
  preview.addEventListener('scroll', nextFrame('preview', scrollSource), { signal, passive: true });
  const stopListening = onSourceScroll(nextFrame('source', scrollPreview));
  scrollPreview();
  return () => {
    stop.abort();
    stopListening();
    cancelAnimationFrame(frame);
  };
}
