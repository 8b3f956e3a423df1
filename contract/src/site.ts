import { z } from 'zod';
import { visibleAnnouncement } from './announcements.ts';
import { category } from './categories.ts';
import { done, flag, time } from './common.ts';
import { defineCall } from './define.ts';
import { pageReference, visibleNavigation } from './navigation.ts';
import { infoPageNames, isPageSlug, isReservedPageSlug, MAX_SLUG_LENGTH } from './page-address.ts';
import { publicSwitches } from './switches.ts';
import { userCard } from './users.ts';

const singleLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^\P{Cc}*$/u, '不能换行');

export const siteSettings = z.object({
  title: singleLine(20).min(1).meta({ title: '站名' }),
  tagline: singleLine(60).meta({ title: '一句话介绍' }),
  /** Path of an uploaded image; empty for the built-in logo. */
  logo: z
    .string()
    .trim()
    .max(300)
    .regex(/^(\/files\/[\w./-]+)?$/, '请上传一张图片')
    .meta({ title: '标志' }),
  navTheme: z.enum(['light', 'dark']).meta({ title: '导航主题' }),
  colorPrimary: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, '请用 #ff6968 这样的颜色')
    .meta({ title: '主色' }),
  layout: z.enum(['top', 'side', 'mix']).meta({ title: '布局' }),
  contentWidth: z.enum(['Fixed', 'Fluid']).meta({ title: '内容宽度' }),
  fixedHeader: z.boolean().meta({ title: '固定顶栏' }),
  fixSiderbar: z.boolean().meta({ title: '固定侧栏' }),
  colorWeak: z.boolean().meta({ title: '色弱模式' }),
  pwa: z.boolean().meta({ title: '离线支持' }),
  /** Displays province or country on essays and profiles. */
  showRegion: z.boolean().meta({ title: '显示 IP 属地' }),
  /** Users without a bound phone number cannot post; applies only when SMS is configured. */
  requirePhone: z.boolean().meta({ title: '发布前绑定手机号' }),
  hotDays: z
    .int()
    .min(1)
    .max(365)
    .meta({ title: '热度的天数', description: '热榜里，十倍的关注抵得上几天的新旧' }),
  hotFloor: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ title: '热榜的门槛', description: '折合不到这么多次阅读的文章，排在所有够得上的之后' }),
  /** Registration numbers; empty ones are hidden. */
  icp: singleLine(40).meta({ title: 'ICP 备案号' }),
  psb: singleLine(40).meta({ title: '公安备案号' }),
  email: z.union([z.literal(''), z.email('邮箱地址的格式不对').max(100)]).meta({ title: '联系邮箱' }),
});
export type SiteSettings = z.output<typeof siteSettings>;

/** A page that comes with the program, at `/{name}.html`. */
const infoPageName = z.enum(infoPageNames).meta({ title: '页面' });

const tocEntry = z.object({ id: z.string(), text: z.string(), level: z.int() });

export const infoPage = z.object({
  page: infoPageName,
  title: z.string(),
  summary: z.string(),
  html: z.string(),
  toc: z.array(tocEntry),
  updatedAt: time,
});
export type InfoPage = z.output<typeof infoPage>;

export const sitePage = infoPage.omit({ page: true }).extend({
  slug: z.string(),
  path: z.string().meta({ description: '页面的地址；与所问的不同时，那里是旧的地址' }),
});
export type SitePage = z.output<typeof sitePage>;

export const getSite = defineCall({
  method: 'GET',
  path: 'core/site/',
  summary: '站点的公开设置与现在的公告；带 page：同时给出那一篇说明',
  access: 'anyone',
  input: z.object({ page: infoPageName.optional() }),
  output: z.object({
    settings: siteSettings,
    categories: z.array(category.pick({ id: true, slug: true, name: true, icon: true })),
    announcements: z.array(visibleAnnouncement),
    switches: publicSwitches.meta({ description: '现在开放什么' }),
    features: z.object({ mail: z.boolean(), sms: z.boolean() }),
    /** Current year, for the copyright line. */
    year: z.int(),
    page: infoPage.optional(),
    navigation: visibleNavigation.optional().meta({ description: '改过的导航；没有：默认的' }),
    verification: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: '搜索引擎的验证标签：名称与内容；没有设置则没有' }),
    hasFriendLinks: z.literal(true).optional().meta({ description: '有启用的友情链接' }),
  }),
});
export type Site = z.output<typeof getSite.output>;

export const getSitePage = defineCall({
  method: 'GET',
  path: 'core/site/page',
  summary: '一个已发布的页面，按现在或从前的地址',
  access: 'anyone',
  input: z.object({ slug: z.string().trim().min(1).max(100).meta({ title: '地址' }) }),
  output: sitePage,
});

export const getSettings = defineCall({
  method: 'GET',
  path: 'core/sys/setting/',
  summary: '站点设置',
  access: 'setting:list',
  input: z.object({}),
  output: siteSettings,
});

