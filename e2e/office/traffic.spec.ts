import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/accessibility.ts';
import { publishEssay } from '../support/essays.ts';
import { button, expect, heading, row, test, unique } from '../support/office.ts';
import { storeSession } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('displays where visits come from, to staff and to the author', async ({ page, open, url }) => {
  const mark = unique();
  const host = `${mark}.example`;
  const { id, title, writer } = await publishEssay(url);
  const path = `/essay/detail/${id}.html`;
  for (const search of [`?utm_source=${mark}&utm_medium=mail`, ''])
    await page.goto(path + search, { referer: `https://${host}/a/secret` });
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();

  await open('/traffic?days=7');
  await expect(heading(page, '访问统计')).toBeVisible();
  await expect(row(page, host)).toContainText('2');
  await expect(row(page, path)).toContainText('2');
  await expect(page.getByText('secret')).toHaveCount(0);
  const plot = page.getByRole('slider', { name: '访客，按天' });
  await plot.press('End');
  await expect(plot).toHaveAttribute('aria-valuetext', /月 \d+ 日：访客 [1-9]/);
  await expect(row(page, mark).filter({ hasNotText: host })).toContainText('1');
  const utm = page.getByRole('radiogroup', { name: 'UTM：按什么分' });
  await utm.getByText('媒介').click();
  await expect(page.getByRole('region', { name: 'UTM 媒介，列表' })).toContainText('mail');
  await expectAccessible(page);

  await page.getByRole('navigation', { name: '时间' }).getByRole('link', { name: '90 天' }).click();
  await expect(page).toHaveURL(/\/traffic\?days=90$/);
  await expect(page.getByText('90 天合计').first()).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, '导出 CSV：来源').click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toBe('来源,访问次数');
  expect(lines).toContain(`${host},2`);
  const [daily] = await Promise.all([page.waitForEvent('download'), button(page, '导出 CSV：每天').click()]);
  const days = (await readFile(await daily.path(), 'utf8')).trim().split('\r\n');
  expect(days).toHaveLength(91);
  expect(days[90]).toMatch(/^\d{4}-\d\d-\d\d,\d+,\d+,\d+$/);

  await storeSession(page, writer);
  await page.goto('/account/center.html?tab=stats');
  await expect(page.getByRole('region', { name: '从哪里来' }).getByRole('row', { name: host })).toContainText(
    '2',
  );
});
