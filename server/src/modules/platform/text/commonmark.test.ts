import { tests } from 'commonmark-spec';
import { expect, test } from 'vitest';
import { githubExamples } from './github-fixture.ts';
import { markdownToHtml } from './pipeline.ts';
import { normaliseExpectedHtml, normaliseRenderedHtml } from './structure-fixture.ts';

/** CommonMark examples that we render differently, by reason. */
const exceptions: [reason: string, numbers: number[]][] = [
  ['the tag is not allowed', [150, 163, 201, 491, 524, 536, 613, 614, 615, 617]],
  ['scripts, styles and form fields are removed', [170, 171, 172, 173, 176, 178]],
  ['comments, declarations and processing instructions are removed', [177, 179, 180, 182, 183, 308, 309]],
  ['comments, declarations and instructions inside a paragraph are removed', [625, 626, 627, 628, 629]],
  [
    'a tag applies to its own block, and an unclosed tag ends there',
    [148, 187, 344, 476, 477, 494, 616, 630, 631, 642, 643],
  ],
  ['the protocol, or text that looks like one, is not allowed', [500, 596, 598, 599, 601]],
  ['GitHub turns bare URLs into links', [602, 606, 608, 611, 612]],
];

async function differs(markdown: string, html: string): Promise<boolean> {
  const ours = (await markdownToHtml(markdown.replaceAll('→', '\t'))).html;
  return normaliseRenderedHtml(ours) !== normaliseExpectedHtml(html.replaceAll('→', '\t'));
}

test('renders every CommonMark example with the expected structure, except the listed ones', async () => {
  expect(tests).toHaveLength(652);
  const different: number[] = [];
  for (const { markdown, html, number } of tests) if (await differs(markdown, html)) different.push(number);
  expect(different).toEqual(exceptions.flatMap(([, numbers]) => numbers).sort((a, b) => a - b));
});

test.each(githubExamples)(
  'renders example %i of GitHub’s Markdown with the expected structure',
  async (_number, markdown, html) => {
    expect(normaliseRenderedHtml((await markdownToHtml(markdown)).html)).toBe(normaliseExpectedHtml(html));
  },
);

test('removes HTML tags that GitHub would show as text', async () => {
  const { html } = await markdownToHtml(
    '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>\n',
  );
  expect(normaliseRenderedHtml(html)).toBe(
    '<p><strong><em></em></strong></p><blockquote> is disallowed. is also disallowed. </blockquote>',
  );
});
