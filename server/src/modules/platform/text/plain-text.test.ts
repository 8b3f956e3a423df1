import { expect, test } from 'vitest';
import { toPlainText } from './plain-text.ts';

test('returns the text without tags, formulas, diagrams and language names', () => {
  expect(
    toPlainText(
      '<p>一 <em>二</em></p><figure class="code" data-x="1"><figcaption>js</figcaption><pre>三</pre></figure>' +
        '<figure class="diagram"><p>图</p></figure><p>四<math><mi>x</mi></math> &#x26; 五</p>',
    ),
  ).toBe('一 二三四 & 五');
});

test('ignores the title attribute of a link', () => {
  const html = '<p><a href="/x" title="<math">一</a>二<math><mi>x</mi></math>三</p>';
  expect(toPlainText(html)).toBe('一二三');
});

test('handles an attribute with thousands of unclosed tags', () => {
  const html = `<p><a href="/x" title="${'<math'.repeat(24_000)}">一</a></p>`;
  expect(toPlainText(html)).toBe('一');
  expect(toPlainText('<figure class="code"'.repeat(10_000))).toHaveLength(200_000);
});
