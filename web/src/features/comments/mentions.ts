export interface Mention {
  id: string;
  name: string;
}

interface MentionQuery {
  /** Index of the @. */
  start: number;
  keyword: string;
}

/** The name typed before the caret. An @ after a Latin letter or digit belongs to an e-mail address. */
export function findMentionQuery(text: string, caret: number): MentionQuery | null {
  const found = /(?:^|[^A-Za-z0-9._-])@([^\s@]{0,20})$/.exec(text.slice(0, caret));
  const keyword = found?.[1];
  return keyword === undefined ? null : { start: caret - keyword.length - 1, keyword };
}

const MAX_MENTIONS = 10;

/** Ids of the users whose names are still in the text, in text order; equal names are matched in selection order. */
export function findMentionedIds(text: string, picked: readonly Mention[]): string[] {
  const names = picked.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const unmatched = [...picked];
  const found: string[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const name = names.find((each) => text.startsWith(each, at + 1));
    const index = unmatched.findIndex((each) => each.name === name);
    if (index !== -1) found.push(...unmatched.splice(index, 1).map(({ id }) => id));
  }
  return found.slice(0, MAX_MENTIONS);
}

/** Parses the mention links of an existing comment. */
export function parseMentions(html: string): Mention[] {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
  return [...content.querySelectorAll<HTMLAnchorElement>('a.mention')].flatMap((link) => {
    const id = /\/([0-9a-f]{32})\.html$/.exec(link.getAttribute('href') ?? '')?.[1];
    return id === undefined ? [] : [{ id, name: link.textContent.slice(1) }];
  });
}
