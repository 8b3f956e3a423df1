import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay, submitEssay } from './support/essays.ts';
import { button, expect, LARGE_ONLY, test as office, panel, row } from './support/office.ts';
import { newStaff } from './support/staff.ts';
import type { TestUser } from './support/users.ts';

/** A separate site, so that its queue contains only submissions of these tests. */
const test = office.extend<{ auditor: TestUser }>({
  auditor: async ({ admin, baseURL }, use) => {
    await use(await newStaff(admin, baseURL ?? '', 'auditor'));
  },
});
test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const TEXT = '## 缘起\n\n写在前面的话。\n\n```sql\nselect 1;\n```\n\n结尾的一段。';
const DIAGRAM = '```mermaid\nflowchart LR\n  A[业务] --> B[数据库]\n```';
const essayArticle = (page: Page, title: string) => page.getByRole('article', { name: title });
const text = (page: Page) => page.getByRole('tabpanel', { name: '读者看到的' });
const decisionPanel = (page: Page) => page.getByRole('region', { name: '审核结论' });

const stateOf = async (writer: TestUser, id: string) => {
  const { status, revision } = await writer.call('GET core/essay/{id}/source', { id });
  return { status, revision };
};
const noticesOf = async (writer: TestUser) => {
  const { list } = await writer.call('GET core/user/notice', {});
  return list.map((notice) => notice.text).join('\n');
};

/** Edits an on-shelf or rejected essay and submits it. */
async function editAndSubmit(writer: TestUser, id: string, content: string): Promise<void> {
  const { version } = await writer.call('GET core/essay/{id}/source', { id });
  await writer.call('PUT core/essay/', { id, version, content, status: ESSAY_STATUS.waiting });
}

const drawn = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80"><rect width="240" height="80" fill="${colour}"/><text x="20" y="46" font-size="15" fill="#716a63">与源码不符的图</text></svg>`;

