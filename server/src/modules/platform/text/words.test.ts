import { expect, test } from 'vitest';
import { createRandom } from './draft-fixture.ts';
import { markdownToHtml } from './pipeline.ts';

type Random = (below: number) => number;

const TEXTS = 250;
const TAGS = [
  ...['details', 'summary', 'figure', 'figcaption', 'dl', 'dt', 'dd', 'ul', 'ol', 'li', 'div', 'section'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'p', 'h2', 'h4', 'blockquote', 'pre'],
  ...['b', 'em', 'del', 'ins', 'ruby', 'rt', 'rp', 'span', 'kbd', 'a', 'sup', 'code', 'q', 'small'],
];
const GAPS = ['', '\n', '\n\n', ' '];
/** Unclosed in one of twelve. */
const CLOSED = 12;

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T;

/** Tags nested at random, with numbered words between them. */
function nest(random: Random, depth: number, nextWord: () => string): string {
  if (depth === 0 || random(10) < 3) return nextWord();
  const tag = pick(TAGS, random);
  const inner = Array.from({ length: 1 + random(3) }, () => nest(random, depth - 1, nextWord));
  const gap = pick(GAPS, random);
  return `<${tag}>${gap}${inner.join(pick(GAPS, random))}${gap}${random(CLOSED) === 0 ? '' : `</${tag}>`}`;
}

const places: ((html: string) => string)[] = [
  (html) => html,
  (html) => html.replace(/^/gm, '> '),
  (html) => `- ${html.replaceAll('\n', '\n  ')}`,
  (html) => `| 甲 | 乙 |\n|--|--|\n| ${html.replace(/\n+/g, ' ')} | 丙 |`,
  (html) => `甲 ${html.replace(/\n+/g, ' ')} 乙`,
  (html) => `## ${html.replace(/\n+/g, ' ')}`,
];

test('every word is shown once, however the tags around it are nested', async () => {
  for (let seed = 1; seed <= TEXTS; seed += 1) {
    const random = createRandom(seed * 7919);
    const words: string[] = [];
    const nextWord = () => {
      words.push(`w${words.length}x`);
      return words.at(-1) ?? '';
    };
    const blocks = Array.from({ length: 1 + random(3) }, () =>
      pick(places, random)(nest(random, 4, nextWord)),
    );
    const markdown = blocks.join('\n\n');
    const { html } = await markdownToHtml(markdown);
    const shown = html.replace(/<[^>]*>/g, ' ').match(/w\d+x/g) ?? [];
    expect(shown.toSorted(), markdown).toEqual(words.toSorted());
  }
});
