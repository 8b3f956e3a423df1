import { splitTags } from '@mozhan/contract/text-scan.ts';

const BLOCK = /^<\/?(?:h[1-6]|p|blockquote|pre|li|div|figcaption|summary|dt|dd|tr|td|th|caption|br)\b/;
const NAME = /^<\/?([a-z][a-z0-9]*)/i;
/** Formulas, diagrams and buttons. The browser leaves out the same elements (web/src/features/highlights/text-map.ts). */
const leftOutTags = ['button', 'math', 'svg'];
const leftOutClasses = ['math', 'diagram'];
const CLASS = /\sclass="([^"]{0,200})"/;

const isLeftOut = (name: string, tag: string): boolean =>
  leftOutTags.includes(name) ||
  (CLASS.exec(tag)?.[1] ?? '').split(' ').some((each) => leftOutClasses.includes(each));

const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi;
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decode(_: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? '';
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0x10_ffff ? '' : String.fromCodePoint(code);
}

/** Yields the text that a reader can select, with line breaks between blocks. */
function* visibleParts(html: string): Generator<string> {
  let leftOut: { name: string; depth: number } | null = null;
  for (const part of splitTags(html)) {
    if ('text' in part) {
      if (leftOut === null) yield part.text.replace(REFERENCE, decode);
      continue;
    }
    const { tag } = part;
    const name = NAME.exec(tag)?.[1] ?? '';
    if (leftOut !== null) {
      if (name === leftOut.name) leftOut.depth += tag.startsWith('</') ? -1 : 1;
      if (leftOut.depth === 0) leftOut = null;
    } else if (!tag.startsWith('</') && isLeftOut(name, tag)) leftOut = { name, depth: 1 };
    else if (BLOCK.test(tag)) yield '\n';
  }
}

/** The selectable text of rendered HTML. */
export const visibleText = (html: string): string => [...visibleParts(html)].join('');