test(
  'the auditor sees the stored drawing in both themes beside its source',
  LARGE_ONLY,
  async ({ page, open, auditor, baseURL }) => {
    const source = 'flowchart LR\n  A[业务] --> B[数据库]';
    const { id, title, writer } = await submitEssay(baseURL ?? '', { content: DIAGRAM });
    await writer.call('PUT core/essay/status', { id, status: ESSAY_STATUS.draft });
    const drawings = [{ source, light: drawn('#ffffff'), dark: drawn('#131210') }];
    await writer.call('PUT core/essay/status', { id, status: ESSAY_STATUS.waiting, drawings });
    await open(`/audit?id=${id}`, auditor);
    await expect(essayArticle(page, title)).toBeVisible();
    const pictures = page.locator('[data-diagram="stored"] img');
    await expect(pictures).toHaveCount(2);
    for (const index of [0, 1]) {
      await expect(pictures.nth(index)).toBeVisible();
      await expect
        .poll(() => pictures.nth(index).evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(240);
    }
    await expect(page.locator('[data-diagram] pre')).toContainText('A[业务] --> B[数据库]');
  },
);

test(
  'passing an essay after the preview opens the next one',
  LARGE_ONLY,
  async ({ page, open, auditor, baseURL }) => {
    const first = await submitEssay(baseURL ?? '', { content: `${TEXT}\n\n${DIAGRAM}` });
    const second = await submitEssay(baseURL ?? '', { writer: first.writer });
    await open('/', auditor);
    await page.getByRole('link', { name: /待审核文章/ }).click();
    await page.getByRole('link', { name: first.title }).click();
    await expect(essayArticle(page, first.title).getByRole('heading', { name: '缘起' })).toBeVisible();
    await expect(page.locator('[data-diagram="drawn"] img')).toHaveCount(2);
    await expect(page.locator('[data-diagram] pre')).toBeVisible();
    const author = await page.getByRole('link', { name: first.writer.user.displayName }).boundingBox();
    const minutes = await essayArticle(page, first.title)
      .getByText(/^约 \d+ 分钟$/)
      .boundingBox();
    expect(author?.y).toBe(minutes?.y);
    await page.getByRole('tab', { name: '原文' }).click();
    await expect(essayArticle(page, first.title).getByText('## 缘起')).toBeVisible();
    const points = decisionPanel(page).getByRole('checkbox');
    await points.first().check();
    await expect(decisionPanel(page).getByRole('status')).toHaveText(`1 / ${await points.count()}`);
    await button(decisionPanel(page), '通过').click();
    await expect(page.getByText(`已通过「${first.title}」`)).toBeVisible();
    await expect(essayArticle(page, second.title)).toBeVisible();
    expect(await stateOf(first.writer, first.id)).toEqual({ status: ESSAY_STATUS.approved, revision: null });
    expect(await noticesOf(first.writer)).toContain(`《${first.title}》通过了审核`);

    // J and K switch between essays.
    const third = await submitEssay(baseURL ?? '', { writer: first.writer });
    await page.reload();
    await expect(button(page, '下一篇')).toBeEnabled();
    await page.keyboard.press('j');
    await expect(essayArticle(page, third.title)).toBeVisible();
    await page.keyboard.press('k');
    await expect(essayArticle(page, second.title)).toBeVisible();
    await page.getByRole('checkbox', { name: '按 J、K 翻篇' }).uncheck();
    await page.keyboard.press('j');
    await expect(essayArticle(page, second.title)).toBeVisible();
  },
);

test(
  'a rejection requires a reason, which the author receives',
  LARGE_ONLY,
  async ({ page, open, auditor, baseURL }) => {
    const { id, title, writer } = await submitEssay(baseURL ?? '');
    await open(`/audit?id=${id}`, auditor);
    await button(decisionPanel(page), '驳回').click();
    await button(decisionPanel(page), '驳回').click();
    await expect(decisionPanel(page).getByText('请写明理由')).toBeVisible();
    const [common] = await auditor
      .call('GET core/sys/dict/item/', { code: 'audit-reason' })
      .then((items) => (Array.isArray(items) ? items : []));
    await button(decisionPanel(page), common?.item ?? '').click();
    const field = decisionPanel(page).getByLabel('驳回理由');
    await expect(field).toHaveValue(common?.item ?? '');
    await field.press('End');
    await field.pressSequentially('，请补充第二节。');
    await expectAccessible(page);
    await button(decisionPanel(page), '驳回').click();
    await expect(page.getByText(`已驳回「${title}」`)).toBeVisible();
    expect(await stateOf(writer, id)).toEqual({ status: ESSAY_STATUS.rejected, revision: null });
    expect(await noticesOf(writer)).toContain(`${common?.item}，请补充第二节。`);

    // After an appeal the essay is in the queue again.
    await writer.call('POST core/essay/appeal', { id, text: '第二节在附件里，请再看一次。' });
    await page.goto(`/admin/audit?id=${id}`);
    await expect(page.getByRole('region', { name: '作者的申诉' })).toContainText('第二节在附件里');
    await expect(page.getByRole('region', { name: '记录' }).getByRole('listitem')).toHaveCount(3);
    await button(decisionPanel(page), '通过').click();
    await expect(page.getByText(`已通过「${title}」`)).toBeVisible();
  },
);

test(
  'displays the difference of a revision, which readers see after it passes',
  LARGE_ONLY,
  async ({ page, open, api, auditor, baseURL }) => {
    const { id, title, writer } = await publishEssay(baseURL ?? '', { content: TEXT });
    await editAndSubmit(writer, id, TEXT.replace('写在前面的话。', '写在前面的几句话。'));
    await open('/audit', auditor);
    await expect(row(page, title).getByText('修订')).toBeVisible();
    await page.getByRole('link', { name: title }).click();
    const difference = page.getByRole('region', { name: '与已上架的差别' });
    await expect(difference.getByRole('deletion')).toHaveText('写在前面的话。');
    await expect(difference.getByRole('insertion')).toHaveText('写在前面的几句话。');
    await expectAccessible(page);
    expect((await api('GET core/essay/{id}', { id })).html).toContain('写在前面的话');
    await button(decisionPanel(page), '通过').click();
    await expect(page.getByText(`已通过「${title}」`)).toBeVisible();
    expect((await api('GET core/essay/{id}', { id })).html).toContain('写在前面的几句话');
  },
);

test(
  'rejects a decision about an outdated version or an essay that was already decided',
  LARGE_ONLY,
  async ({ page, open, admin, auditor, baseURL, browserErrors }) => {
    browserErrors.allow(/status of (409|404)/);
    const { id, writer } = await submitEssay(baseURL ?? '', { content: '第一稿。' });
    await open(`/audit?id=${id}`, auditor);
    await expect(text(page).getByText('第一稿。')).toBeVisible();
    await writer.call('PUT core/essay/status', { id, status: ESSAY_STATUS.draft });
    await editAndSubmit(writer, id, '第二稿。');
    await button(decisionPanel(page), '通过').click();
    // In a message, and in the panel until the essay is loaded again.
    await expect(page.getByText(/作者刚刚换了内容/).first()).toBeVisible();
    await expect(text(page).getByText('第二稿。')).toBeVisible();
    expect(await stateOf(writer, id)).toEqual({ status: ESSAY_STATUS.waiting, revision: null });

    await admin.call('PUT core/essay/status', { id, status: ESSAY_STATUS.approved });
    await button(decisionPanel(page), '驳回').click();
    await decisionPanel(page).getByLabel('驳回理由').fill('太短了');
    await button(decisionPanel(page), '驳回').click();
    await expect(page.getByText(/刚刚由别人处理/).first()).toBeVisible();
    await expect(page.getByRole('heading', { name: '这篇文章已不在待审之列' })).toBeVisible();
    expect(await stateOf(writer, id)).toEqual({ status: ESSAY_STATUS.approved, revision: null });
  },
);

test('only auditors can open the audit', LARGE_ONLY, async ({ page, open, admin, newUser, baseURL }) => {
  const { id } = await submitEssay(baseURL ?? '');
  const reader = await newUser();
  await expect(reader.call('GET core/sys/essay/audit', { id })).rejects.toThrow('FORBIDDEN');
  await open(`/audit?id=${id}`, await newStaff(admin, baseURL ?? '', 'operator'));
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});

test(
  'an operator takes an essay off the shelf, shelves it again and removes it',
  LARGE_ONLY,
  async ({ page, open, admin, baseURL }) => {
    const { id, title, writer } = await publishEssay(baseURL ?? '');
    await open(
      `/essay?keyword=${encodeURIComponent(title)}`,
      await newStaff(admin, baseURL ?? '', 'operator'),
    );
    await button(page, `下架：${title}`).click();
    await button(panel(page), '下架').click();
    await expect(panel(page).getByText('请写明理由')).toBeVisible();
    await panel(page).getByLabel('下架理由').fill('收到投诉，正在核实');
    await button(panel(page), '下架').click();
    await expect(row(page, title).getByText('已下架')).toBeVisible();
    expect(await noticesOf(writer)).toContain('收到投诉，正在核实');
    await button(page, `上架：${title}`).click();
    await button(panel(page), '上架').click();
    await expect(row(page, title).getByText('已上架')).toBeVisible();

    await button(page, `记录：${title}`).click();
    await expect(panel(page).getByText('重新上架')).toBeVisible();
    await expect(panel(page).getByText('收到投诉，正在核实')).toBeVisible();
    await button(panel(page), '关闭').click();

    await button(page, `更多操作：${title}`).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await panel(page).getByLabel('删除理由').fill('应作者的要求');
    await button(panel(page), '删除').click();
    await expect(page.getByText('没有符合条件的文章')).toBeVisible();
    await expect(writer.call('GET core/essay/{id}/source', { id })).rejects.toThrow('GONE');
  },
);

test(
  'renames and removes a column and keeps its essays',
  LARGE_ONLY,
  async ({ page, open, admin, baseURL }) => {
    const writer = await newWriter(baseURL ?? '');
    const name = `旧的名字 ${Math.random().toString(36).slice(2, 8)}`;
    const column = await writer.call('POST core/essay/column', { name });
    const { id } = await publishEssay(baseURL ?? '', { writer, columnId: column.id });
    await open(
      `/column?keyword=${encodeURIComponent(name)}`,
      await newStaff(admin, baseURL ?? '', 'operator'),
    );
    await button(page, `编辑：${name}`).click();
    await panel(page).getByLabel('名称').fill(`${name}改`);
    await button(panel(page), '保存').click();
    await expect(row(page, `${name}改`)).toBeVisible();
    await button(page, `删除：${name}改`).click();
    await button(panel(page), '删除').click();
    await expect(page.getByText('没有符合条件的专栏')).toBeVisible();
    expect((await writer.call('GET core/essay/{id}', { id })).column).toBeNull();
  },
);

for (const scheme of ['light', 'dark'] as const) {
  test(`the place of an audit is accessible in ${scheme}`, { tag: ['@large', '@long'] }, async ({
    page,
    open,
    admin,
    baseURL,
  }) => {
    const { id, title } = await submitEssay(baseURL ?? '', { content: `${TEXT}\n\n- [ ] 待办\n\n$x^2$` });
    await page.addInitScript((theme) => localStorage.setItem('theme', theme), scheme);
    await open(`/audit?id=${id}`, admin);
    await expect(essayArticle(page, title)).toBeVisible();
    await expectAccessible(page);
  });
}
