/** Types of https://schema.org, one for each kind of page. */
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

/** An essay, as search engines and other sites are told of it. */
export interface HeadArticle {
  author: { name: string; path: string };
  publishedAt: string | null;
  updatedAt: string;
  section: string | null;
  tags: readonly string[];
  /** False: the page has only the preview, and the paywall where the rest would be. */
  free: boolean;
  wordCount: number;
}

/** What a page says of itself to search engines. */
export interface PageDescription {
  kind: PageKind;
  /** The site's. */
  name: string;
  title: string;
  summary: string;
  /** None: the page has no address of its own, and is not described. */
  url: string | undefined;
  picture: string;
  person: string | undefined;
  article: HeadArticle | undefined;
  /** Pages above this one, from home down. */
  trail: readonly { name: string; path: string }[];
}

/** Search engines accept a class here and no other selector; the paywall has it. */
const LOCKED_PART = '.locked-part';

const articleData = (article: HeadArticle, siteUrl: string, publisher: string) => ({
  author: { '@type': 'Person', name: article.author.name, url: siteUrl + article.author.path },
  publisher: { '@type': 'Organization', name: publisher },
  datePublished: article.publishedAt ?? undefined,
  dateModified: article.updatedAt,
  articleSection: article.section ?? undefined,
  keywords: article.tags.length === 0 ? undefined : article.tags.join(','),
  wordCount: article.wordCount,
  isAccessibleForFree: article.free,
  ...(!article.free && {
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: LOCKED_PART },
  }),
});

/** The description as JSON-LD, for the head of the document. Only the server needs it: browsers do not read it. */
export function toLinkedData(page: PageDescription, siteUrl: string): object[] {
  const { kind, name, title, summary, url, picture, person, article, trail } = page;
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
  if (trail.length === 0) return [described];
  const steps = [
    ...trail.map((step) => ({ name: step.name, item: siteUrl + step.path })),
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
