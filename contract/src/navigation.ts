import { z } from 'zod';
import { flag, id, webAddress } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import { infoPageNames } from './page-address.ts';

export const MAX_HEADER_ENTRIES = 40;
export const MAX_FOOTER_ENTRIES = 40;
export const MAX_FOOTER_GROUPS = 4;

/** A page: the name of one that comes with the program, or the id of another. */
export const pageReference = z.union([z.enum(infoPageNames), id], '没有这个页面').meta({ title: '页面' });
export type PageReference = z.output<typeof pageReference>;

export const navRoutes = ['home', 'latest', 'farmers', 'stars', 'links', 'feed'] as const;
export type NavRoute = (typeof navRoutes)[number];

const label = z
  .string()
  .trim()
  .max(20)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行');

const entryFields = {
  label: label.default('').meta({ title: '文字', description: '空：用分类、页面或栏目自己的名称' }),
  enabled: flag.default(FLAG.on).meta({ title: '启用' }),
};

export const navEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('category'), categoryId: id.meta({ title: '分类' }), ...entryFields }),
  z.object({ kind: z.literal('route'), route: z.enum(navRoutes).meta({ title: '栏目' }), ...entryFields }),
  z.object({ kind: z.literal('page'), page: pageReference, ...entryFields }),
  z.object({
    kind: z.literal('link'),
    url: webAddress(500).meta({ title: '网址' }),
    ...entryFields,
    label: label.min(1, '请填写文字').meta({ title: '文字' }),
  }),
]);
export type NavEntry = z.output<typeof navEntry>;

export const navGroup = z.object({
  title: label.default('').meta({ title: '组名' }),
  entries: z.array(navEntry).max(MAX_FOOTER_ENTRIES),
});
export type NavGroup = z.output<typeof navGroup>;

const header = z
  .array(navEntry)
  .max(MAX_HEADER_ENTRIES, `最多 ${MAX_HEADER_ENTRIES} 项`)
  .meta({ title: '顶部导航' });
const footer = z
  .array(navGroup)
  .max(MAX_FOOTER_GROUPS, `最多 ${MAX_FOOTER_GROUPS} 组`)
  .refine(
    (groups) => groups.reduce((sum, { entries }) => sum + entries.length, 0) <= MAX_FOOTER_ENTRIES,
    `最多 ${MAX_FOOTER_ENTRIES} 项`,
  )
  .meta({ title: '页脚导航' });

/** What visitors get: a path of the site, or a URL that is opened in a new tab. */
export const navLink = z.object({ label: z.string(), to: z.string(), icon: z.string() });
export type NavLink = z.output<typeof navLink>;

/** A part that operators have not edited is missing: the site shows its default. */
export const visibleNavigation = z.object({
  header: z.array(navLink).optional(),
  footer: z.array(z.object({ title: z.string(), links: z.array(navLink) })).optional(),
});
export type VisibleNavigation = z.output<typeof visibleNavigation>;

const navigation = z.object({
  version: z.int(),
  headerEdited: z.boolean().meta({ description: '否：顶部导航是默认的' }),
  footerEdited: z.boolean().meta({ description: '否：页脚导航是默认的' }),
  header,
  footer,
  categories: z.array(z.object({ id, name: z.string(), enabled: flag })),
  pages: z.array(z.object({ page: z.string(), title: z.string(), published: flag })),
});
export type Navigation = z.output<typeof navigation>;

export const getNavigation = defineCall({
  method: 'GET',
  path: 'core/sys/nav/',
  summary: '顶部与页脚的导航，以及可以放进去的分类和页面；已删除的分类和页面不在其中',
  access: 'nav:list',
  input: z.object({}),
  output: navigation,
});

export const updateNavigation = defineCall({
  method: 'PUT',
  path: 'core/sys/nav/',
  maxBodyBytes: 512 * 1024,
  summary: '修改导航；只改所给的，null 恢复默认；version 是读到时的版本',
  access: 'nav:update',
  input: z.object({
    version: z.int().min(1).meta({ title: '版本' }),
    header: header.nullable().optional(),
    footer: footer.nullable().optional(),
  }),
  output: navigation,
  errors: ['STALE_VERSION'],
});

export const calls = [getNavigation, updateNavigation] as const;
