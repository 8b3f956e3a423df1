import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editorWith } from './editor-fixture.ts';
import { formatPicture, type PictureFields, pictureAt, pictureWidths, updatePicture } from './pictures.ts';

test('finds the picture in or beside the cursor, as Markdown and as a tag', () => {
  for (const text of [
    '看 ![墨‸](/files/a.webp "题 \\"一\\"") 这',
    '‸![墨](/files/a.webp "题 \\"一\\"")',
    '![墨](/files/a.webp "题 \\"一\\"")‸',
  ])
    expect(pictureAt(editorWith(text).view.state)).toMatchObject({
      url: '/files/a.webp',
      alt: '墨',
      caption: '题 "一"',
      width: null,
    });
  expect(
    pictureAt(editorWith('前\n\n<img src="/files/a.webp" alt="墨‸" width="50%">\n\n后').view.state),
  ).toMatchObject({
    url: '/files/a.webp',
    width: '50%',
    caption: '',
  });
  expect(pictureAt(editorWith('![甲](/a.png)‸').view.state)?.url).toBe('/a.png');
});

test('finds none elsewhere, in code, in references and in tags with other attributes', () => {
  for (const text of [
    '字‸',
    '`![墨](/a‸.png)`',
    '![墨‸][a]\n\n[a]: /a.png',
    '<img src="/a.png" width="30‸0">',
    '<img src="/a.png" class="x‸">',
    '[链‸](/a)',
  ])
    expect([text, pictureAt(editorWith(text).view.state)]).toEqual([text, null]);
});

test('changes alternative text, caption and width in place', () => {
  const { view, text } = editorWith('一 ![墨](/files/a.webp‸) 二');
  const change = (changes: Partial<PictureFields>) => {
    const picture = pictureAt(view.state);
    if (picture !== null) updatePicture(view, picture, changes);
  };
  change({ caption: '题 "一"', alt: '[墨]' });
  expect(text()).toBe('一 ![\\[墨\\]](/files/a.webp "题 \\"一\\"") 二');
  change({ width: '75%' });
  expect(text()).toBe('一 <img src="/files/a.webp" alt="[墨]" title="题 &quot;一&quot;" width="75%"> 二');
  change({ width: null, caption: '' });
  expect(text()).toBe('一 ![\\[墨\\]](/files/a.webp) 二');
});

test('finds a picture again after the text before it has changed, and says if it is gone', () => {
  const { view, text } = editorWith('![墨](/files/a.webp)‸');
  const picture = pictureAt(view.state);
  if (picture === null) throw new Error('no picture');
  view.dispatch({ changes: { from: 0, insert: '前面\n\n' }, selection: { anchor: 0 } });
  expect(updatePicture(view, picture, { url: '/files/b.webp' })).toBe(true);
  expect(text()).toBe('前面\n\n![墨](/files/b.webp)');
  expect(updatePicture(view, picture, { url: '/files/c.webp' })).toBe(false);
});

test('every picture that is written is read again', () => {
  const words = fc
    .array(
      fc.constantFrom('a', '字', '"', "'", '\\', '[', ']', '<', '>', '&', '&amp;', '!', '(', ')', ' ', '_'),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('').trim().replace(/\s+/g, ' '));
  fc.assert(
    fc.property(words, words, fc.constantFrom(...pictureWidths), (alt, caption, width) => {
      const picture = { url: '/files/ab/c.webp', alt, caption, width };
      const found = pictureAt(editorWith(`‸${formatPicture(picture)}`).view.state);
      // Angle brackets in the description of a Markdown picture may be read as a tag.
      if (width === null && /[<&]/.test(alt)) return;
      expect(found).toMatchObject(picture);
    }),
  );
});
