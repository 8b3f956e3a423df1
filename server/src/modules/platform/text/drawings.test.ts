import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_DRAWING_LENGTH } from '@mozhan/contract/drawing-limits.ts';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { type GivenDrawing, hashSource, sanitizeDrawing } from './drawings.ts';
import { sanitizeDrawings } from './index.ts';
import { essayToHtml } from './pipeline.ts';

const ROOT = 'xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50"';
const svg = (content: string, root = ROOT) => `<svg ${root}>${content}</svg>`;
const given = (light: string, dark = light): GivenDrawing => ({ source: 'graph', light, dark });
const accept = (content: string) => sanitizeDrawing(given(svg(content)));

const drawn: (GivenDrawing & { file: string })[] = globSync('*.drawings.json', {
  cwd: join(import.meta.dirname, '../../admin/demo/texts'),
}).flatMap((file) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../admin/demo/texts', file), 'utf8')).map(
    (drawing: GivenDrawing) => ({ ...drawing, file }),
  ),
);

test.each(drawn)('accepts what a browser drew for $file', (drawing) => {
  const { sourceHash, light, dark, width, height, text } = sanitizeDrawing(drawing);
  expect(sourceHash).toBe(hashSource(drawing.source));
  expect(width).toBeGreaterThan(50);
  expect(height).toBeGreaterThan(50);
  expect(text).not.toBe('');
  for (const result of [light, dark]) {
    new SaxesParser().write(result).close();
    expect(result).not.toMatch(/style|class|href|foreignObject|script|on[a-z]+=/);
    expect(sanitizeDrawing(given(result)).light, 'the result is accepted again').toBe(result);
  }
});

test('writes the drawing from its parsed values, with the fonts of the site', () => {
  const { light, text } = accept(
    '<g transform="translate(1, 2)"><text x="3" fill="#000000">a &lt; b &amp; c</text></g>',
  );
  expect(text).toBe('a < b & c');
  expect(light).toBe(
    `<svg ${ROOT} font-family="'PingFang SC','Noto Sans SC','Source Han Sans SC','Noto Sans CJK SC','Microsoft YaHei',system-ui,sans-serif">` +
      '<g transform="translate(1, 2)"><text x="3" fill="#000000">a &#60; b &#38; c</text></g></svg>',
  );
});

const MARKER = '<defs><marker id="m1"><path d="M0 0L1 1"/></marker></defs>';
const nested = (depth: number) => '<g>'.repeat(depth) + '</g>'.repeat(depth);

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script in another namespace', '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'],
  ['a stylesheet', '<style>*{background:url(//evil.example/)}</style>'],
  ['HTML', '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>'],
  ['a picture', '<image href="https://evil.example/x.png"/>'],
  ['an embedded picture', '<image href="data:image/svg+xml,x"/>'],
  ['a reference to another file', '<use href="//evil.example/x.svg#a"/>'],
  ['a reference to itself', '<use href="#a"/>'],
  ['a link', '<a href="javascript:alert(1)"><text>x</text></a>'],
  ['an old-style link', '<a xlink:href="javascript:alert(1)"><text>x</text></a>'],
  ['an animation', '<animate attributeName="href" to="javascript:alert(1)"/>'],
  ['an animation of a colour', '<rect><set attributeName="fill" to="#ffffff"/></rect>'],
  ['a filter', '<filter><feImage href="//evil.example/"/></filter>'],
  ['a pattern', '<defs><pattern><rect/></pattern></defs>'],
  ['a gradient', '<linearGradient id="m1"/>'],
  ['a mask', '<mask id="m1"><rect/></mask>'],
  ['a title', '<title>x</title>'],
  ['metadata', '<metadata>x</metadata>'],
  ['an unknown element', '<blink/>'],
  ['an element of a prototype', '<constructor/>'],
  ['an attribute of a prototype', '<g constructor="x"/>'],
  ['an event handler', '<rect onload="alert(1)"/>'],
  ['an upper-case event handler', '<rect ONCLICK="alert(1)"/>'],
  ['a style attribute', '<rect style="position:fixed"/>'],
  ['a class', '<rect class="x"/>'],
  ['an id', '<rect id="x"/>'],
  ['a base URL', '<g xml:base="//evil.example/"/>'],
  ['text by language', '<text systemLanguage="en">x</text>'],
  ['a tab stop', '<rect tabindex="0"/>'],
  ['visible overflow', '<svg overflow="visible"><rect/></svg>'],
  ['a paint server of another file', '<rect fill="url(//evil.example/#a)"/>'],
  ['a paint server', '<rect fill="url(#a)"/>'],
  ['a colour function', '<rect fill="expression(alert(1))"/>'],
  ['a named colour', '<rect fill="red"/>'],
  ['a variable', '<rect fill="var(--x)"/>'],
  ['a marker of another file', '<path d="M0 0" marker-end="url(//evil.example/#m1)"/>'],
  ['a missing marker', '<path d="M0 0" marker-end="url(#m7)"/>'],
  ['a marker outside the definitions', '<marker id="m1"><path d="M0 0"/></marker>'],
  [
    'markers within a marker',
    `${MARKER.replace('<path', '<path marker-end="url(#m1)"')}<path d="M0 0" marker-end="url(#m1)"/>`,
  ],
  ['a group within a marker', MARKER.replace('<path d="M0 0L1 1"/>', '<g/>')],
  ['a marker without an id', '<defs><marker><path d="M0 0"/></marker></defs>'],
  ['a large marker', MARKER.replace('<path d="M0 0L1 1"/>', '<path d="M0 0L1 1"/>'.repeat(9))],
  ['many markers', `<defs>${[...Array(30).keys()].map((id) => `<marker id="m${id}"/>`).join('')}</defs>`],
  ['a second list of definitions', `${MARKER}${MARKER}`],
  ['a transform with a function', '<g transform="translate(1) url(x)"/>'],
  ['tiny dashes', '<path d="M0 0" stroke-dasharray="0.001"/>'],
  ['a huge stroke', '<path d="M0 0" stroke-width="1000"/>'],
  ['huge coordinates', '<path d="M0 0L99999999 0"/>'],
  ['huge exponents', '<path d="M0 0L1e99 0"/>'],
  ['other characters in a path', '<path d="M0 0;alert(1)"/>'],
  ['tiny text', '<text font-size="0.1">x</text>'],
  ['other fonts', '<text font-family="Wingdings">x</text>'],
  ['text outside a text element', '<g>x</g>'],
  ['text that changes direction', '<text>\u202eabc</text>'],
  ['control characters', '<text>&#7;</text>'],
  ['zero-width characters', '<text>a\u200bb</text>'],
  ['a shape within text', '<text><rect/></text>'],
  ['text within a shape', '<rect><text>x</text></rect>'],
  ['a comment', '<!-- x -->'],
  ['a processing instruction', '<?xml-stylesheet href="//evil.example/x.css"?>'],
  ['CDATA', '<text><![CDATA[x]]></text>'],
  ['an unknown entity', '<text>&nbsp;</text>'],
  ['an unclosed element', '<g>'],
  ['a repeated attribute', '<rect x="1" x="2"/>'],
  ['deep nesting', nested(40)],
  ['too many elements', '<rect/>'.repeat(4001)],
  ['too many characters', `<path d="${'M0 0'.repeat(MAX_DRAWING_LENGTH / 4)}"/>`],
])('refuses %s', (_, content) => {
  expect(() => sanitizeDrawing(given(svg(content)))).toThrow('图表的图形不合要求');
});

