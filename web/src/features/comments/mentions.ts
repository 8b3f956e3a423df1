/** Somebody chosen from the list under the text. */
export interface Picked {
  id: string;
  name: string;
}

interface Asked {
  /** Where the @ stands. */
  start: number;
  keyword: string;
}

/** The name that is being typed before the caret. What follows a Latin letter is an address, not a name. */
export function mentionAt(text: string, caret: number): Asked | null {
  const found = /(?:^|[^A-Za-z0-9._-])@([^\s@]{0,20})$/.exec(text.slice(0, caret));
  const keyword = found?.[1];
  return keyword === undefined ? null : { start: caret - keyword.length - 1, keyword };
}

const MOST = 10;

/** The ids of those whose names still stand in the text, in the order of their names; of equal names, as chosen. */
export function mentionsIn(text: string, picked: readonly Picked[]): string[] {
  const names = picked.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const waiting = [...picked];
  const found: string[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const name = names.find((each) => text.startsWith(each, at + 1));
    const index = waiting.findIndex((each) => each.name === name);
    if (index !== -1) found.push(...waiting.splice(index, 1).map(({ id }) => id));
  }
  return found.slice(0, MOST);
}

/** Those a comment names already: the links in it. */
export function mentionsOf(html: string): Picked[] {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
  return [...content.querySelectorAll<HTMLAnchorElement>('a.mention')].flatMap((link) => {
    const id = /\/([0-9a-f]{32})\.html$/.exec(link.getAttribute('href') ?? '')?.[1];
    return id === undefined ? [] : [{ id, name: link.textContent.slice(1) }];
  });
}
