import { expect, test } from 'vitest';
import { isAnimated } from './animated-picture.ts';

const bytesOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

test('recognises moving pictures', () => {
  const frame = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
  const gif = (count: number) =>
    Uint8Array.from([...bytesOf('GIF89a0123'), ...Array(count).fill(frame).flat(), 0x3b, 0, 0]);
  expect([isAnimated(gif(1)), isAnimated(gif(2))]).toEqual([false, true]);
  const webp = (flags: number) => Uint8Array.from([...bytesOf('RIFF0000WEBPVP8X0000'), flags, 0, 0]);
  expect([isAnimated(webp(0x10)), isAnimated(webp(0x12))]).toEqual([false, true]);
  expect(isAnimated(Uint8Array.from(bytesOf('\x89PNG\r\n\x1a\n0000IHDR00000000acTL')))).toBe(true);
  expect(isAnimated(Uint8Array.from(bytesOf('no picture')))).toBe(false);
});