test.each([
  ['no SVG', '<p>x</p>'],
  ['nothing', ''],
  ['text', 'x'],
  ['HTML', '<!doctype html><svg/>'],
  ['an XML declaration', `<?xml version="1.0"?>${svg('')}`],
  ['a document type', `<!DOCTYPE svg [<!ENTITY a "x">]>${svg('<text>&a;</text>')}`],
  ['two roots', svg('') + svg('')],
  ['another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml" width="1" height="1" viewBox="0 0 1 1"/>'],
  ['no size', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'],
  ['a relative size', svg('', ROOT.replace('width="100"', 'width="100%"'))],
  ['a huge size', svg('', ROOT.replace('width="100"', 'width="99999"'))],
  ['an event handler at the root', svg('', `${ROOT} onload="alert(1)"`)],
  ['a style at the root', svg('', `${ROOT} style="color:red"`)],
])('refuses %s', (_, drawing) => {
  expect(() => sanitizeDrawing(given(drawing))).toThrow('图表的图形不合要求');
});

test('refuses themes that differ in text or size', () => {
  const plain = svg('<text>甲</text>');
  for (const dark of [svg('<text>乙</text>'), svg(''), svg('<text>甲</text>', ROOT.replace('100"', '101"'))])
    expect(() => sanitizeDrawing(given(plain, dark))).toThrow('图表的图形不合要求');
});

test('checks drawings in the thread, and names the field', async () => {
  expect(await sanitizeDrawings(SYSTEM_CALLER, [given(svg('<text>甲</text>'))])).toMatchObject([
    { width: 100, height: 50, text: '甲', sourceHash: hashSource('graph') },
  ]);
  await expect(sanitizeDrawings(SYSTEM_CALLER, [given(svg('<script/>'))])).rejects.toMatchObject({
    code: 'INVALID',
    fields: { drawings: '图表的图形不合要求，没有保存' },
  });
});

test('a stored drawing is shown in both themes, with its size and its source', async () => {
  const drawing = { id: 'ab12', width: 500, height: 200, text: '业务\n数据库 "甲"' };
  const { html, text } = await essayToHtml('```mermaid\ngraph LR\n```\n\n```mermaid\ngraph TD\n```', {
    previewPercent: null,
    pictures: {},
    drawings: { [hashSource('graph LR')]: drawing },
  });
  const picture = (theme: string) =>
    `<img class="diagram-${theme}" src="/drawings/ab12-${theme}.svg" alt="图：业务 数据库 &#x22;甲&#x22;" width="500" height="200" loading="lazy" decoding="async" data-zoom="">`;
  expect(html).toBe(
    '<figure class="diagram" data-diagram="stored"><div class="diagram-view" tabindex="0">' +
      `<svg width="400" height="0" aria-hidden="true"></svg>${picture('light')}${picture('dark')}</div>` +
      '<pre><code>graph LR</code></pre></figure>\n' +
      '<figure class="diagram" data-diagram><pre><code>graph TD</code></pre></figure>',
  );
  expect(text, 'search does not find what only the drawing says').toBe('');
});
