import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cropRect,
  initialView,
  outputSize,
  type Rotation,
  rotatedSize,
  rotateView,
  settle,
} from './crop-geometry.ts';

const sizes = fc.record({
  width: fc.integer({ min: 1, max: 8000 }),
  height: fc.integer({ min: 1, max: 8000 }),
});
const views = fc.record({
  rotation: fc.constantFrom<Rotation>(0, 90, 180, 270),
  zoom: fc.double({ min: 0.1, max: 20, noNaN: true }),
  x: fc.double({ min: -9000, max: 9000, noNaN: true }),
  y: fc.double({ min: -9000, max: 9000, noNaN: true }),
});
const aspects = fc.constantFrom(16 / 9, 1, 4 / 3, 3 / 4, 0.3, 3);

test('the chosen part is always inside the picture and has the shape', () => {
  fc.assert(
    fc.property(sizes, aspects, views, (size, aspect, view) => {
      const rect = cropRect(size, aspect, view);
      const { width, height } = rotatedSize(size, view.rotation);
      expect(rect.width / rect.height).toBeCloseTo(aspect, 5);
      expect(Math.min(rect.x, rect.y)).toBeGreaterThanOrEqual(0);
      expect(rect.x + rect.width).toBeLessThanOrEqual(width + 1e-6);
      expect(rect.y + rect.height).toBeLessThanOrEqual(height + 1e-6);
      const settled = cropRect(size, aspect, settle(size, aspect, view));
      for (const name of ['x', 'y', 'width', 'height'] as const)
        expect(settled[name]).toBeCloseTo(rect[name], 4);
    }),
  );
});

test('four quarter turns lead back, and the first choice is the largest part in the middle', () => {
  const size = { width: 1600, height: 900 };
  const start = { ...initialView(size), x: 300, y: 200 };
  const turned = rotateView(size, start);
  expect(turned).toMatchObject({ rotation: 90, x: 700, y: 300 });
  expect(rotateView(size, rotateView(size, rotateView(size, turned)))).toEqual(start);
  expect(cropRect(size, 1, initialView(size))).toEqual({ x: 350, y: 0, width: 900, height: 900 });
});

test('limits the size of the result', () => {
  expect(outputSize({ width: 5000, height: 2500 }, 2560)).toEqual({ width: 2560, height: 1280 });
  expect(outputSize({ width: 300.4, height: 0.2 }, 2560)).toEqual({ width: 300, height: 1 });
});
