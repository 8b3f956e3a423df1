import { expect, test } from 'vitest';
import { zoomLabelOf } from './zoom-label.ts';

test.each([
  ['', '放大图片'],
  ['图：', '放大图片'],
  ['图：写入的次序', '放大图片：写入的次序'],
  ['图 3：写入的次序', '放大图片：写入的次序'],
  ['图片: 屏幕', '放大图片：屏幕'],
  ['示意图', '放大图片：示意图'],
  ['图书馆的书架', '放大图片：图书馆的书架'],
])('the label of a picture with the text "%s"', (alt, label) => {
  expect(zoomLabelOf(alt)).toBe(label);
});
