/** What each block was made from; what happens to it afterwards, such as a diagram being drawn, is no change of it. */
const sources = new WeakMap<Element, string>();

/** Puts a newly laid out text in place of the old one; blocks that are the same stay, so that a long text is cheap. Gives those that are new. */
export function patchBlocks(target: Element, html: string): Element[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  const next = [...template.content.children];
  const now = [...target.children];
  for (const block of next) sources.set(block, block.outerHTML);
  const isSame = (one: Element | undefined, other: Element | undefined) =>
    one !== undefined && other !== undefined && sources.get(one) === sources.get(other);

  let start = 0;
  while (isSame(now[start], next[start])) start += 1;
  let end = 0;
  const most = Math.min(now.length, next.length) - start;
  while (end < most && isSame(now[now.length - 1 - end], next[next.length - 1 - end])) end += 1;

  const rest = now[now.length - end] ?? null;
  for (const old of now.slice(start, now.length - end)) old.remove();
  const fresh = next.slice(start, next.length - end);
  for (const block of fresh) target.insertBefore(block, rest);
  return fresh;
}
