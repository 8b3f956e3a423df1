/** The pages that come with the program, each at `/{name}.html`, in the order of the footer. */
export const infoPageNames = ['about', 'apply', 'help', 'usp', 'privacy', 'contact'] as const;
export type InfoPageName = (typeof infoPageNames)[number];

/** Labels of their links; their titles can be edited. */
export const infoPageLabels: Record<InfoPageName, string> = {
  about: '关于我们',
  apply: '专家申请',
  help: '帮助中心',
  usp: '服务协议',
  privacy: '隐私政策',
  contact: '联系我们',
};

export const isInfoPageName = (text: string): text is InfoPageName =>
  (infoPageNames as readonly string[]).includes(text);

/** The page that lists the links to other sites. */
export const FRIEND_LINKS_PATH = '/page/links.html';

export const MAX_SLUG_LENGTH = 80;

const SLUG = /^[a-z0-9\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}-]{1,80}$/u;

/** Lower-case letters, digits, hyphens and Chinese, Japanese or Korean letters. */
export const isPageSlug = (text: string): boolean =>
  SLUG.test(text) && !text.startsWith('-') && !text.endsWith('-');

/** Paths below `/page/` that belong to other pages, or may in the future. */
const reservedPageSlugs: readonly string[] = [
  ...infoPageNames,
  'links',
  'index',
  'new',
  'edit',
  'preview',
  'feed',
];

export const isReservedPageSlug = (slug: string): boolean => reservedPageSlugs.includes(slug);

/** Without the base path. */
export const pagePath = (slug: string): string =>
  isInfoPageName(slug) ? `/${slug}.html` : `/page/${encodeURIComponent(slug)}.html`;
