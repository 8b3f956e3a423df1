import type { InfoPage, PageVersion, StaffInfoPage } from '@mozhan/contract/site.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import { toPlainText } from '../../../platform/text/index.ts';
import type { Category } from '../../categories/tables.ts';
import type { VersionRow } from '../queries/site.ts';
import type { InfoPageRow } from '../tables.ts';
import { fillHtml, fillText, type Variables } from '../variables.ts';

const SUMMARY = 100;

/** The beginning of what is read, for search engines. */
function toSummary(html: string): string {
  const letters = [...toPlainText(html)];
  return letters.length <= SUMMARY ? letters.join('') : `${letters.slice(0, SUMMARY).join('')}…`;
}

export function toRendered({ html, toc }: Pick<InfoPage, 'html' | 'toc'>, variables: Variables) {
  return {
    html: fillHtml(html, variables),
    toc: toc.map(({ id, text, level }) => ({ id, text: fillText(text, variables), level })),
  };
}

export function toInfoPage(page: InfoPageRow, variables: Variables): InfoPage {
  const rendered = toRendered(page, variables);
  return {
    page: page.name,
    title: fillText(page.title, variables),
    summary: toSummary(rendered.html),
    ...rendered,
    updatedAt: page.updatedAt.toISOString(),
  };
}

/** The title as it was written, to be edited. */
export const toStaffInfoPage = (page: InfoPageRow, variables: Variables): StaffInfoPage => ({
  ...toInfoPage(page, variables),
  title: page.title,
  content: page.content,
  version: page.version,
});

export const toPageVersion = ({ version, user }: VersionRow, now: Date): PageVersion => ({
  version: version.version,
  title: version.title,
  user: user === null ? null : toUserCard(user, now),
  createdAt: version.createdAt.toISOString(),
});

/** As the header and footer need it. */
export const toNavCategory = ({ id, slug, name, icon }: Category) => ({ id, slug, name, icon });
