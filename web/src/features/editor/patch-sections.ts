/** The original HTML of each block; later changes, such as a drawn diagram, do not count as a difference. */
const sources = new WeakMap<Element, string>();

/** Replaces only changed blocks of an element. Returns the new ones. */
function patchBlocks(part: Element, html: string): HTMLElement[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  const next = [...template.content.children] as HTMLElement[];
  const current = [...part.children];
  for (const block of next) sources.set(block, block.outerHTML);
  const isSame = (a: Element | undefined, b: Element | undefined) =>
    a !== undefined && b !== undefined && sources.get(a) === sources.get(b);

  let start = 0;
  while (isSame(current[start], next[start])) start += 1;
  let end = 0;
  const maxEnd = Math.min(current.length, next.length) - start;
  while (end < maxEnd && isSame(current.at(-1 - end), next.at(-1 - end))) end += 1;

  const added = next.slice(start, next.length - end);
  const previous = current[start - 1];
  if (previous) previous.after(...added);
  else part.prepend(...added);
  for (const old of current.slice(start, current.length - end)) old.remove();
  return added;
}

interface Section {
  id: string;
  html: string;
}

/** The children of the preview's body are parts, each with the blocks of one section. */
const sectionsOfParts = new WeakMap<Element, Section>();

export const blocksIn = (body: Element): HTMLElement[] =>
  [...body.children].flatMap((part) => [...part.children] as HTMLElement[]);

const sectionsIn = (body: Element): Section[] =>
  [...body.children].flatMap((part) => sectionsOfParts.get(part) ?? []);

export const sectionIdsIn = (body: Element): string[] => sectionsIn(body).map(({ id }) => id);

/**
 * Shows the sections of a text; those that the body has already come without HTML. Only changed blocks are replaced, and
 * only changed sections are parsed, so that updating a long text is cheap. Returns the new blocks.
 */
export function patchSections(
  body: Element,
  sections: readonly { id: string; html: string | null }[],
): HTMLElement[] {
  const parts = [...body.children];
  const known = new Map(sectionsIn(body).map(({ id, html }) => [id, html]));
  const isSame = (part: Element | undefined, section: { id: string } | undefined) =>
    part !== undefined && section !== undefined && sectionsOfParts.get(part)?.id === section.id;

  let start = 0;
  while (isSame(parts[start], sections[start])) start += 1;
  let end = 0;
  // The first part belongs to React and stays.
  const maxEnd = Math.min(parts.length, sections.length) - Math.max(start, 1);
  while (end < maxEnd && isSame(parts.at(-1 - end), sections.at(-1 - end))) end += 1;

  const old = parts.slice(start, parts.length - end);
  let last = parts[start - 1];
  const added = sections.slice(start, sections.length - end).flatMap(({ id, html }) => {
    let part = old.shift();
    if (part === undefined) {
      part = body.firstElementChild?.cloneNode(false) as Element;
      last?.after(part);
    }
    last = part;
    const text = html ?? known.get(id) ?? '';
    sectionsOfParts.set(part, { id, html: text });
    return patchBlocks(part, text);
  });
  for (const part of old) part.remove();
  return added;
}
