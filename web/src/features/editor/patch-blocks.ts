/** The original HTML of each block; later changes, such as a drawn diagram, do not count as a difference. */
const sources = new WeakMap<Element, string>();

/** A layer for each block of a long text would make every frame slow, so blocks share one. */
const PART_BLOCKS = 40;

export const blocksIn = (body: Element): HTMLElement[] =>
  [...body.children].flatMap((part) => [...part.children] as HTMLElement[]);

/** Moves what is too much for the part into new parts after it, copies of the part without its blocks. */
function splitPart(part: Element): void {
  const blocks = [...part.children];
  if (blocks.length <= 2 * PART_BLOCKS) return;
  for (let from = blocks.length; from > PART_BLOCKS; from -= PART_BLOCKS) {
    const next = part.cloneNode(false) as Element;
    next.append(...blocks.slice(Math.max(PART_BLOCKS, from - PART_BLOCKS), from));
    part.after(next);
  }
}

/**
 * Replaces only changed blocks, so that updating a long text is cheap. The children of the body are parts, which contain
 * the blocks; the first one is never removed. Returns the new blocks.
 */
export function patchBlocks(body: Element, html: string): HTMLElement[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  const next = [...template.content.children] as HTMLElement[];
  const current = blocksIn(body);
  for (const block of next) sources.set(block, block.outerHTML);
  const isSame = (a: Element | undefined, b: Element | undefined) =>
    a !== undefined && b !== undefined && sources.get(a) === sources.get(b);

  let start = 0;
  while (isSame(current[start], next[start])) start += 1;
  let end = 0;
  const maxEnd = Math.min(current.length, next.length) - start;
  while (end < maxEnd && isSame(current[current.length - 1 - end], next[next.length - 1 - end])) end += 1;

  const added = next.slice(start, next.length - end);
  const previous = current[start - 1];
  const part = previous?.parentElement ?? body.firstElementChild;
  if (previous) previous.after(...added);
  else part?.prepend(...added);
  for (const old of current.slice(start, current.length - end)) old.remove();
  if (part) splitPart(part);
  for (const empty of [...body.children].slice(1)) if (empty.childElementCount === 0) empty.remove();
  return added;
}
