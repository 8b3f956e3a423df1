import { tests } from 'commonmark-spec';
import { expect, test } from 'vitest';
import { github } from './github-fixture.ts';
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