export const updateSettings = defineCall({
  method: 'PUT',
  path: 'core/sys/setting/',
  summary: '修改站点设置；只改所给的',
  access: 'setting:update',
  input: siteSettings.partial(),
  output: siteSettings,
});

export const previewSettings = defineCall({
  method: 'POST',
  path: 'core/sys/setting/preview',
  summary: '预览：十分钟内有效的首页地址，看上去像已保存了所给的设置',
  access: 'setting:update',
  input: siteSettings.partial(),
  output: z.object({ url: z.string() }),
  readOnly: true,
  limit: { max: 120, per: 60 },
});

/** `page` is the name of a page that comes with the program, or the id of another. */
export const staffPage = sitePage.extend({
  page: z.string(),
  published: flag,
  publishedAt: time.nullable(),
  inNavigation: z.boolean(),
  content: z.string(),
  version: z.int(),
});
export type StaffPage = z.output<typeof staffPage>;

export const listInfoPages = defineCall({
  method: 'GET',
  path: 'core/sys/page/',
  summary: '内置的六个页面；带 page：任何一个页面',
  access: 'page:list',
  input: z.object({ page: pageReference.optional() }),
  output: z.union([staffPage, z.array(staffPage)]),
});

const listedPage = staffPage
  .omit({ summary: true, html: true, toc: true, content: true })
  .extend({ builtIn: z.boolean() });
export type ListedPage = z.output<typeof listedPage>;

export const listPages = defineCall({
  method: 'GET',
  path: 'core/sys/page/all',
  summary: '全部页面，不带正文；内置的在前，其余新的在前',
  access: 'page:list',
  input: z.object({}),
  output: z.array(listedPage),
});

const pageFields = z.object({
  title: singleLine(50).min(1).meta({ title: '标题' }),
  slug: z
    .string()
    .trim()
    .normalize('NFC')
    .max(MAX_SLUG_LENGTH)
    .refine(isPageSlug, '请用 1–80 个小写字母、数字、短横线或汉字，不以短横线开头或结尾')
    .refine((slug) => !isReservedPageSlug(slug), '这个地址另有用处，换一个试试')
    .meta({ title: '地址', description: '页面在 /page/地址.html' }),
  content: z.string().max(100_000).meta({ title: '正文' }),
  published: flag.meta({ title: '发布' }),
});

export const createPage = defineCall({
  method: 'POST',
  path: 'core/sys/page/',
  maxBodyBytes: 512 * 1024,
  summary: '新建页面；不给地址：由标题而来；不给 published：存为草稿',
  access: 'page:create',
  input: pageFields.partial().required({ title: true }),
  output: staffPage,
  errors: ['PAGE_TAKEN', 'TOO_MANY_PAGES'],
});

export const updatePage = defineCall({
  method: 'PUT',
  path: 'core/sys/page/',
  maxBodyBytes: 512 * 1024,
  summary: '修改一个页面；version 是读到时的版本；地址改了，旧的地址转到新的',
  access: 'page:update',
  input: pageFields
    .extend({ content: pageFields.shape.content.min(1) })
    .partial()
    .extend({ page: pageReference, version: z.int().min(1).meta({ title: '版本' }) }),
  output: staffPage,
  errors: ['STALE_VERSION', 'PAGE_TAKEN', 'PAGE_BUILT_IN'],
});

export const removePage = defineCall({
  method: 'DELETE',
  path: 'core/sys/page/',
  summary: '删除一个页面，连同它的历史版本',
  access: 'page:remove',
  input: z.object({ page: pageReference }),
  output: done,
  errors: ['PAGE_BUILT_IN'],
});

const pageVersion = z.object({
  version: z.int(),
  title: z.string(),
  user: userCard.nullable().meta({ description: '谁写的；空：随程序或导入而来' }),
  createdAt: time,
});
export type PageVersion = z.output<typeof pageVersion>;

export const listPageVersions = defineCall({
  method: 'GET',
  path: 'core/sys/page/version',
  summary: '一个页面最近的五十个版本，新的在前；带 version：其中一个的全文',
  access: 'page:list',
  input: z.object({ page: pageReference, version: z.int().min(1).max(2_000_000_000).optional() }),
  output: z.union([pageVersion.extend({ content: z.string() }), z.array(pageVersion)]),
});

export const previewPage = defineCall({
  method: 'POST',
  path: 'core/sys/page/preview',
  maxBodyBytes: 512 * 1024,
  summary: '预览：与保存后的页面一样',
  access: 'page:update',
  input: z.object({ content: z.string().max(100_000).meta({ title: '正文' }) }),
  output: infoPage.pick({ html: true, toc: true }),
  readOnly: true,
  limit: { max: 120, per: 60 },
});

export const calls = [
  getSite,
  getSitePage,
  getSettings,
  updateSettings,
  previewSettings,
  listInfoPages,
  listPages,
  createPage,
  updatePage,
  removePage,
  listPageVersions,
  previewPage,
] as const;
