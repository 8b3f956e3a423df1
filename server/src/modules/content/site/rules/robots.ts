import { trimEnd } from '@mozhan/contract/text-scan.ts';

const DISALLOWED_PATHS = [
  '/api/',
  '/admin',
  '/account/',
  '/essay/create.html',
  '/essay/edit.html',
  '/exception',
  '/download/',
];

const MAX_LINES = 200;

const isPath = (value: string): boolean => value === '' || /^[/*]\S*$/.test(value);

/** Fields that search engines know, with a check of their value and what is wrong with others. */
const fields: Record<string, readonly [isValid: (value: string) => boolean, problem: string]> = {
  'user-agent': [(value) => /^[\w.*/-]+$/.test(value), '要写出爬虫的名字，或 *'],
  allow: [isPath, '路径以 / 开头，没有空格'],
  disallow: [isPath, '路径以 / 开头，没有空格'],
  'crawl-delay': [(value) => /^\d{1,5}(\.\d{1,3})?$/.test(value), '要写秒数'],
  'request-rate': [(value) => /^\d{1,5}\/\d{1,5}[smhd]?$/.test(value), '写法是 1/5'],
  'clean-param': [(value) => /^[\w&.[\]-]+( [/*]\S*)?$/.test(value), '写法是 utm_source /path'],
  sitemap: [(value) => /^https?:\/\/\S+$/.test(value), '要写完整的网址'],
  host: [(value) => /^[\w.:/-]+$/.test(value), '要写域名'],
};

/** Describes the first line that search engines would not understand; null if all are right. */
export function findRobotsProblem(text: string): string | null {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > MAX_LINES) return `最多 ${MAX_LINES} 行`;
  for (const [index, given] of lines.entries()) {
    const line = given.replace(/#.*$/s, '').trim();
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = (colon < 0 ? line : line.slice(0, colon)).trim().toLowerCase();
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (colon < 0 || field === undefined)
      return `第 ${index + 1} 行：不认识「${name.slice(0, 20)}」，每行应是「名称: 值」，如 Disallow: /tag/`;
    const [isValid, problem] = field;
    if (!isValid(line.slice(colon + 1).trim())) return `第 ${index + 1} 行：${problem}`;
  }
  return null;
}

interface RobotsOptions {
  basePath: string;
  siteUrl: string | null;
  closed: boolean;
  /** Lines of the operator; those before a `User-agent` belong to all crawlers. */
  robots: string;
}

/** Unless the site is closed, the sitemap is listed last, whatever the operator adds. */
export function formatRobots({ basePath, siteUrl, closed, robots }: RobotsOptions): string {
  if (closed) return 'User-agent: *\nDisallow: /\n';
  const own = trimEnd(robots.replaceAll(/\r\n|\r/g, '\n'), '\n ').replace(/^\n+/, '');
  return [
    'User-agent: *',
    ...DISALLOWED_PATHS.map((path) => `Disallow: ${basePath}${path}`),
    ...(own === '' ? [] : [own]),
    ...(siteUrl === null ? [] : ['', `Sitemap: ${siteUrl}/sitemap.xml`]),
    '',
  ].join('\n');
}
