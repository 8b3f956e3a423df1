/**
 * Reads text in one pass where a regular expression would start anew at every character: what people send may be
 * long, and made so that an expression takes quadratic time.
 */

/** Without the characters of `set` at its end. */
export function trimEnd(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** What stands before the first `mark`: all of it where there is none. */
export function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

/** Where a mark comes next. Asked further on each time, it reads the text once for each mark. */
export function createFinder(text: string): (mark: string, from: number) => number {
  const found: Record<string, number> = {};
  return (mark, from) => {
    let at = found[mark] ?? -1;
    if (at < from) {
      at = text.indexOf(mark, from);
      if (at < 0) at = Number.POSITIVE_INFINITY;
      found[mark] = at;
    }
    return at;
  };
}

const NAME_START = /^[a-z]$/i;

const startsTag = (html: string, at: number): boolean =>
  NAME_START.test(html.charAt(html[at + 1] === '/' ? at + 2 : at + 1));

/** Behind the `>` that ends the tag at `from`, quoted values passed over; -1 when a quote or the tag stays open. */
function tagEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const letter = html[at];
    if (letter === '>') return at + 1;
    if (letter === '"' || letter === "'") {
      at = html.indexOf(letter, at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** As browsers read it: one that is never closed goes to the end. */
export const COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g;

/** The tags and the text between them, comments included, in order; together they are the whole. */
export function* splitTags(html: string): Generator<{ tag: string } | { text: string }> {
  let done = 0;
  // After one quote that is never closed, quotes mean nothing: otherwise every later tag could be read to the end.
  let hasQuotes = true;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      COMMENT.lastIndex = at;
      COMMENT.test(html);
      at = COMMENT.lastIndex;
      continue;
    }
    if (!startsTag(html, at)) {
      at += 1;
      continue;
    }
    let end = hasQuotes ? tagEnd(html, at) : html.indexOf('>', at) + 1;
    if (end < 0) {
      hasQuotes = false;
      end = html.indexOf('>', at) + 1;
    }
    if (end === 0) break;
    if (at > done) yield { text: html.slice(done, at) };
    yield { tag: html.slice(at, end) };
    done = end;
    at = end;
  }
  if (done < html.length) yield { text: html.slice(done) };
}

/** Replaces each tag, `<…>` and all. */
export function replaceTags(html: string, replace: (tag: string) => string): string {
  let replaced = '';
  for (const part of splitTags(html)) replaced += 'tag' in part ? replace(part.tag) : part.text;
  return replaced;
}

interface Sections {
  /** What begins a section; with the flag `g`. */
  open: RegExp;
  /** What ends it; with the flag `g`. Sections with the same name end alike. */
  close: (opened: RegExpExecArray) => { name: string; pattern: RegExp };
  /** Given what opened it, and what stands between. */
  replace: (opened: RegExpExecArray, inside: string) => string;
  /** What is never closed: text like any other, or a section up to the end. */
  unclosed?: 'text' | 'section';
}

/** Replaces every section from what opens it to what closes it next. */
export function replaceSections(text: string, { open, close, replace, unclosed = 'text' }: Sections): string {
  const neverClosed = new Set<string>();
  let replaced = '';
  let done = 0;
  for (open.lastIndex = 0; ; ) {
    const opened = open.exec(text);
    if (opened === null) break;
    const begin = open.lastIndex;
    const { name, pattern } = close(opened);
    if (neverClosed.has(name)) continue;
    pattern.lastIndex = begin;
    const closed = pattern.exec(text);
    if (closed === null && unclosed === 'text') {
      neverClosed.add(name);
      continue;
    }
    replaced += text.slice(done, opened.index) + replace(opened, text.slice(begin, closed?.index));
    done = closed === null ? text.length : pattern.lastIndex;
    open.lastIndex = done;
  }
  return replaced + text.slice(done);
}
