import { toFlag } from '@mozhan/contract/enums.ts';
import type { Navigation } from '@mozhan/contract/navigation.ts';
import { infoPageLabels, isInfoPageName } from '@mozhan/contract/page-address.ts';
import type { EditedNavigation } from '../actions/navigation.ts';
import { toPageReference } from '../rules/navigation.ts';
import { fillText, type Variables } from '../variables.ts';

export const toNavigation = (navigation: EditedNavigation, variables: Variables): Navigation => ({
  version: navigation.version,
  headerEdited: navigation.isHeaderEdited,
  footerEdited: navigation.isFooterEdited,
  header: navigation.header,
  footer: navigation.footer,
  categories: navigation.categories.map(({ id, name, enabled }) => ({ id, name, enabled: toFlag(enabled) })),
  pages: navigation.pages.map(({ id, slug, title, published }) => ({
    page: toPageReference({ id, slug }),
    title: isInfoPageName(slug) ? infoPageLabels[slug] : fillText(title, variables),
    published: toFlag(published),
  })),
});
