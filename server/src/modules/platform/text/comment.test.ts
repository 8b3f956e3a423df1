import { expect, test } from 'vitest';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { commentToHtml } from './comment.ts';
import { renderComment, renderMarkdown } from './index.ts';
import { parseHtml, writeHtml } from './structure-fixture.ts';
import { elementsOf } from './tree.ts';

const html = (markdown: string) => commentToHtml(markdown, []).html;

test('makes absolute URLs of this site relative', async () => {
  const site = 'https://site.example/blog';
  const comment = (markdown: string) => commentToHtml(markdown, [], site).html;
  expect(comment(`[甲](${site}/a) [乙](${site})`)).toBe('<p><a href="/a">甲</a> <a href="/">乙</a></p>');
  for (const foreign of [`${site}//evil.example/a`, `${site}er/a`, 'https://site.example/other'])
    expect(comment(`[丙](${foreign})`)).toContain(`href="${foreign}" rel="nofollow ugc noopener"`);
  const page = await renderMarkdown(SYSTEM_CALLER, `![图](${site}/files/a.webp) [甲](${site}/a)`, {
    siteUrl: site,
  });
  expect(page.html).toContain('src="/files/a.webp"');
  expect(page.html).not.toContain('nofollow');
});

test('renders the supported Markdown', () => {
  expect(html('**粗** *斜* ~~删~~ `码`')).toBe(
    '<p><strong>粗</strong> <em>斜</em> <del>删</del> <code>码</code></p>',
  );
  expect(html('一\n二\\\n三  \n四\n\n五')).toBe('<p>一<br>\n二<br>\n三<br>\n四</p>\n<p>五</p>');
  expect(html('> 引\n> 用')).toBe('<blockquote>\n<p>引<br>\n用</p>\n</blockquote>');
  expect(html('- 甲\n- 乙')).toBe('<ul>\n<li>甲</li>\n<li>乙</li>\n</ul>');
  expect(html('3. 甲')).toBe('<ol start="3">\n<li>甲</li>\n</ol>');
  expect(html('```ts title="x"\na < b\nc\n```')).toBe(
    '<pre tabindex="0"><code class="language-ts">a &#x3C; b\nc\n</code></pre>',
  );
  expect(html('[站内](/a) https://x.example')).toBe(
    '<p><a href="/a">站内</a> <a href="https://x.example" rel="nofollow ugc noopener">https://x.example</a></p>',
  );
});

test('shows unsupported Markdown as typed, and pictures as links', () => {
  expect(html('# 标题')).toBe('<p># 标题</p>');
  expect(html('标题\n===\n\n---')).toBe('<p>标题<br>\n===</p>\n<p>---</p>');
  expect(html('| a |\n|---|\n| b |')).toBe('<p>| a |<br>\n|---|<br>\n| b |</p>');
  expect(html('<b>x</b>')).toBe('<p>&#x3C;b>x&#x3C;/b></p>');
  expect(html('<div>\n\nx')).toBe('<p>&#x3C;div></p>\n<p>x</p>');
  expect(html('$x^2$ 注[^1]\n\n[^1]: 脚')).toBe('<p>$x^2$ 注[^1]</p>\n<p>[^1]: 脚</p>');
  expect(html('- [ ] 事')).toBe('<ul>\n<li>[ ] 事</li>\n</ul>');
  expect(html('![图](/files/a.png) ![](https://x.example/a.png)')).toBe(
    '<p><a href="/files/a.png">图</a> <a href="https://x.example/a.png" rel="nofollow ugc noopener">https://x.example/a.png</a></p>',
  );
});

test('links users named after an @', () => {
  const users = [
    { id: 'a', displayName: '林' },
    { id: 'b', displayName: '林砚' },
    { id: 'c', displayName: '林砚' },
    { id: 'd', displayName: '不在' },
    { id: 'e', displayName: '<b>"&' },
  ];
  const link = (id: string, name: string) => `<a href="/user/home/${id}.html" class="mention">@${name}</a>`;
  const {
    html,
    mentionedIds: mentioned,
    text,
  } = commentToHtml('@林砚 @林 @林砚 @林砚 林 `@林` [@林](/x) **@林** @<b>"&', users);
  expect(html).toBe(
    `<p>${link('b', '林砚')} ${link('a', '林')} ${link('c', '林砚')} ${link('c', '林砚')} 林 <code>@林</code> ` +
      `<a href="/x">@林</a> <strong>${link('a', '林')}</strong> ${link('e', '&#x3C;b>"&#x26;')}</p>`,
  );
  expect(mentioned).toEqual(['a', 'b', 'c', 'e']);
  expect(text).toBe('@林砚 @林 @林砚 @林砚 林 @林 @林 @<b>"&');
});

const TAGS = ['p', 'blockquote', 'pre', 'ul', 'ol', 'li', 'a', 'em', 'strong', 'del', 'code', 'br', 'span'];
const ATTRIBUTES = ['href', 'title', 'rel', 'className', 'start', 'tabIndex'];
const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<p style="position:fixed;inset:0" id=cookie>x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x) <javascript:alert(1)>',
  '[x](/a "\\" onmouseover=\\"alert(1)")',
  '![x](javascript:alert(1) "t")',
  '![<img src=x onerror=alert(1)>](/x)',
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  '[a [b](/b) https://x.example](/c)',
  '\0 a\0b &#0; \ud800 x\u202ey [x\u2067](/a\u202e)',
  '[x](/\\evil.example) [y](//evil.example)',
];

test.each(attacks)('renders %j safely', (attack) => {
  for (const markdown of [
    attack,
    `文字 ${attack} 文字`,
    `> ${attack}`,
    `- ${attack}`,
    `**${attack}** \`${attack}\``,
  ]) {
    const { html } = commentToHtml(markdown, [{ id: 'a', displayName: attack }]);
    const tree = parseHtml(html);
    for (const { tagName, properties } of elementsOf(tree)) {
      expect(TAGS).toContain(tagName);
      for (const name of Object.keys(properties)) expect(ATTRIBUTES).toContain(name);
      if (properties.href === undefined) continue;
      const { protocol, host } = URL.parse(String(properties.href), 'https://here.invalid') ?? {};
      expect(['https:', 'http:', 'mailto:']).toContain(protocol ?? 'https:');
      if (host && host !== 'here.invalid') expect(properties.rel).toEqual(['nofollow', 'ugc', 'noopener']);
    }
    expect(writeHtml(parseHtml(writeHtml(tree)))).toBe(writeHtml(tree));
    expect(html).not.toMatch(/\0|[\u202a-\u202e\u2066-\u2069]/);
  }
});

test('rejects deeply nested Markdown, and then renders the next comment', async () => {
  for (const markdown of [
    '> - '.repeat(500),
    '- '.repeat(1000),
    '>'.repeat(2000),
    '好\n\n > 1. '.repeat(1) + '> 1. '.repeat(400),
  ])
    await expect(renderComment(SYSTEM_CALLER, markdown, [])).rejects.toMatchObject({ code: 'INVALID' });
  const lines = `${'-'.repeat(40)}\n${'*'.repeat(40)}\n> > > > > > 引`;
  expect((await renderComment(SYSTEM_CALLER, lines, [])).text).toContain('引');
});
