import { expect, test } from 'vitest';
import { SYSTEM } from '../../../threads/fair-queue.ts';
import { renderMarkdown } from './render.ts';

test('a text that would take minutes is refused; the process and what is published go on', async () => {
  const lane = 'preview';
  const hard = renderMarkdown(SYSTEM, '*a_'.repeat(33_000), { lane });
  const published = renderMarkdown(SYSTEM, '## 甲').then(() => 'published');
  expect(await Promise.race([hard.catch(() => 'stuck'), published])).toBe('published');
  await expect(hard).rejects.toMatchObject({ code: 'INVALID', fields: { content: /太复杂/ } });
  for (const title of ['甲', '乙', '丙'])
    expect((await renderMarkdown(SYSTEM, `## ${title}`, { lane })).toc).toHaveLength(1);
});
