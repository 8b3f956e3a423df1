import { z } from 'zod';
import { defineCall } from './define.ts';

const MAX_ROBOTS_LENGTH = 5000;
const MAX_VERIFICATION_FILES = 10;

/** The code in the `content` of a meta tag; the whole tag may be pasted. */
const code = z
  .string()
  .trim()
  .max(300)
  .transform((text) => /\bcontent\s*=\s*["']([^"'<>]*)["']/i.exec(text)?.[1]?.trim() ?? text)
  .pipe(z.string().regex(/^[\w.:=/+-]{0,150}$/, '请填验证标签里 content 的内容，或粘贴整个标签'));

const verification = z.object({
  baidu: code.meta({ title: '百度' }),
  google: code.meta({ title: 'Google' }),
  bing: code.meta({ title: '必应' }),
  so360: code.meta({ title: '360 搜索' }),
  sogou: code.meta({ title: '搜狗' }),
});

const file = z.object({
  name: z
    .string()
    .trim()
    .regex(
      /^[\w-]{1,80}\.(html|txt|xml)$/,
      '文件名只能用字母、数字、下划线和连字符，以 .html、.txt 或 .xml 结尾',
    )
    .meta({ title: '文件名' }),
  content: z.string().trim().min(1, '请填写文件的内容').max(2000, '内容最多 2000 字').meta({ title: '内容' }),
});

export const searchEngines = verification.extend({
  files: z
    .array(file)
    .max(MAX_VERIFICATION_FILES, `文件最多 ${MAX_VERIFICATION_FILES} 个`)
    .meta({ title: '验证文件', description: '放在网站根目录的文件' }),
  closed: z.boolean().meta({ title: '不让搜索引擎收录', description: '整个站点' }),
  robots: z
    .string()
    .max(MAX_ROBOTS_LENGTH, `最多 ${MAX_ROBOTS_LENGTH} 字`)
    .meta({ title: '抓取规则', description: 'robots.txt 里在默认规则之后的行' }),
});
export type SearchEngines = z.output<typeof searchEngines>;

export const getSearchEngines = defineCall({
  method: 'GET',
  path: 'core/sys/search-engine/',
  summary: '搜索引擎的验证与抓取规则',
  access: 'search-engine:list',
  input: z.object({}),
  output: searchEngines.extend({ robotsText: z.string().meta({ description: '现在的 robots.txt' }) }),
});

export const updateSearchEngines = defineCall({
  method: 'PUT',
  path: 'core/sys/search-engine/',
  summary: '修改搜索引擎的验证与抓取规则；只改所给的',
  access: 'search-engine:update',
  input: searchEngines.partial(),
  output: getSearchEngines.output,
  maxBodyBytes: 128 * 1024,
});

export const previewRobots = defineCall({
  method: 'POST',
  path: 'core/sys/search-engine/preview',
  summary: '预览：保存后的 robots.txt',
  access: 'search-engine:list',
  input: searchEngines.pick({ closed: true, robots: true }),
  output: z.object({ robotsText: z.string() }),
  readOnly: true,
  limit: { max: 120, per: 60 },
});

export const calls = [getSearchEngines, updateSearchEngines, previewRobots] as const;
