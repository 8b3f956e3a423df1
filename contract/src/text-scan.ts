/**
 * Linear-time text scanning for user input, on which an attacker could make a regular expression take quadratic
 * time.
 */

/** Removes trailing characters that are in `set`. */
export function trimEnd(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Returns the text before the first `mark`, or all of it when there is none. */
export function textBefore(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

/** Like `indexOf`, but reads the text only once per mark when `from` never decreases; Infinity when not found. */
export function createForwardFinder(text: string): (mark: string, from: number) => number {
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

/** Index after the `>` that ends the tag, skipping quoted values; -1 when a quote or the tag is not closed. */
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

/** As in browsers, an unclosed comment extends to the end of the text. */
export const HTML_COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g;

/** Yields the tags and the text between them (including comments); joined, they equal the input. */
export function* splitTags(html: string): Generator<{ tag: string } | { text: string }> {
  let done = 0;
  // After an unclosed quote, quotes are ignored: otherwise each later tag could be scanned to the end.
  let hasQuotes = true;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      HTML_COMMENT.lastIndex = at;
      HTML_COMMENT.test(html);
      at = HTML_COMMENT.lastIndex;
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

export function replaceTags(html: string, replace: (tag: string) => string): string {
  let replaced = '';
  for (const part of splitTags(html)) replaced += 'tag' in part ? replace(part.tag) : part.text;
  return replaced;
}

interface SectionOptions {
  /** Start of a section; needs the flag `g`. */
  open: RegExp;
  /** Returns the end pattern, which needs the flag `g`. Sections of the same name must have the same pattern. */
  close: (opened: RegExpExecArray) => { name: string; pattern: RegExp };
  replace: (opened: RegExpExecArray, inside: string) => string;
  /** Whether an unclosed section is plain text (default) or extends to the end. */
  unclosed?: 'text' | 'section';
}

export function replaceSections(
  text: string,
  { open, close, replace, unclosed = 'text' }: SectionOptions,
): string {
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

/** How many characters two texts have in common at their beginnings, and at their ends after that. */
export function commonEnds(a: string, b: string): { prefix: number; suffix: number } {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix += 1;
  let suffix = 0;
  while (
    suffix < shorter - prefix &&
    a.charCodeAt(a.length - 1 - suffix) === b.charCodeAt(b.length - 1 - suffix)
  )
    suffix += 1;
  return { prefix, suffix };
}
