/** Page types of https://schema.org. */
export type PageKind =
  | 'WebSite'
  | 'WebPage'
  | 'AboutPage'
  | 'ContactPage'
  | 'CollectionPage'
  | 'SearchResultsPage'
  | 'ProfilePage'
  | 'Article';

export interface ImageSize {
  width: number;
  height: number;
}

/** Metadata of an essay for search engines and link previews. */
export interface ArticleMetadata {
  author: { name: string; path: string };
  publishedAt: string | null;
  updatedAt: string;
  section: string | null;
  tags: readonly string[];
  /** False: the page contains only the preview and the paywall. */
  isFree: boolean;
  wordCount: number;
}

export interface PageDescription {
  kind: PageKind;
  name: string;
  title: string;
  summary: string;
  /** Canonical URL; a page without one is not described. */
  url: string | undefined;
  picture: string;
  squarePicture: string;
  person: string | undefined;
  article: ArticleMetadata | undefined;
  /** Parent pages, from the home page down. */
  breadcrumbs: readonly { name: string; path: string }[];
}

/** Class of the paywall element; search engines accept only class selectors here. */
const LOCKED_PART = '.locked-part';

const articleData = (article: ArticleMetadata, siteUrl: string, publisher: string) => ({
  author: { '@type': 'Person', name: article.author.name, url: siteUrl + article.author.path },
  publisher: { '@type': 'Organization', name: publisher },
  datePublished: article.publishedAt ?? undefined,
  dateModified: article.updatedAt,
  articleSection: article.section ?? undefined,
  keywords: article.tags.length === 0 ? undefined : article.tags.join(','),
  wordCount: article.wordCount,
  isAccessibleForFree: article.isFree,
  ...(!article.isFree && {
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: LOCKED_PART },
  }),
});

/** The metadata that 微信 and QQ read for the card of a link. React would leave these elements in the body. */
export const toShareCard = ({ title, summary, squarePicture }: PageDescription) => ({
  name: title,
  description: summary,
  image: squarePicture,
});

/** Converts the metadata to JSON-LD. Only the server needs it, because browsers do not read it. */
export function toLinkedData(page: PageDescription, siteUrl: string): object[] {
  const { kind, name, title, summary, url, picture, person, article, breadcrumbs } = page;
  if (url === undefined) return [];
  const described = {
    '@context': 'https://schema.org',
    '@type': kind,
    [article === undefined ? 'name' : 'headline']: title,
    description: summary,
    url,
    image: picture,
    inLanguage: 'zh-CN',
    mainEntity: person === undefined ? undefined : { '@type': 'Person', name: person, url },
    ...(article && articleData(article, siteUrl, name)),
  };
  if (breadcrumbs.length === 0) return [described];
  const steps = [
    ...breadcrumbs.map((step) => ({ name: step.name, item: siteUrl + step.path })),
    { name: title, item: url },
  ];
  return [
    described,
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
    },
  ];
}
