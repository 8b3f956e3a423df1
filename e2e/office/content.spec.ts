import { readFile } from 'node:fs/promises';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { newWriter, publishEssay, submitEssay } from '../support/essays.ts';
import { button, expect, LARGE_ONLY, panel, row, test, unique } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';
import { register } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const selectRow = (page: Page, name: string) => page.getByRole('checkbox', { name: `选择${name}` }).check();

const firstColumn = (page: Page) => page.locator('tbody tr[data-row-key] td:nth-child(2)');

async function search(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).fill(text);
  await page.getByLabel(label).press('Enter');
}

test(
  'searches, sorts and recategorizes essays; bulk off-shelf names failures',
  LARGE_ONLY,
  async ({ page, open, url, admin, browserErrors }) => {
    browserErrors.allow(/status of 409/);
    const mark = unique();
    const writer = await newWriter(url, { displayName: `作者${mark}` });
    const titles = [`甲 ${mark} 文`, `乙 ${mark} 文`];
    const [first, second] = [
      await publishEssay(url, { writer, title: titles[0] ?? '' }),
      await publishEssay(url, { writer, title: titles[1] ?? '' }),
    ];
    await open('/essay');
    await search(page, '搜索标题', `${mark} 文`);
    await expect(firstColumn(page)).toHaveText([titles[1] ?? '', titles[0] ?? '']);
    await page.getByRole('columnheader', { name: '上架时间' }).click();
    await expect(firstColumn(page)).toHaveText(titles);
    await expect(page).toHaveURL(/sort=publishedAt&order=0/);
    await expect(page.getByRole('columnheader', { name: '阅读' })).not.toHaveAttribute('aria-sort');
    await expectAccessible(page);

    await button(page, `更多操作：${first.title}`).click();
    await page.getByRole('menuitem', { name: '分类、标签与网址' }).click();
    await panel(page).getByLabel('标签').fill(`标签${mark}`);
    await panel(page).getByLabel('标签').press('Enter');
    await page.keyboard.press('Escape');
    await button(panel(page), '保存').click();
    await expect(page.getByText(`已改好「${first.title}」`)).toBeVisible();
    const tagged = await admin.call('GET core/sys/essay/', { tag: `标签${mark}` });
    expect(tagged.list.map(({ id }) => id)).toEqual([first.id]);

    // Somebody else changes one of them first.
    await selectRow(page, first.title);
    await selectRow(page, second.title);
    await button(page, '下架 2 篇').click();
    await panel(page).getByLabel('下架理由').fill('要再看看');
    await admin.call('PUT core/essay/status', {
      id: first.id,
      status: ESSAY_STATUS.offShelf,
      reason: '先来一步',
    });
    await button(panel(page), '下架').click();
    const summary = page.getByRole('dialog', { name: '已下架 1 项，1 项没有成功' });
    await expect(summary).toContainText(`「${first.title}」：`);
    await button(summary, '知道了').click();
    await expect(page.getByText('已选 1 项')).toBeVisible();
    await expect(row(page, second.title)).toContainText('已下架');

    const file = page.waitForEvent('download');
    await button(page, '导出 CSV').click();
    expect(await readFile(await (await file).path(), 'utf8')).toContain(second.title);
  },
);

test(
  'filters and sorts the queue, comments and reports; handles comments and reports in bulk',
  LARGE_ONLY,
  async ({ page, open, url, admin }) => {
    const mark = unique();
    const essay = await publishEssay(url);
    const waiting = [await submitEssay(url), await submitEssay(url, { title: `只看 ${mark}` })];
    const reader = await register(url, { displayName: `读者${mark}` });
    for (const content of [`早说的 ${mark}`, `晚说的 ${mark}`]) {
      const { id } = await reader.call('POST core/essay/cmt', { essayId: essay.id, content });
      await waiting[0]?.writer.call('POST core/user/report', {
        kind: 'comment',
        targetId: id,
        reason: 'advertising',
        detail: mark,
      });
    }
    const auditor = await newStaff(admin, url, 'auditor');
    await open('/audit', auditor);
    await search(page, '搜索标题', mark);
    await expect(row(page, `只看 ${mark}`)).toBeVisible();
    await expect(row(page, waiting[0]?.title ?? '')).toBeHidden();

    await page.goto('/admin/comment');
    await search(page, '搜索内容或访客的名字（最近两万条）', mark);
    // Until they are found, all comments stay in the table and would be selected.
    await expect(page.getByText('共 2 条')).toBeVisible();
    await expect(row(page, '早说的')).toBeVisible();
    await page.getByRole('columnheader', { name: '时间' }).click();
    await expect(page).toHaveURL(/sort=createdAt&order=0/);
    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    await button(page, '移除 2 条').click();
    await button(panel(page), '移除').click();
    await expect(panel(page).getByText('请写明理由')).toBeVisible();
    await panel(page).getByLabel('移除理由').fill('广告');
    await button(panel(page), '移除').click();
    await expect(page.getByText('已移除 2 项')).toBeVisible();
    await expect(row(page, '早说的')).toContainText('已移除');
    await expectAccessible(page);

    await open('/report', await newStaff(admin, url, 'operator'));
    await search(page, '在最近两万条里搜索', mark);
    await expect(page.getByText('共 2 条')).toBeVisible();
    await expect(row(page, '早说的')).toBeVisible();
    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    await button(page, '处理 2 条').click();
    await panel(page).getByLabel('处理结果').fill('已经移除');
    await expectAccessible(page);
    await button(panel(page), '处理').click();
    await expect(page.getByText('没有符合条件的举报')).toBeVisible();

    await open('/column', auditor);
    await expect(page.getByRole('link', { name: '专栏' })).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('专栏');
  },
);

