import { EssayContent } from '@mozhan/admin/features/audit/essay-content.tsx';
import { Changes } from '@mozhan/admin/features/audit/sidebar.tsx';
import { type App, AppContext } from '@mozhan/admin/lib/app-context.ts';
import diffStyles from '@mozhan/admin/ui/line-diff.module.css';
import { LineDiff } from '@mozhan/admin/ui/line-diff.tsx';
import hiddenStyles from '@mozhan/admin/ui/visible-text.module.css';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaffWithRole } from '../../../testing/staff.ts';
import {
  hostileFormulas,
  hostileHtml,
  hostileInfoStrings,
  hostileMarkdown,
  hostileUrls,
} from '../../platform/text/attacks-fixture.ts';
import { parseHtml } from '../../platform/text/structure-fixture.ts';
import {
  type Element,
  elementsOf,
  hasClass,
  isElement,
  type Root,
  textOf,
} from '../../platform/text/tree.ts';

/** Checks that the diff shown to auditors is complete and cannot be forged by the text. */

const LABEL = '与已上架的差别';
const NAMED = '看不见的字符';
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const is = (node: Element, name: string | undefined) => name !== undefined && hasClass(node, name);

/** Returns the original characters of a line, with the labels of invisible characters converted back. */
function charactersOf(node: Element): string {
  const parts = node.children.map((child) => {
    if (child.type !== 'element') return textOf(child);
    if (!is(child, hiddenStyles.hidden)) return charactersOf(child);
    return textOf(child)
      .split(' ')
      .map((code) => String.fromCodePoint(Number.parseInt(code.slice('U+'.length), 16)))
      .join('');
  });
  return parts.join('');
}

/** The part of a line that is not marked as changed. */
const unmarkedOf = (line: Element) =>
  line.children
    .filter((child) => !(isElement(child) && is(child, diffStyles.word)))
    .map((child) => (isElement(child) ? charactersOf(child) : textOf(child)))
    .join('');

function sectionOf(tree: Root): Element {
  const [section, ...others] = elementsOf(tree).filter(({ properties }) => properties.ariaLabel === LABEL);
  if (section === undefined || others.length > 0) throw new Error('not one difference');
  return section;
}

/** Expects that the texts created no elements or attributes, and that nothing in them is invisible. */
function expectPlain(section: Element): void {
  const found = elementsOf(section);
  const others = found.filter(({ tagName, properties, children }) => {
    const { className: _, title = NAMED, ...more } = properties;
    const isLine = ['span', 'del', 'ins'].includes(tagName) && title === NAMED;
    return (
      !isLine || Object.keys(more).length > 0 || children.some(({ type }) => !/^(element|text)$/.test(type))
    );
  });
  expect(others).toEqual([]);
  expect(textOf(section)).not.toMatch(HIDDEN);
}

/** Expects all lines of both texts in order, and that omitted or unmarked text is equal in both. */
function expectHonest(section: Element, before: string, after: string): void {
  const sides: Record<'old' | 'new', string[]> = { old: [], new: [] };
  let removed: Element[] = [];
  for (const line of section.children) {
    if (!isElement(line)) throw new Error('text outside of a line');
    if (is(line, diffStyles.skipped)) {
      const count = Number(/^…… 相同的 (\d+) 行$/.exec(textOf(line))?.[1]);
      // The omitted lines come from the old text and are compared with the new text below.
      const same = before.split('\n').slice(sides.old.length, sides.old.length + count);
      sides.old.push(...same);
      sides.new.push(...same);
      removed = [];
    } else if (line.tagName === 'del') {
      sides.old.push(charactersOf(line));
      removed.push(line);
    } else if (line.tagName === 'ins') {
      sides.new.push(charactersOf(line));
      const partner = removed.shift();
      const hasMarks = line.children.some((child) => isElement(child) && is(child, diffStyles.word));
      if (hasMarks) expect(unmarkedOf(line)).toBe(partner && unmarkedOf(partner));
    } else {
      sides.old.push(charactersOf(line));
      sides.new.push(charactersOf(line));
      removed = [];
    }
  }
  expect(sides.old.join('\n')).toBe(before);
  expect(sides.new.join('\n')).toBe(after);
}

function expectSafe(before: string, after: string): Element {
  const html = renderToStaticMarkup(<LineDiff before={before} after={after} label={LABEL} />);
  const section = sectionOf(parseHtml(html));
  expectPlain(section);
  expectHonest(section, before, after);
  return section;
}

