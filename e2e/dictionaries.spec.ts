import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { button, expect, heading, LARGE_ONLY, panel, row, test, unique } from './support/office.ts';
import { pictureFile } from './support/pictures.ts';
import { newStaffWith } from './support/staff.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const field = (page: Page, name: string) => panel(page).getByLabel(name, { exact: true });
const save = (page: Page) => button(panel(page), '保存').click();

async function remove(page: Page, name: string): Promise<void> {
  await button(page, `删除：${name}`).click();
  await button(panel(page), '删除').click();
}

async function choosePicture(page: Page, background: string): Promise<void> {
  const uploaded = page.waitForResponse((response) => response.url().includes('/core/minio/upload'));
  await panel(page)
    .locator('input[type=file]')
    .setInputFiles(await pictureFile('cover.png', { width: 640, height: 400, background }));
  await uploaded;
  await expect(button(panel(page), '更换图片')).toBeEnabled();
}

test(
  'adds, edits and removes a sensitive word; names that contain it are rejected meanwhile',
  LARGE_ONLY,
  async ({ page, open, newUser }) => {
    const word = `词${unique()}`;
    await open('/word');
    await button(page, '添加敏感词').click();
    await save(page);
    await expect(panel(page).getByText('请填写敏感词')).toBeVisible();
    await field(page, '敏感词').fill(word);
    await panel(page).getByText(/^打码/).click();
    await save(page);
    await expect(row(page, word).getByText('打码')).toBeVisible();
    await expect(newUser({ displayName: `我是${word}` })).rejects.toThrow(`昵称里不能有「${word}」`);

    await button(page, '添加敏感词').click();
    await field(page, '敏感词').fill(word.toUpperCase());
    await save(page);
    await expect(field(page, '敏感词')).toHaveAccessibleDescription(/已有这个敏感词/);
    await button(panel(page), '取消').click();
    await button(page.getByRole('dialog', { name: '放弃修改？' }), '放弃').click();

    await button(page, `编辑：${word}`).click();
    await panel(page).getByText(/^拒绝/).click();
    await field(page, '备注（可选）').fill('试试');
    await save(page);
    await expect(row(page, word).getByText('拒绝')).toBeVisible();
    await expect(row(page, word).getByText('试试')).toBeVisible();
    await page.getByRole('switch', { name: `启用：${word}` }).click();
    await expect(page.getByText(`已停用「${word}」`)).toBeVisible();
    await newUser({ displayName: `我是${word}` });
    await remove(page, word);
    await expect(row(page, word)).toBeHidden();
  },
);

test('tests a text against the sensitive words', LARGE_ONLY, async ({ page, open, admin }) => {
  const word = `试${unique()}`;
  await admin.call('POST core/sys/word/', { word, level: 'mask' });
  await open('/word');
  await button(page, '测试').click();
  const spaced = `${word.slice(0, 1)} * ${word.slice(1)}`;
  await panel(page).getByLabel('要测试的文字').fill(`有${spaced}，\`${word}\` 在代码里`);
  await expect(panel(page).getByText('打码：照常发布，词被遮住')).toBeVisible();
  await expect(panel(page).locator('mark')).toHaveText([spaced]);
  await expectAccessible(page);
  await panel(page).getByRole('switch', { name: '按 Markdown 处理，代码不算' }).click();
  await expect(panel(page).locator('mark')).toHaveText([spaced, word]);
  await panel(page).getByLabel('要测试的文字').fill('干净的文字');
  await expect(panel(page).getByText('没有敏感词，照常发布')).toBeVisible();
  await panel(page).getByRole('button', { name: '关闭' }).click();
});

