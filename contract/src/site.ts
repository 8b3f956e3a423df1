import { z } from 'zod';
import { visibleAnnouncement } from './announcements.ts';
import { category } from './categories.ts';
import { time } from './common.ts';
import { defineCall } from './define.ts';
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
  requirePhone: z.boolean().meta({ title: '发表前绑定手机号' }),
  /** Registration numbers; empty ones are hidden. */
  icp: singleLine(40).meta({ title: 'ICP 备案号' }),
  psb: singleLine(40).meta({ title: '公安备案号' }),
  email: z.union([z.literal(''), z.email('邮箱地址的格式不对').max(100)]).meta({ title: '联系邮箱' }),
});
export type SiteSettings = z.output<typeof siteSettings>;

/** The six pages of the footer, each at `/{name}.html`. */
export const infoPageNames = ['about', 'apply', 'help', 'usp', 'privacy', 'contact'] as const;
export const infoPageName = z.enum(infoPageNames).meta({ title: '页面' });
export type InfoPageName = z.output<typeof infoPageName>;

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
    features: z.object({ mail: z.boolean(), sms: z.boolean() }),
    /** Current year, for the copyright line. */
    year: z.int(),
    page: infoPage.optional(),
  }),
});
export type Site = z.output<typeof getSite.output>;

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

export const staffInfoPage = infoPage.extend({ content: z.string(), version: z.int() });
export type StaffInfoPage = z.output<typeof staffInfoPage>;

export const listInfoPages = defineCall({
  method: 'GET',
  path: 'core/sys/page/',
  summary: '说明页面：全部六篇；带 page：其中一篇',
  access: 'page:list',
  input: z.object({ page: infoPageName.optional() }),
  output: z.union([staffInfoPage, z.array(staffInfoPage)]),
});

export const updateInfoPage = defineCall({
  method: 'PUT',
  path: 'core/sys/page/',
  maxBodyBytes: 512 * 1024,
  summary: '修改一篇说明页面；version 是读到时的版本',
  access: 'page:update',
  input: z.object({
    page: infoPageName,
    version: z.int().min(1).meta({ title: '版本' }),
    title: singleLine(50).min(1).optional().meta({ title: '标题' }),
    content: z.string().min(1).max(100_000).optional().meta({ title: '正文' }),
  }),
  output: staffInfoPage,
  errors: ['STALE_VERSION'],
});

const pageVersion = z.object({
  version: z.int(),
  title: z.string(),
  user: userCard.nullable().meta({ description: '谁写的；空：随程序而来' }),
  createdAt: time,
});
export type PageVersion = z.output<typeof pageVersion>;

export const listPageVersions = defineCall({
  method: 'GET',
  path: 'core/sys/page/version',
  summary: '一篇说明页面最近的五十个版本，新的在前；带 version：其中一个的全文',
  access: 'page:list',
  input: z.object({ page: infoPageName, version: z.int().min(1).max(2_000_000_000).optional() }),
  output: z.union([pageVersion.extend({ content: z.string() }), z.array(pageVersion)]),
});

export const previewInfoPage = defineCall({
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
  getSettings,
  updateSettings,
  previewSettings,
  listInfoPages,
  updateInfoPage,
  listPageVersions,
  previewInfoPage,
] as const;
