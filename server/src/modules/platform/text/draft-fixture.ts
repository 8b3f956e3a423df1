import { expect } from 'vitest';
import { draftToHtml } from './draft.ts';
import { essayToHtml } from './pipeline.ts';

export const draftOptions = { pictures: {}, siteUrl: 'https://own.example' };

const kinds: ((at: number) => string)[] = [
  (at) => `第 ${at} 段，**强调**、\`code\` 与 $x_${at}$。${'文字不少，'.repeat(20)}`,
  (at) => `## 第 ${at % 7} 节`,
  () => '小结\n---',
  (at) => `\`\`\`sh\n# 注释 ${at}\n\n## 不是标题\n\`\`\``,
  () => '~~~\n```\n\n# 仍是代码\n~~~',
  (at) => `- 一\n- 二 ${at}\n\n  里面的一段\n\n  \`\`\`\n  # 里面的代码\n  \`\`\`\n- 三`,
  () => '1. 一\n2. 二\n   - 里层',
  () => '> 引文\n> > 里层\n>\n> - 列表',
  () => '> [!NOTE] 题\n> 提示的话',
  (at) => `| 甲 | 乙 |\n|--|:-:|\n| ${at} | 2 |`,
  () => '$$\n\\sum_{k=1}^{n} k\n\n$$',
  () => '***',
  () => '    缩进的代码\n\n    # 也是代码',
  () => '![图](/files/ab/c.webp "题")',
  () => '行内的 <kbd>Ctrl</kbd> 与 <b>没有结束',
  () => '[链接](https://other.example) 与 [自己](https://own.example/a)',
];

/** Pieces whose insertion changes the meaning of what follows, or of the entire text. */
const insertions = [
  ...['字', '\n', '\n\n', '```\n', '\n```\n', '~~~', '# 顶层的标题\n\n', '$$\n', '- ', '> ', '    ', '***\n'],
  ...[
    '\n\n# 题\n\n',
    '\n\n<details>\n\n',
    '\n\n</details>\n\n',
    '\n\n[链接]: /x\n\n',
    '[^1]',
    '\n\n[^1]: 注\n\n',
  ],
  ...['<h1>', '`', '===\n', '|--|\n'],
];

export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}

export const createText = (random: (below: number) => number, blocks: number): string =>
  Array.from({ length: blocks }, (_, at) => kinds[random(kinds.length)]?.(at) ?? '').join('\n\n');

function edit(text: string, random: (below: number) => number): string {
  const at = random(text.length);
  const removed = random(3) === 0 ? random(60) : 0;
  const inserted = random(3) === 0 ? '' : (insertions[random(insertions.length)] ?? '');
  return text.slice(0, at) + inserted + text.slice(at + removed);
}

/** Ids of equal headings are numbered in another order, and each section loads its first picture eagerly. */
const comparable = (html: string): string =>
  html.replace(/ (?:id="h-|href="#h-)[^"]*"/g, '').replace(/ (?:loading|fetchpriority)="[^"]*"/g, '');

export async function expectSameAsWhole(text: string): Promise<void> {
  const { sections, toc, summary, wordCount, readMinutes } = await draftToHtml(text, draftOptions);
  const html = sections.map((section) => section.html).join('');
  const whole = await essayToHtml(text, { ...draftOptions, previewPercent: null });
  expect(comparable(html)).toBe(comparable(whole.html));
  expect(toc.map((entry) => [entry.text, entry.level])).toEqual(
    whole.toc.map((entry) => [entry.text, entry.level]),
  );
  expect([summary, wordCount, readMinutes]).toEqual([whole.summary, whole.wordCount, whole.readMinutes]);
  const ids = [...html.matchAll(/<h[1-6] id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
}

/** Changes a long draft at random; now and then the writer takes a change back. */
export async function expectSameAfterChanges(seed: number, changes: number): Promise<void> {
  const random = createRandom(seed);
  let text = createText(random, 320);
  for (let step = 0; step < changes; step++) {
    await expectSameAsWhole(text);
    const changed = edit(text, random);
    if (random(2) === 0) text = changed;
    else await expectSameAsWhole(changed);
  }
}
