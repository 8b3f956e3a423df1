import { expect, test } from 'vitest';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { renderMarkdown } from './render.ts';

test('rejects a text that would take minutes, without blocking other texts', async () => {
  const lane = 'preview';
  const hard = renderMarkdown(SYSTEM_CALLER, '*a_'.repeat(66_000), { lane });
  const published = renderMarkdown(SYSTEM_CALLER, '## 甲').then(() => 'published');
  expect(await Promise.race([hard.catch(() => 'stuck'), published])).toBe('published');
  await expect(hard).rejects.toMatchObject({ code: 'INVALID', fields: { content: /太复杂/ } });
  for (const title of ['甲', '乙', '丙'])
    expect((await renderMarkdown(SYSTEM_CALLER, `## ${title}`, { lane })).toc).toHaveLength(1);
});
