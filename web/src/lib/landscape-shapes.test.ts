import { expect, test } from 'vitest';
import { LANDSCAPE_WIDTH, ridgePath } from './landscape-shapes.ts';

test('draws a hill line through its heights, with relative coordinates', () => {
  const [level, swing, frequency, phase] = [84, 20, 1.3, 2.1];
  const path = ridgePath({ level, swing, frequency, phase, drop: 0 });
  const heightAt = (x: number) => {
    const angle = (x / LANDSCAPE_WIDTH) * 2 * Math.PI;
    return level + swing * (Math.sin(phase + angle * frequency) + 0.5 * Math.sin(phase * 2 + angle * 2.4));
  };
  const [, first] = /^M0 204V([\d.]+)c[\d.]+ [-\d.]+ /.exec(path) ?? [];
  let [x, y] = [0, Number(first)];
  expect(y).toBeCloseTo(heightAt(0), 1);
  for (const [, right, down] of path.matchAll(/13\.3 [-\d.]+ ([\d.]+) ([-\d.]+)/g)) {
    x += Number(right);
    y += Number(down);
    expect(Math.abs(y - heightAt(x))).toBeLessThan(0.06);
  }
  expect(x).toBe(LANDSCAPE_WIDTH);
});
