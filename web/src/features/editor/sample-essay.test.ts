import { expect, test } from 'vitest';
import { sampleContent } from './sample-essay.ts';

const minutes = (k: number) => Math.round(Math.log((95 - 22) / (60 - 22)) / k);

test('the figures of the sample agree with its formula', () => {
  const rows = [...sampleContent.matchAll(/\| (0\.\d+) \| 约 (\d+) 分钟 \|/g)];
  expect(rows.map(([, k, result]) => [k, Number(result)])).toEqual([
    ['0.045', minutes(0.045)],
    ['0.028', minutes(0.028)],
  ]);
  expect(sampleContent).toContain(`# ${minutes(0.045)}\n`);
});
