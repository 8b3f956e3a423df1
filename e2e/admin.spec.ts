import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { button, expect, heading, isPhone, LARGE_ONLY, panel, row, test, unique } from './support/office.ts';
import { newStaff } from './support/staff.ts';
import { choosePassword, createApiClient, signIn, type TestUser } from './support/users.ts';

test.describe.configure({ mode: 'default' });
// Without animations, so that colours and positions are final.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const field = (page: Page, name: string) => panel(page).getByLabel(name, { exact: true });

async function save(page: Page): Promise<void> {
  await button(panel(page), '保存').click();
}

async function choose(page: Page, action: string, name: string): Promise<void> {
  const [inSight, more] = [button(page, `${action}：${name}`), button(page, `更多操作：${name}`)];
  await expect(inSight.or(more).first()).toBeAttached();
  if ((await inSight.count()) > 0) return inSight.click();
  await more.click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function fillSignIn(
  page: Page,
  { account, password }: Pick<TestUser, 'account' | 'password'>,
): Promise<void> {
  await choosePassword(page);
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await button(page, '登录').click();
}

/** Replaces the text by keyboard, because Chromium adds a style attribute on `fill`. */
async function write(source: Locator, text: string): Promise<void> {
  await source.press('ControlOrMeta+a');
  await source.press('Delete');
  await source.page().keyboard.insertText(text);
}

/** Names in the side menu; on phones it must be opened first. */
async function menuNames(page: Page): Promise<string[]> {
  if (isPhone(page)) await button(page, '打开菜单').click();
  const menu = page.getByRole('navigation', { name: '后台菜单' });
  await expect(menu.getByRole('link', { name: '工作台' })).toBeVisible();
  const names = await menu.getByRole('link').allTextContents();
  if (isPhone(page)) await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click();
  return names;
}

test('redirects visitors to the sign-in page and back', async ({ page, admin }) => {
  await page.goto('/admin/account?keyword=lin');
  await expect(page).toHaveURL(/\/login\.html\?way=password&redirect=%2Fadmin%2Faccount%3Fkeyword%3Dlin$/);
  await fillSignIn(page, admin);
  await expect(page).toHaveURL(/\/admin\/account\?keyword=lin$/);
  await expect(heading(page, '账号')).toBeVisible();
  await expect(page.getByLabel('昵称、账号或邮箱的开头')).toHaveValue('lin');
});

test('denies access to readers', LARGE_ONLY, async ({ page, open, newUser }) => {
  const reader = await newUser();
  await open('/account', reader);
  await expect(heading(page, '没有后台权限')).toBeVisible();
  await expect(page.getByText(reader.user.displayName)).toBeVisible();
  await expectAccessible(page);
  await button(page, '换个账号登录').click();
  await expect(page).toHaveURL(/\/login\.html\?way=password&redirect=%2Fadmin%2Faccount$/);
});

test(
  'requires a new password before the first access',
  LARGE_ONLY,
  async ({ page, open, admin, baseURL }) => {
    const account = `fresh-${unique()}`;
    const password = `first ${unique()} password`;
    const roles = await admin.call('GET core/sys/role/', { pageSize: 100 });
    const roleIds = 'list' in roles ? roles.list.map((role) => role.id) : [];
    await admin.call('POST core/sys/account/', { account, password, roleIds });
    await open('/role', await signIn(baseURL ?? '', { account, password }));
    await expect(page).toHaveURL(/\/login\.html\?way=password&redirect=%2Fadmin%2Frole$/);
    await fillSignIn(page, { account, password });
    await page.getByLabel('新密码').fill(`own ${unique()} password`);
    await button(page, '保存并继续').click();
    await expect(page).toHaveURL(/\/admin\/role$/);
    await expect(heading(page, '角色')).toBeVisible();
  },
);

test('an operator sees only the menus and screens of the role', async ({ page, open, admin, baseURL }) => {
  await open('/', await newStaff(admin, baseURL ?? '', 'operator'));
  expect(await menuNames(page)).toEqual([
    '工作台',
    '开关',
    '文章',
    '专栏',
    '评论',
    '举报',
    '封面与横幅',
    '公告',
    '敏感词',
    '分类',
    '标签',
    '站内搜索',
    '媒体库',
    '页面',
    '导航',
    '友情链接',
    '旧网址跳转',
    '搜索引擎',
    '访问统计',
    '用户管理',
    '专家申请',
    '码星',
    '订单',
    '会员与方案',
    '字典',
    '站点设置',
    '系统状态',
  ]);
  await expect(page.getByRole('region', { name: '最近注册' })).toBeVisible();
  await expect(page.getByRole('region', { name: '最近操作' })).toBeHidden();
  for (const path of ['/account', '/role', '/menu', '/log']) {
    await page.goto(`/admin${path}`);
    await expect(heading(page, '没有打开这个页面的权限')).toBeVisible();
  }
  await page.goto('/admin/setting');
  await expect(page.getByLabel('站名')).toBeDisabled();
  await expect(button(page, '保存')).toBeHidden();
});

test(
  'follows signing out in another tab',
  LARGE_ONLY,
  async ({ page, open, context, admin, baseURL, browserErrors }) => {
    // A request of the first tab may fail with 401.
    browserErrors.allow(/status of 401/);
    const staff = await newStaff(admin, baseURL ?? '', 'operator');
    await open('/', staff);
    await expect(heading(page, new RegExp(staff.user.displayName))).toBeVisible();
    const other = await context.newPage();
    await other.goto('/admin/user');
    await other.getByRole('button', { name: /账户菜单/ }).click();
    await other.getByRole('menuitem', { name: '退出登录' }).click();
    await expect(other).toHaveURL(/\/login\.html\?way=password&redirect=%2Fadmin%2Fuser$/);
    await expect(page).toHaveURL(/\/login\.html\?way=password&redirect=%2Fadmin%2F$/);
  },
);

test('creates, uses, edits, disables and removes an account', async ({
  page,
  open,
  browserErrors,
  baseURL,
}) => {
  browserErrors.allow(/status of 422/);
  const account = `clerk-${unique()}`;
  await open('/account');
  await button(page, '新建账号').click();
  await save(page);
  await expect(panel(page).getByText('请填写账号')).toBeVisible();
  await field(page, '账号').fill('不行');
  await save(page);
  await expect(field(page, '账号')).toHaveAccessibleDescription(/小写字母/);
  await expect(field(page, '账号')).toHaveValue('不行');
  await field(page, '账号').fill(account);
  await field(page, '昵称（可选）').fill('值班员');
  await field(page, '角色').click();
  await page.getByTitle('运营', { exact: true }).click();
  const password = await field(page, '初始密码').inputValue();
  await save(page);
  await expect(panel(page).getByLabel('新密码')).toHaveValue(password);
  await button(panel(page), '我已记下').click();
  await expect(row(page, account).getByText('运营')).toBeVisible();

  // The sign-in page requires a new password.
  const clerk = createApiClient(baseURL ?? '');
  const user = await clerk('POST core/account/login', { account, password });
  expect(user).toMatchObject({ mustChangePassword: true, access: 'admin' });

  await choose(page, '编辑', account);
  await field(page, '昵称').fill('白班值班员');
  await save(page);
  await expect(row(page, account).getByText('白班值班员')).toBeVisible();

  await choose(page, '停用', account);
  await button(page.getByRole('dialog', { name: `停用账号「${account}」？` }), '停用').click();
  await expect(row(page, account).getByText('停用', { exact: true })).toBeVisible();
  await expect(clerk('POST core/account/login', { account, password })).rejects.toThrow('ACCOUNT_DISABLED');

  await page.getByLabel('昵称、账号或邮箱的开头').fill(account);
  await page.getByLabel('昵称、账号或邮箱的开头').press('Enter');
  await expect(page).toHaveURL(new RegExp(`keyword=${account}$`));
  await page.reload();
  await expect(row(page, account)).toBeVisible();
  await choose(page, '删除', account);
  await button(panel(page), '删除').click();
  await expect(page.getByText(`已删除账号「${account}」`)).toBeVisible();
  await expect(page.getByText('没有符合条件的账号')).toBeVisible();
});

test(
  'creates a role with menus, which its accounts receive',
  LARGE_ONLY,
  async ({ page, open, admin, baseURL }) => {
    const code = `role-${unique()}`;
    const name = `值班 ${unique()}`;
    await open('/role');
    await button(page, '新建角色').click();
    await field(page, '角色名').fill(name);
    await field(page, '角色编码').fill('super');
    await save(page);
    await expect(field(page, '角色编码')).toHaveAccessibleDescription(/已被使用/);
    await field(page, '角色编码').fill(code);
    await save(page);
    await expect(row(page, code)).toBeVisible();
    const staff = await newStaff(admin, baseURL ?? '', code);

    await choose(page, '菜单权限', name);
    const box = (menu: string) => panel(page).getByRole('treeitem', { name: new RegExp(`^${menu}`) });
    const check = (menu: string) => box(menu).locator('.ant-tree-checkbox').click();
    await expect(panel(page).getByText('已选 0 项')).toBeVisible();
    await check('修改用户');
    // Selected without its parents, which are then half checked.
    await expect(panel(page).getByText('已选 1 项')).toBeVisible();
    await expect(box('用户管理')).toHaveAttribute('aria-checked', 'mixed');
    await check('操作日志');
    await check('页面');
    await expect(panel(page).getByText('已选 6 项')).toBeVisible();
    await expectAccessible(page);
    await save(page);
    await expect(page.getByText(`已保存「${name}」的菜单`)).toBeVisible();
    await choose(page, '菜单权限', name);
    await expect(panel(page).getByText('已选 6 项')).toBeVisible();
    await panel(page).getByRole('button', { name: '关闭' }).click();

    await choose(page, '菜单权限', '超级管理员');
    await expect(panel(page).getByText('超级管理员拥有全部菜单')).toBeVisible();
    await expect(button(panel(page), '保存')).toBeHidden();

    await open('/', staff);
    expect(await menuNames(page)).toEqual(['工作台', '页面', '用户管理', '操作日志']);
  },
);

test('creates, renames and moves menus; asks before discarding input', LARGE_ONLY, async ({ page, open }) => {
  const name = `报表 ${unique()}`;
  await open('/menu');
  // The operations of a screen are hidden at first.
  await expect(row(page, '操作日志')).toBeVisible();
  await expect(row(page, 'menu:remove')).toBeHidden();
  await row(page, 'menu:list').getByRole('button', { name: '展开行' }).click();
  await expect(row(page, 'menu:remove')).toBeVisible();
  await row(page, 'menu:list').getByRole('button', { name: '关闭行' }).click();
  await expect(row(page, 'menu:remove')).toBeHidden();
  const keyword = page.getByLabel('搜索菜单名、路径或权限');
  await keyword.fill('menu:remove');
  await keyword.press('Enter');
  await expect(row(page, 'menu:remove')).toBeVisible();
  await open('/menu');
  // A new operation is visible at once.
  const operation = `操作 ${unique()}`;
  await choose(page, '新建下级', '菜单');
  await field(page, '菜单名').fill(operation);
  await field(page, '权限').fill('menu:archive');
  await save(page);
  await expect(row(page, operation)).toBeVisible();
  await choose(page, '删除', operation);
  await button(panel(page), '删除').click();
  await expect(row(page, operation)).toBeHidden();
  await choose(page, '新建下级', '内容');
  await field(page, '菜单名').fill(name);
  await field(page, '路径').fill('/figures');
  await field(page, '图标').click();
  await page.keyboard.type('设置');
  await page
    .getByTitle('设置')
    .or(page.getByText('设置', { exact: true }))
    .last()
    .click();
  await panel(page).getByRole('button', { name: '关闭' }).click();
  await button(page.getByRole('dialog', { name: '放弃修改？' }), '取消').click();
  await expect(field(page, '菜单名')).toHaveValue(name);
  await save(page);
  await expect(row(page, name)).toBeVisible();
  await expect.poll(() => menuNames(page)).toContain(name);

  // The message may have disappeared again when a busy browser has rendered the list.
  const message = page.getByText('已调整顺序').waitFor();
  await button(page, `上移：${name}`).click();
  await message;
  await expect.poll(async () => (await menuNames(page)).slice(12, 15)).toEqual(['站内搜索', name, '媒体库']);
  const disabled = page.getByText(`已停用「${name}」`).waitFor();
  await page.getByRole('switch', { name: `启用：${name}` }).click();
  await disabled;
  await expect.poll(() => menuNames(page)).not.toContain(name);
  await choose(page, '删除', name);
  await button(panel(page), '删除').click();
  await expect(row(page, name)).toBeHidden();
});

test(
  'a category appears on the site and disappears when disabled',
  LARGE_ONLY,
  async ({ page, open, api, browserErrors }) => {
    browserErrors.allow(/status of 422/);
    const slug = `cat-${unique()}`;
    const slugs = async () => (await api('GET core/site/')).categories.map((category) => category.slug);
    await open('/category');
    await button(page, '新建分类').click();
    await field(page, '名称').fill('随笔');
    await field(page, '地址').fill('detail');
    await save(page);
    await expect(field(page, '地址')).toHaveAccessibleDescription(/另有用处/);
    await field(page, '地址').fill(slug);
    await save(page);
    await expect(row(page, slug)).toBeVisible();
    expect(await slugs()).toContain(slug);
    await page.getByRole('switch', { name: '启用：随笔' }).click();
    await expect(page.getByText('已停用「随笔」')).toBeVisible();
    expect(await slugs()).not.toContain(slug);
    await choose(page, '删除', '随笔');
    await button(panel(page), '删除').click();
    await expect(row(page, slug)).toBeHidden();
  },
);

test(
  'edits an info page with a preview and resolves an edit conflict',
  LARGE_ONLY,
  async ({ page, open, admin, api, browserErrors }) => {
    browserErrors.allow(/status of 409/);
    await open('/page?page=contact');
    const source = page.getByLabel('「联系我们」的 Markdown');
    const preview = page.getByRole('region', { name: '预览' });
    await write(source, '## 写信给我们\n\n{{站名}}在等你的信。');
    if (isPhone(page)) await page.getByText('预览', { exact: true }).click();
    await expect(preview.getByRole('heading', { name: '写信给我们' })).toBeVisible();
    await expect(preview.getByText('墨栈在等你的信。')).toBeVisible();
    await button(page, '保存').click();
    await expect(page.getByText('已保存「联系我们」')).toBeVisible();
    expect((await api('GET core/site/', { page: 'contact' })).page?.html).toContain('墨栈在等你的信');

    if (isPhone(page)) await page.getByText('编辑', { exact: true }).click();
    await write(source, '我的版本');
    const stored = await admin.call('GET core/sys/page/', { page: 'contact' });
    const version = Array.isArray(stored) ? 0 : stored.version;
    await admin.call('PUT core/sys/page/', { page: 'contact', version, content: '别处的版本' });
    await button(page, '保存').click();
    await expect(panel(page).getByText('这一页已在别处更新')).toBeVisible();
    await expect(panel(page).getByText('别处的版本', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await button(panel(page), '继续编辑').click();
    await expect(source).toHaveText('我的版本');
    await button(page, '保存').click();
    await button(panel(page), '用我的覆盖').click();
    await expect(page.getByText('有改动没有保存')).toBeHidden();
    expect((await api('GET core/site/', { page: 'contact' })).page?.html).toContain('我的版本');
  },
);

test(
  'settings mark defaults and changes, and ask before leaving',
  LARGE_ONLY,
  async ({ page, open, api, applySettings }) => {
    await applySettings({});
    await open('/setting');
    const basics = page.getByRole('region', { name: '基本' });
    await expect(basics.getByText('默认值')).toHaveCount(6);
    await page.getByLabel('一句话介绍').fill('慢慢写');
    await page.getByLabel('选择主色').fill('#1677ff');
    await expect(basics.getByText('默认是「写下代码背后的思考」')).toBeVisible();
    await page
      .getByRole('link', { name: /后台首页/ })
      .or(page.getByRole('button', { name: '打开菜单' }))
      .first()
      .click();
    if (isPhone(page)) await panel(page).getByRole('link', { name: '工作台' }).click();
    await button(page.getByRole('dialog', { name: '放弃修改？' }), '取消').click();
    await expect(page).toHaveURL(/\/admin\/setting$/);
    await button(page, '保存').click();
    await expect(page.getByText('没有改动')).toBeVisible();
    expect((await api('GET core/site/')).settings).toMatchObject({
      tagline: '慢慢写',
      colorPrimary: '#1677ff',
    });
    await expectAccessible(page);
    await button(page, '恢复默认：主色').click();
    await button(page, '恢复默认：一句话介绍').click();
    await button(page, '保存').click();
    await expect(page.getByText('没有改动')).toBeVisible();
    await expect(basics.getByText('默认值')).toHaveCount(6);
  },
);

test(
  'finds users, makes them writers and exports them; the log records it',
  LARGE_ONLY,
  async ({ page, open, newUser }) => {
    const name = `读者 ${unique()}`;
    const { account } = await newUser({ displayName: name });
    await open('/user');
    await page.getByLabel('昵称，或账号、邮箱的开头').fill(name);
    await page.getByLabel('昵称，或账号、邮箱的开头').press('Enter');
    await expect(page.getByText('共 1 条')).toBeVisible();
    await page.getByLabel(`身份：${name}`).click();
    await page.getByTitle('作者', { exact: true }).last().click();
    await button(panel(page), '确定').click();
    await expect(page.getByText(`已把「${name}」设为作者`)).toBeVisible();

    const saved = page.waitForEvent('download');
    await button(page, '导出 CSV').click();
    const file = await readFile(await (await saved).path(), 'utf8');
    expect(file).toContain('昵称,账号,身份');
    expect(file).toContain(`${name},${account},作者`);

    await page.goto('/admin/log?call=PUT+core%2Fsys%2Fuser%2F');
    await page.getByRole('button', { name: '展开行' }).first().click();
    const changes = page.getByRole('region', { name: '改动前后' });
    await expect(changes.getByRole('row', { name: '身份 1 2' })).toBeVisible();
    await expectAccessible(page);
  },
);

test('an unknown URL returns 404 with a link back', LARGE_ONLY, async ({ page, open, browserErrors }) => {
  browserErrors.allow(/status of 404/);
  await open('/');
  const answer = await page.goto('/admin/nowhere');
  expect(answer?.status()).toBe(404);
  await expect(heading(page, '没有这个页面')).toBeVisible();
  await button(page, '回到工作台').click();
  await expect(page).toHaveURL(/\/admin\/$/);
});
