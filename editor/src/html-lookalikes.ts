import { allowedTags } from '@mozhan/contract/allowed-tags.ts';
import type { TextRange } from './prose-ranges.ts';
import type { TextHint } from './typography.ts';

/** Elements that a text may contain; others vanish when the text is rendered. */
const RENDERED = new Set(allowedTags);

const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>\n]*)?\/?>/g;
/** Longer types are not recognized as a whole. */
const MAX_TYPE_LENGTH = 200;

const isWordEnd = (letter: string): boolean => /\w/.test(letter);

/** A tag that is no HTML here, or the name of a type in capitals right after another name. */
const isLookalike = (name: string, letterBefore: string): boolean =>
  !RENDERED.has(name.toLowerCase()) || (/[A-Z]/.test(name) && isWordEnd(letterBefore));

const asCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** The end of the angle brackets that open at `open`, or -1. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < open + MAX_TYPE_LENGTH && at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\n') return -1;
    if (letter === '<') depth += 1;
    if (letter === '>') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** The outermost type such as `Map<String, List<T>>[]` that the bracket at `at` is a part of. */
function findType(text: string, at: number): TextRange | null {
  for (let open = Math.max(0, at - MAX_TYPE_LENGTH); open <= at; open += 1) {
    if (text[open] !== '<' || !isWordEnd(text[open - 1] ?? '')) continue;
    let to = closingBracket(text, open);
    if (to <= at || text.slice(open, at).includes('\n')) continue;
    let from = open;
    while (from > 0 && /[\w.]/.test(text[from - 1] ?? '')) from -= 1;
    while (text.startsWith('[]', to)) to += 2;
    return { from, to };
  }
  return null;
}

/** Text such as `List<String>` that would be taken for HTML and vanish. `html` are the places where HTML is found. */
export function findHtmlLookalikes(text: string, html: readonly TextRange[]): TextHint[] {
  const hints: TextHint[] = [];
  let end = 0;
  for (const { from, to } of html) {
    for (const match of text.slice(from, to).matchAll(TAG)) {
      const at = from + match.index;
      if (at < end || !isLookalike(match[2] ?? '', text[at - 1] ?? '')) continue;
      const type = findType(text, at);
      const start = type?.from ?? at;
      const whole = type === null ? match[0] : text.slice(type.from, type.to);
      if (start < end) continue;
      end = start + whole.length;
      hints.push({
        kind: 'html',
        from: start,
        to: end,
        insert: asCode(whole),
        message: `${match[0]} 会被当成 HTML，读者看不到它`,
      });
    }
  }
  return hints.sort((a, b) => a.from - b.from);
}