test(
  'imports words by paste and file, filters by level, and exports text',
  LARGE_ONLY,
  async ({ page, open }) => {
    const mark = unique();
    await open('/word');
    await button(page, '批量添加').click();
    await button(panel(page), '添加').click();
    await expect(field(page, '敏感词，每行一个')).toHaveAccessibleDescription(/请填写敏感词/);
    await field(page, '敏感词，每行一个').fill(`甲${mark}\n乙${mark}\n甲${mark}\n`);
    await panel(page).getByText(/^拒绝/).click();
    await button(panel(page), '添加').click();
    await expect(page.getByText('新增 2 个')).toBeVisible();

    await button(page, '批量添加').click();
    const buffer = Buffer.from(`# 备注\r\n丙${mark}\r\n乙${mark}\r\n`);
    await panel(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'words.txt', mimeType: 'text/plain', buffer });
    await expect(field(page, '敏感词，每行一个')).toHaveValue(/丙/);
    await button(panel(page), '添加').click();
    await expect(page.getByText('新增 1 个，1 个已有')).toBeVisible();

    await page.getByLabel('搜索敏感词或备注').fill(mark);
    await page.getByLabel('搜索敏感词或备注').press('Enter');
    await expect(page.getByText('共 3 条')).toBeVisible();
    await page.getByRole('combobox', { name: '级别' }).click();
    await page.getByTitle('拒绝', { exact: true }).last().click();
    await expect(page).toHaveURL(/level=refuse/);
    await expect(page.getByText('共 2 条')).toBeVisible();
    const saved = page.waitForEvent('download');
    await button(page, '导出文本').click();
    const file = await readFile(await (await saved).path(), 'utf8');
    expect(file).toBe(`乙${mark}\n甲${mark}\n`);

    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    await button(page, '删除').click();
    await button(page.getByRole('dialog', { name: '删除这 2 个敏感词？' }), '删除').click();
    await expect(page.getByText('没有符合条件的敏感词')).toBeVisible();
  },
);

test(
  'creates, fills and reorders a dictionary, which cannot be removed while it has items',
  LARGE_ONLY,
  async ({ page, open, api, browserErrors }) => {
    browserErrors.allow(/status of 422/);
    const code = `dict-${unique()}`;
    const items = async () => {
      const found = await api('GET core/sys/dict/item/', { code });
      return Array.isArray(found) ? found.map((each) => each.item) : [];
    };
    await open('/dict');
    const dicts = page.getByRole('navigation', { name: '字典' }).getByRole('link');
    await page.getByLabel('查找字典').fill('驳回');
    await expect(dicts).toHaveCount(1);
    await dicts.filter({ hasText: '驳回理由' }).click();
    await expect(row(page, '与技术无关')).toBeVisible();
    await button(page, '新建字典').click();
    await field(page, '名称').fill('心情');
    await field(page, '编码').fill('audit-reason');
    await save(page);
    await expect(field(page, '编码')).toHaveAccessibleDescription(/已有字典使用/);
    await field(page, '编码').fill('不行');
    await save(page);
    await expect(field(page, '编码')).toHaveAccessibleDescription(/小写字母/);
    await field(page, '编码').fill(code);
    await save(page);
    await expect(page.getByRole('heading', { level: 2, name: '心情' })).toBeVisible();
    await expect(page.getByText('还没有条目')).toBeVisible();

    for (const [item, value] of [
      ['高兴', 'glad'],
      ['平静', 'calm'],
    ] as const) {
      await button(page, '新建条目').click();
      await field(page, '文字').fill(item);
      await field(page, '值').fill(value);
      await save(page);
      await expect(row(page, item)).toBeVisible();
    }
    await button(page, '上移：平静').click();
    await expect(page.getByText('已调整顺序')).toBeVisible();
    expect(await items()).toEqual(['平静', '高兴']);
    await page.getByRole('switch', { name: '启用：平静' }).click();
    await expect(page.getByText('已停用「平静」')).toBeVisible();
    expect(await items()).toEqual(['高兴']);
    await button(page, '编辑：高兴').click();
    await field(page, '值').fill('calm');
    await save(page);
    await expect(field(page, '值')).toHaveAccessibleDescription(/已有这个值/);
    await field(page, '值').fill('happy');
    await field(page, '文字').fill('开心');
    await save(page);
    await expect(row(page, '开心').getByText('happy')).toBeVisible();

    await remove(page, '心情');
    await expect(page.getByText('这个字典里还有条目，请先删除条目')).toBeVisible();
    for (const item of ['平静', '开心']) {
      await remove(page, item);
      await expect(row(page, item)).toBeHidden();
    }
    await remove(page, '心情');
    await expect(page.getByRole('link', { name: /心情/ })).toBeHidden();
  },
);