test(
  'the search of the queue is kept in the audit desk and back',
  LARGE_ONLY,
  async ({ page, open, url }) => {
    const mark = unique();
    const { title: other, writer } = await submitEssay(url);
    await submitEssay(url, { writer, title: `只看 ${mark}` });
    await open(`/audit?keyword=${mark}`);
    await page.getByRole('link', { name: `只看 ${mark}` }).click();
    await expect(page.getByText('还有 1 篇待审核')).toBeVisible();
    await button(page, '返回列表').click();
    await expect(row(page, `只看 ${mark}`)).toBeVisible();
    await expect(row(page, other)).toBeHidden();
  },
);

test(
  'searches, sorts, exports and bulk-disables unpaged lists',
  LARGE_ONLY,
  async ({ page, open, admin }) => {
    const mark = unique();
    for (const name of [`乙${mark}`, `甲${mark}`])
      await admin.call('POST core/sys/category/', { name, slug: `c-${unique()}`, icon: 'code' });
    await open('/category');
    await search(page, '搜索名称或地址', mark);
    await expect(firstColumn(page)).toHaveCount(2);
    await page.getByRole('columnheader', { name: '名称' }).click();
    await expect(page).toHaveURL(new RegExp(`keyword=${mark}&sort=name&order=0`));
    await page.reload();
    await expect(firstColumn(page)).toHaveCount(2);
    const file = page.waitForEvent('download');
    await button(page, '导出 CSV').click();
    const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(3);

    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    await button(page, '停用').click();
    await expect(page.getByText('已停用 2 项')).toBeVisible();
    await expect(page.getByRole('switch', { checked: true })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    await button(page, '删除').click();
    await button(page.getByRole('dialog', { name: '删除这 2 个分类？' }), '删除').click();
    await expect(page.getByText('没有符合条件的分类')).toBeVisible();

    await page.goto('/admin/cover?kind=banner');
    await search(page, '搜索标题或链接', mark);
    await expect(page).toHaveURL(/kind=banner/);
    await expect(page.getByText('没有符合条件的')).toBeVisible();
  },
);

test(
  'edits an info page with the Markdown editor and restores an older version',
  LARGE_ONLY,
  async ({ page, open, api }) => {
    await open('/page?page=help');
    const source = page.getByLabel('「帮助中心」的 Markdown');
    await source.fill('第一稿');
    await button(page, '保存').click();
    await expect(page.getByText(/^已保存/)).toBeVisible();
    await source.fill('');
    await source.pressSequentially('要紧');
    await source.press('ControlOrMeta+a');
    await button(page, '加粗').click();
    await expect(source).toHaveText('**要紧**');
    await expect(page.getByRole('region', { name: '预览' }).locator('strong')).toHaveText('要紧');
    await expectAccessible(page);
    await button(page, '保存').click();
    await expect(page.getByText('有改动没有保存')).toBeHidden();
    expect((await api('GET core/site/', { page: 'help' })).page?.html).toContain('<strong>要紧</strong>');

    await button(page, '历史版本').click();
    await button(page, /第 2 版/).click();
    await expect(panel(page)).toContainText('第一稿');
    await expectAccessible(page);
    await button(panel(page), '取回这一版').click();
    await expect(source).toHaveText('第一稿');
    await button(page, '保存').click();
    await expect(page.getByText('有改动没有保存')).toBeHidden();
    expect((await api('GET core/site/', { page: 'help' })).page?.html).toContain('第一稿');
  },
);
