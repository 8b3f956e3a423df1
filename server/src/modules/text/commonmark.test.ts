import { tests } from 'commonmark-spec';
import { expect, test } from 'vitest';
import { layOut } from './pipeline.ts';
import { normaliseExpected, normaliseOurs } from './structure-fixture.ts';

/** Examples of CommonMark whose output our rules do not allow, or that GitHub's rules read in another way. */
const exceptions: [reason: string, numbers: number[]][] = [
  ['the tag is not on the list', [150, 163, 201, 491, 524, 536, 613, 614, 615, 617]],
  ['scripts, styles and fields are dropped', [170, 171, 172, 173, 176, 178]],
  ['comments, declarations and instructions are dropped', [177, 179, 180, 182, 183, 308, 309]],
  ['the same inside a paragraph', [625, 626, 627, 628, 629]],
  [
    'a tag acts within its own sentence, and what is left open ends there',
    [148, 187, 344, 476, 477, 494, 616, 630, 631, 642, 643],
  ],
  ['the protocol is not on the list, or what could be one', [500, 596, 598, 599, 601]],
  ['GitHub makes links of bare addresses', [602, 606, 608, 611, 612]],
];

async function differs(markdown: string, html: string): Promise<boolean> {
  const ours = (await layOut(markdown.replaceAll('→', '\t'))).html;
  return normaliseOurs(ours) !== normaliseExpected(html.replaceAll('→', '\t'));
}

test('every example of CommonMark has its structure, but for those that we name', async () => {
  expect(tests).toHaveLength(652);
  const different: number[] = [];
  for (const { markdown, html, number } of tests) if (await differs(markdown, html)) different.push(number);
  expect(different).toEqual(exceptions.flatMap(([, numbers]) => numbers).sort((a, b) => a - b));
});

/** The examples of GitHub's own additions, by their numbers in its specification. */
const github: [number: number, markdown: string, html: string][] = [
  [
    198,
    '| foo | bar |\n| --- | --- |\n| baz | bim |\n',
    '<table><thead><tr><th>foo</th><th>bar</th></tr></thead><tbody><tr><td>baz</td><td>bim</td></tr></tbody></table>',
  ],
  [
    199,
    '| abc | defghi |\n:-: | -----------:\nbar | baz\n',
    '<table><thead><tr><th align="center">abc</th><th align="right">defghi</th></tr></thead><tbody><tr><td align="center">bar</td><td align="right">baz</td></tr></tbody></table>',
  ],
  [
    200,
    '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |\n',
    '<table><thead><tr><th>f|oo</th></tr></thead><tbody><tr><td>b <code>|</code> az</td></tr><tr><td>b <strong>|</strong> im</td></tr></tbody></table>',
  ],
  [
    201,
    '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n',
    '<table><thead><tr><th>abc</th><th>def</th></tr></thead><tbody><tr><td>bar</td><td>baz</td></tr></tbody></table><blockquote><p>bar</p></blockquote>',
  ],
  [
    202,
    '| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar\n',
    '<table><thead><tr><th>abc</th><th>def</th></tr></thead><tbody><tr><td>bar</td><td>baz</td></tr><tr><td>bar</td><td></td></tr></tbody></table><p>bar</p>',
  ],
  [203, '| abc | def |\n| --- |\n| bar |\n', '<p>| abc | def |\n| --- |\n| bar |</p>'],
  [
    204,
    '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |\n',
    '<table><thead><tr><th>abc</th><th>def</th></tr></thead><tbody><tr><td>bar</td><td></td></tr><tr><td>bar</td><td>baz</td></tr></tbody></table>',
  ],
  [205, '| abc | def |\n| --- | --- |\n', '<table><thead><tr><th>abc</th><th>def</th></tr></thead></table>'],
  [
    279,
    '- [ ] foo\n- [x] bar\n',
    '<ul><li><input disabled="" type="checkbox"> foo</li><li><input checked="" disabled="" type="checkbox"> bar</li></ul>',
  ],
  [
    280,
    '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim\n',
    '<ul><li><input checked="" disabled="" type="checkbox"> foo\n<ul><li><input disabled="" type="checkbox"> bar</li><li><input checked="" disabled="" type="checkbox"> baz</li></ul></li><li><input disabled="" type="checkbox"> bim</li></ul>',
  ],
  [491, '~~Hi~~ Hello, ~there~ world!\n', '<p><del>Hi</del> Hello, <del>there</del> world!</p>'],
  [492, 'This ~~has a\n\nnew paragraph~~.\n', '<p>This ~~has a</p><p>new paragraph~~.</p>'],
  [493, 'This will ~~~not~~~ strike.\n', '<p>This will ~~~not~~~ strike.</p>'],
  [622, 'www.commonmark.org\n', '<p><a href="http://www.commonmark.org">www.commonmark.org</a></p>'],
  [
    623,
    'Visit www.commonmark.org/help for more information.\n',
    '<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a> for more information.</p>',
  ],
  [
    624,
    'Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.\n',
    '<p>Visit <a href="http://www.commonmark.org">www.commonmark.org</a>.</p><p>Visit <a href="http://www.commonmark.org/a.b">www.commonmark.org/a.b</a>.</p>',
  ],
  [
    625,
    'www.google.com/search?q=Markup+(business)\n\nwww.google.com/search?q=Markup+(business)))\n\n(www.google.com/search?q=Markup+(business))\n\n(www.google.com/search?q=Markup+(business)\n',
    '<p><a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a></p><p><a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>))</p><p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>)</p><p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a></p>',
  ],
  [
    626,
    'www.google.com/search?q=(business))+ok\n',
    '<p><a href="http://www.google.com/search?q=(business))+ok">www.google.com/search?q=(business))+ok</a></p>',
  ],
  [
    627,
    'www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;\n',
    '<p><a href="http://www.google.com/search?q=commonmark&amp;hl=en">www.google.com/search?q=commonmark&amp;hl=en</a></p><p><a href="http://www.google.com/search?q=commonmark">www.google.com/search?q=commonmark</a>&amp;hl;</p>',
  ],
  [
    628,
    'www.commonmark.org/he<lp\n',
    '<p><a href="http://www.commonmark.org/he">www.commonmark.org/he</a>&lt;lp</p>',
  ],
  [
    629,
    'http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))\n',
    '<p><a href="http://commonmark.org">http://commonmark.org</a></p><p>(Visit <a href="https://encrypted.google.com/search?q=Markup+(business)">https://encrypted.google.com/search?q=Markup+(business)</a>)</p>',
  ],
  [630, 'foo@bar.baz\n', '<p><a href="mailto:foo@bar.baz">foo@bar.baz</a></p>'],
  [
    631,
    "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.\n",
    '<p>hello@mail+xyz.example isn\'t valid, but <a href="mailto:hello+xyz@mail.example">hello+xyz@mail.example</a> is.</p>',
  ],
  [
    632,
    'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_\n',
    '<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a></p><p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a>.</p><p>a.b-c_d@a.b-</p><p>a.b-c_d@a.b_</p>',
  ],
];

test.each(github)('example %i of GitHub’s Markdown has its structure', async (_number, markdown, html) => {
  expect(normaliseOurs((await layOut(markdown)).html)).toBe(normaliseExpected(html));
});

test('HTML that GitHub shows as text is dropped with its tags', async () => {
  const { html } = await layOut(
    '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>\n',
  );
  expect(normaliseOurs(html)).toBe(
    '<p><strong><em></em></strong></p><blockquote> is disallowed. is also disallowed. </blockquote>',
  );
});
