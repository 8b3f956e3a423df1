import type { Highlight } from '@mozhan/contract/highlights.ts';
import { colorNames } from './highlight-calls.ts';

const titleOf = ({ essay: { title } }: Highlight): string => title ?? '已不在架上的文章';

const quoteLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** Marks of Markdown at the start of a line would change the text around it. */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');

const toEntry = ({ quote, note, color, state, createdAt }: Highlight): string =>
  [
    quoteLines(escapeMarkdown(quote)),
    ...(note === '' ? [] : [escapeMarkdown(note)]),
    `*${colorNames[color]}，${createdAt.slice(0, 10)}${state === 'orphaned' ? '，原文已修改' : ''}*`,
  ].join('\n\n');

/** One section per essay, in the order of the list. */
export function toMarkdown(
  highlights: readonly Highlight[],
  urlOf: (highlight: Highlight) => string,
): string {
  const sections = new Map<string, Highlight[]>();
  for (const highlight of highlights) {
    const section = sections.get(highlight.essay.id);
    if (section === undefined) sections.set(highlight.essay.id, [highlight]);
    else section.push(highlight);
  }
  const texts = [...sections.values()].map((section) => {
    const [first] = section;
    if (first === undefined) return '';
    const title = escapeMarkdown(titleOf(first));
    const heading = first.essay.title === null ? title : `[${title}](${urlOf(first)})`;
    return [`## ${heading}`, ...section.map(toEntry)].join('\n\n');
  });
  return `${['# 我的划线与想法', ...texts].join('\n\n')}\n`;
}

export const toJson = (highlights: readonly Highlight[], urlOf: (highlight: Highlight) => string): string =>
  `${JSON.stringify(
    highlights.map((highlight) => ({
      essay: { ...highlight.essay, url: highlight.essay.title === null ? null : urlOf(highlight) },
      quote: highlight.quote,
      color: highlight.color,
      note: highlight.note,
      isPublic: highlight.thought !== null,
      state: highlight.state,
      createdAt: highlight.createdAt,
    })),
    null,
    2,
  )}\n`;