test(
  'a banner has an image, a link and a display period',
  LARGE_ONLY,
  async ({ page, open, api, browserErrors }) => {
    browserErrors.allow(/status of 422/);
    const title = `专题 ${unique()}`;
    const titles = async () => {
      const banners = await api('GET core/sys/cover/', { kind: 'banner' });
      return Array.isArray(banners) ? banners.map((each) => each.title) : [];
    };
    await open('/cover');
    await page.getByRole('link', { name: '首页横幅' }).click();
    await button(page, '添加横幅').click();
    await field(page, '标题').fill(title);
    await save(page);
    await expect(panel(page).getByText('请选择图片')).toBeVisible();
    await choosePicture(page, '#405e78');
    await expect(panel(page).getByRole('img', { name: `预览：${title}` })).toBeVisible();
    await field(page, '链接（可选）').fill('javascript:alert(1)');
    await field(page, '开始时间').fill('2020-01-02T08:00');
    await field(page, '结束时间').fill('2020-01-01T08:00');
    await save(page);
    await expect(field(page, '链接（可选）')).toHaveAccessibleDescription(/本站的路径/);
    await field(page, '链接（可选）').fill('/essay/tech.html');
    await save(page);
    await expect(field(page, '结束时间')).toHaveAccessibleDescription(/要晚于开始时间/);
    await field(page, '结束时间').fill('2090-01-01T08:00');
    await expectAccessible(page);
    await save(page);
    await expect(row(page, title).getByText('展示中')).toBeVisible();
    await expect(row(page, title).getByText('2020-01-02 08:00 到 2090-01-01 08:00')).toBeVisible();
    expect(await titles()).toContain(title);

    await button(page, `编辑：${title}`).click();
    await expect(field(page, '开始时间')).toHaveValue('2020-01-02T08:00');
    await field(page, '开始时间').fill('2080-01-01T08:00');
    await choosePicture(page, '#71543a');
    await save(page);
    await expect(row(page, title).getByText('未开始')).toBeVisible();
    expect(await titles()).not.toContain(title);
    await button(page, `预览：${title}`).click();
    await expect(panel(page).getByRole('img', { name: `预览：${title}` })).toBeVisible();
    await panel(page).getByRole('button', { name: '关闭' }).click();
    await remove(page, title);
    await expect(row(page, title)).toBeHidden();
  },
);

test('lists covers in order', LARGE_ONLY, async ({ page, open, api }) => {
  const [far, near] = [`远山 ${unique()}`, `秋色 ${unique()}`];
  await open('/cover');
  for (const title of [far, near]) {
    await button(page, '添加封面').click();
    await field(page, '标题').fill(title);
    await choosePicture(page, title === far ? '#799dbb' : '#b49072');
    await expect(field(page, '开始时间')).toBeHidden();
    await save(page);
    await expect(row(page, title)).toBeVisible();
  }
  await button(page, `下移：${far}`).click();
  await expect(page.getByText('已调整顺序')).toBeVisible();
  await page.getByRole('switch', { name: `启用：${near}` }).click();
  await expect(page.getByText(`已停用「${near}」`)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row').last().getByText(far)).toBeVisible();
  const library = await api('GET core/sys/cover/', { kind: 'library' });
  const titles = Array.isArray(library) ? library.map((each) => each.title) : [];
  expect(titles).toContain(far);
  expect(titles).not.toContain(near);
});

test(
  'offers no changes without write permission, and no screens without read permission',
  LARGE_ONLY,
  async ({ page, open, admin, newUser, url }) => {
    await open('/dict', await newStaffWith(admin, url, ['word:list', 'dict:list', 'cover:list']));
    await expect(row(page, '没有违法')).toBeVisible();
    await expect(page.getByRole('button', { name: /新建|编辑|删除|上移/ })).toHaveCount(0);
    await expect(page.getByRole('switch').first()).toBeDisabled();
    await page.goto('/admin/word');
    await expect(heading(page, '敏感词')).toBeVisible();
    await expect(button(page, '测试')).toBeVisible();
    await expect(page.getByRole('button', { name: /添加/ })).toHaveCount(0);
    await page.goto('/admin/cover');
    await expect(heading(page, '封面与横幅')).toBeVisible();
    await expect(page.getByRole('button', { name: /添加/ })).toHaveCount(0);
    await page.goto('/admin/category');
    await expect(heading(page, '没有打开这个页面的权限')).toBeVisible();
    await open('/word', await newUser());
    await expect(heading(page, '没有后台权限')).toBeVisible();
  },
);