const CONTROLS = [
  ...['\0', '\x07', '\b', '\v', '\f', '\r', '\x1b', '\x7f', '\x85', '\u00ad', '\u034f', '\u061c'],
  ...['\u115f', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2028', '\u2029', '\u202a'],
  ...['\u202b', '\u202c', '\u202d', '\u202e', '\u2060', '\u2064', '\u2066', '\u2067', '\u2068', '\u2069'],
  ...['\u3164', '\ufe00', '\ufe0f', '\ufeff', '\uffa0', '\ufff9', '\u{e0001}', '\u{e0041}', '\u{e0100}'],
  ...['\ud800', '\udfff'],
];

/** Texts that imitate the markup of the diff or try to close its elements. */
const imitations = [
  '<ins>新的</ins>',
  '<del>旧的</del>',
  '</ins></del></span></section><script>alert(1)</script>',
  '</del><ins class="line new">这一行没有改</ins><del>',
  `<span class="${diffStyles.skipped}">…… 相同的 100 行</span>`,
  '…… 相同的 100 行',
  '+ 新的一行',
  '- 旧的一行',
  'U+200B',
  `<span class="${hiddenStyles.hidden}" title="看不见的字符">U+200B</span>`,
  '<!-- 从这里起',
  '到这里止 -->',
  '<textarea><title><style><plaintext>',
  '<![CDATA[ ]]> <?xml ?> <!doctype html>',
  '&lt;b&gt; &amp;amp; &#0; &#x202e; &zwj;',
  '{{constructor.constructor("alert(1)")()}} <%= alert(1) %>',
];

const attacks = [
  ...hostileUrls,
  ...hostileHtml,
  ...hostileFormulas,
  ...hostileInfoStrings,
  ...hostileMarkdown.map(([, markdown]) => markdown),
  ...imitations,
  ...CONTROLS.map((control) => `前${control}后`),
  `${'>'.repeat(2000)} 引用`,
  `${'- '.repeat(1000)}列表`,
  `${'['.repeat(2000)}链接${']()'.repeat(2000)}`,
  `${'*'.repeat(5000)}强调`,
  'a\u202e\u2066b\n'.repeat(50),
];

test.each(attacks.map((attack) => [attack.slice(0, 60), attack]))('shows %j unchanged', (_name, attack) => {
  const sentence = '一句很长的话写在这里，没有改动的部分';
  for (const [before, after] of [
    ['甲\n乙', `甲\n${attack}\n乙`],
    [`甲\n${attack}\n乙`, '甲\n乙'],
    ['甲\n本来的一句话\n乙', `甲\n${attack}\n乙`],
    [`甲\n${attack}\n乙`, '甲\n后来的一句话\n乙'],
    [sentence, sentence.replace('，', () => `，${attack.replaceAll('\n', ' ')}`)],
    [`${attack}\n旧的\n${attack}`, `${attack}\n新的\n${attack}`],
    [`${`${attack}\n`.repeat(7)}旧的`, `${`${attack}\n`.repeat(7)}新的`],
    [attack, `${attack}！`],
    ['', attack],
  ] as const)
    expectSafe(before, after);
});

test.each(CONTROLS)('shows a change that consists of %j only', (control) => {
  const code = `U+${control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const [before, after] of [
    ['没有改动的一句话', `没有改动${control}的一句话`],
    ['没有改动的一句话', `没有改动的一句话${control}`],
    ['', control],
    ['😀字', `😀字${control}`],
  ] as const) {
    const [removed, added] = expectSafe(before, after).children;
    expect(removed).toMatchObject({ tagName: 'del' });
    expect(added).toMatchObject({ tagName: 'ins' });
    expect([removed, added].map((line) => line && textOf(line).includes(code))).toEqual([false, true]);
  }
});

test('does not split emoji', () => {
  for (const emoji of ['❤️', '👩‍💻', '👨‍👩‍👧‍👦', '👍🏽', '🏳️‍🌈', '1️⃣', '🇨🇳', '☺']) {
    const html = renderToStaticMarkup(<LineDiff before="" after={`甲${emoji}乙`} label={LABEL} />);
    expect(html).toContain(`甲${emoji}乙`);
  }
});

test('shows texts of the maximum length completely', () => {
  const lines = (mark: string, count = 10_000) =>
    Array.from({ length: count }, (_, line) => `${mark} ${line} <b>`);
  // Fewer lines, because each is an element of the page.
  expectSafe(lines('旧', 2000).join('\n'), lines('新', 2000).join('\n'));
  expectSafe('<'.repeat(200_000), '>'.repeat(200_000));
  const [old, fresh] = [lines('同'), lines('同')];
  fresh[5000] = '藏在中间的一行';
  const section = expectSafe(old.join('\n'), fresh.join('\n'));
  expect(section.children.map((line) => textOf(line))).toEqual([
    '…… 相同的 4998 行',
    '同 4998 <b>',
    '同 4999 <b>',
    '同 5000 <b>',
    '藏在中间的一行',
    '同 5001 <b>',
    '同 5002 <b>',
    '…… 相同的 4997 行',
  ]);
});

describe('from the author to the auditor', () => {
  let t: TestApp;
  let author: TestUser;
  let auditor: string;
  beforeAll(async () => {
    t = await startTestApp();
    author = await createWriter(t);
    auditor = (await createStaffWithRole(t, 'auditor')).token;
  });
  afterAll(() => t.close());

  /** Publishes an essay, submits a revision and opens it for the audit. */
  async function audit(before: Partial<EssayFields>, after: Partial<EssayFields>) {
    const id = await publishEssay(t, author, before);
    const saved = await t.call(
      'PUT core/essay/',
      { id, version: 1, ...after, status: 1 },
      { token: author.token },
    );
    expect(saved.errorMessage).toBeUndefined();
    const { data } = await t.call('GET core/sys/essay/audit', { id }, { token: auditor });
    return data;
  }
  type AuditEssay = Awaited<ReturnType<typeof audit>>;

  const paperOf = (essay: AuditEssay) =>
    parseHtml(
      renderToStaticMarkup(
        <AppContext value={{ basePath: '/blog' } as App}>
          <EssayContent essay={essay} />
        </AppContext>,
      ),
    );

  const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
  const texts = [...hostileUrls, ...hostileHtml, ...hostileInfoStrings, ...imitations, ...CONTROLS];
  const [some = '', others = ''] = [0, 1].map((half) =>
    texts.filter((text, index) => index % 2 === half && isStorable(text)).join('\n\n'),
  );

  test.each([
    ['that replace words', '原来的一段话。', some],
    ['that are replaced', some, '后来的一段话。'],
    ['that replace each other', some, others],
  ])('keeps attacks %s unchanged', async (_what, before, after) => {
    const essay = await audit({ content: before }, { content: after });
    expect(essay.publishedContent).toBe(before);
    expect(essay.content).toBe(after);
    const section = sectionOf(paperOf(essay));
    expectPlain(section);
    expectHonest(section, before, after);
  });

  test.each([
    ['a NUL', 'a\0b'],
    ['half a character', 'a\ud800b'],
    ['one character too many', '字'.repeat(200_001)],
  ])('rejects a text with %s', async (_what, content) => {
    const id = await publishEssay(t, author);
    const saved = await t.call('PUT core/essay/', { id, version: 1, content }, { token: author.token });
    expect(saved).toMatchObject({ status: 422, errorCode: 'INVALID' });
  });

  test('lists changes of other fields as plain text', async () => {
    const attack = '<img src=x onerror=alert(1)>\u202e</del><ins>';
    const essay = await audit({ title: '旧的标题', summary: attack }, { title: attack, summary: '新的摘要' });
    expect(essay.changes).toEqual([
      { field: '标题', before: '旧的标题', after: attack },
      { field: '摘要', before: attack, after: '新的摘要' },
    ]);
    const tree = parseHtml(renderToStaticMarkup(<Changes changes={essay.changes} />));
    const words = elementsOf(tree).filter(({ tagName }) => ['del', 'ins'].includes(tagName));
    expect(words.map(charactersOf)).toEqual(['旧的标题', attack, attack, '新的摘要']);
    for (const node of words) expect(textOf(node)).not.toMatch(HIDDEN);
    expect(new Set(elementsOf(tree).map(({ tagName }) => tagName))).toEqual(
      new Set(['dl', 'div', 'dt', 'dd', 'del', 'ins', 'span']),
    );
    const paper = elementsOf(paperOf(essay));
    expect(paper.filter(({ tagName }) => ['img', 'script', 'ins', 'del'].includes(tagName))).toEqual([]);
    expect(paper.filter(({ tagName }) => tagName === 'h2').map(textOf)).toEqual([attack]);
  });

  test('reports an attachment that is replaced by one of the same name and size', async () => {
    const attach = async (content: string) => {
      const form = new FormData();
      form.append('file', new Blob([content]), '讲义.txt');
      const request = new Request('http://x', { method: 'POST', body: form });
      const { headers } = request;
      const response = await t.app.server.inject({
        method: 'POST',
        url: '/api/core/minio/upload?kind=attachment',
        headers: { token: author.token, 'content-type': headers.get('content-type') ?? '' },
        payload: Buffer.from(await request.arrayBuffer()),
      });
      return response.json().data.id as string;
    };
    const before = { attachments: [await attach('第一份')] };
    const { changes } = await audit(before, { attachments: [await attach('第二份')] });
    expect(changes).toEqual([{ field: '附件', before: '讲义.txt（9 字节）', after: '讲义.txt（9 字节）' }]);
  });
});
