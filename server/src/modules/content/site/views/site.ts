import type { InfoPage, PageVersion, StaffInfoPage } from '@mozhan/contract/site.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { toPlainText } from '../../../platform/text/index.ts';
import type { Category } from '../../categories/tables.ts';
import type { InfoPageVersionRow } from '../queries/site.ts';
import type { InfoPageRow } from '../tables.ts';
import { fillHtml, fillText, type Variables } from '../variables.ts';

const SUMMARY = 100;

/** The meta description for search engines. */
function toSummary(html: string): string {
  const letters = [...toPlainText(html)];
  return letters.length <= SUMMARY ? letters.join('') : `${letters.slice(0, SUMMARY).join('')}…`;
}

export function toRenderedPage({ html, toc }: Pick<InfoPage, 'html' | 'toc'>, variables: Variables) {
  return {
    html: fillHtml(html, variables),
    toc: toc.map(({ id, text, level }) => ({ id, text: fillText(text, variables), level })),
  };
}

export function toInfoPage(page: InfoPageRow, variables: Variables): InfoPage {
  const rendered = toRenderedPage(page, variables);
  return {
    page: page.name,
    title: fillText(page.title, variables),
    summary: toSummary(rendered.html),
    ...rendered,
    updatedAt: page.updatedAt.toISOString(),
  };
}

/** Keeps the variables in the title, because it is edited. */
export const toStaffInfoPage = (page: InfoPageRow, variables: Variables): StaffInfoPage => ({
  ...toInfoPage(page, variables),
  title: page.title,
  content: page.content,
  version: page.version,
});

export const toPageVersion = ({ version, user }: InfoPageVersionRow, now: Date): PageVersion => ({
  version: version.version,
  title: version.title,
  user: user === null ? null : toUserCard(user, now),
  createdAt: version.createdAt.toISOString(),
});

export const toNavCategory = ({ id, slug, name, icon }: Category) => ({ id, slug, name, icon });
