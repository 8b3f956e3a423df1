/** The original HTML of each block; later changes, such as a drawn diagram, do not count as a difference. */
const sources = new WeakMap<Element, string>();

/** Replaces only changed blocks, so that updating a long text is cheap. Returns the new blocks. */
export function patchBlocks(target: Element, html: string): Element[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  const next = [...template.content.children];
  const current = [...target.children];
  for (const block of next) sources.set(block, block.outerHTML);
  const isSame = (a: Element | undefined, b: Element | undefined) =>
    a !== undefined && b !== undefined && sources.get(a) === sources.get(b);

  let start = 0;
  while (isSame(current[start], next[start])) start += 1;
  let end = 0;
  const maxEnd = Math.min(current.length, next.length) - start;
  while (end < maxEnd && isSame(current[current.length - 1 - end], next[next.length - 1 - end])) end += 1;

  const rest = current[current.length - end] ?? null;
  for (const old of current.slice(start, current.length - end)) old.remove();
  const added = next.slice(start, next.length - end);
  for (const block of added) target.insertBefore(block, rest);
  return added;
}
