import { toFlag } from '@mozhan/contract/enums.ts';
import { type InfoPageName, isInfoPageName, pagePath } from '@mozhan/contract/page-address.ts';
import type { InfoPage, ListedPage, PageVersion, SitePage, StaffPage } from '@mozhan/contract/site.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { startOf, toPlainText } from '../../../platform/text/index.ts';
import type { ListedPageRow, PageVersionRow } from '../queries/pages.ts';
import { toPageReference } from '../rules/navigation.ts';
import type { PageRow } from '../tables.ts';
import { fillHtml, fillText, type Variables } from '../variables.ts';

const SUMMARY = 100;

/** The meta description for search engines. */
const toSummary = (html: string): string => startOf(toPlainText(html), SUMMARY);

export function toRenderedPage({ html, toc }: Pick<InfoPage, 'html' | 'toc'>, variables: Variables) {
  return {
    html: fillHtml(html, variables),
    toc: toc.map(({ id, text, level }) => ({ id, text: fillText(text, variables), level })),
  };
}

const toText = (page: PageRow, variables: Variables) => {
  const rendered = toRenderedPage(page, variables);
  return {
    title: fillText(page.title, variables),
    summary: toSummary(rendered.html),
    ...rendered,
    updatedAt: page.updatedAt.toISOString(),
  };
};

export const toInfoPage = (name: InfoPageName, page: PageRow, variables: Variables): InfoPage => ({
  page: name,
  ...toText(page, variables),
});

export const toSitePage = (page: PageRow, variables: Variables): SitePage => ({
  slug: page.slug,
  path: pagePath(page.slug),
  ...toText(page, variables),
});

/** Keeps the variables in the title, because it is edited. */
export const toListedPage = (page: ListedPageRow, shown: ReadonlySet<string>): ListedPage => ({
  page: toPageReference(page),
  slug: page.slug,
  path: pagePath(page.slug),
  title: page.title,
  builtIn: isInfoPageName(page.slug),
  published: toFlag(page.published),
  publishedAt: page.publishedAt?.toISOString() ?? null,
  updatedAt: page.updatedAt.toISOString(),
  inNavigation: page.published && shown.has(toPageReference(page)),
  version: page.version,
});

export function toStaffPage(page: PageRow, variables: Variables, shown: ReadonlySet<string>): StaffPage {
  const { builtIn: _, ...listed } = toListedPage(page, shown);
  return { ...toSitePage(page, variables), ...listed, content: page.content };
}

export const toPageVersion = ({ version, user }: PageVersionRow, now: Date): PageVersion => ({
  version: version.version,
  title: version.title,
  user: user === null ? null : toUserCard(user, now),
  createdAt: version.createdAt.toISOString(),
});
