import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { useMaybeSite } from '#web/lib/queries.ts';

/** An essay, as search engines and other sites are told of it. */
export interface HeadArticle {
  author: { name: string; path: string };
  publishedAt: string | null;
  updatedAt: string;
  section: string | null;
  tags: readonly string[];
  /** False: only part of it stands in the page for everyone. */
  free: boolean;
  wordCount: number;
}

interface HeadProps {
  /** Without the site's name, which is added; nothing: the name and the tagline. */
  title?: string;
  description?: string;
  /** The one address of the page, base path removed. */
  path?: string;
  /** For search engines to leave alone. */
  hidden?: boolean;
  kind?: 'WebSite' | 'WebPage' | 'ProfilePage' | 'Article';
  /** Whom a profile page is about. */
  person?: string;
  /** What a page of the kind Article is about. */
  article?: HeadArticle;
  /** A path of the site. */
  image?: string;
  /** The folder of the feed that has what this page shows; the whole site's is in the root. */
  feed?: string;
  /** Pages above this one, from home down. */
  trail?: readonly { name: string; path: string }[];
}

const LinkedData = ({ data }: { data: object }) => (
  <script
    type="application/ld+json"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own JSON, with the one dangerous character escaped
    dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
  />
);

/** What schema.org calls it; only a part is told when the rest has to be paid for. */
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
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '[data-locked]' },
  }),
});

/** Title, description and what other sites and search engines read; React moves them into the head. */
export function Head(props: HeadProps) {
  const {
    title,
    description,
    path,
    hidden = false,
    kind = 'WebPage',
    person,
    article,
    image,
    feed = '',
    trail = [],
  } = props;
  const { siteUrl } = useApp();
  const settings = useMaybeSite()?.settings;
  const name = settings?.title ?? '';
  const fullTitle = [title ?? name, title === undefined ? settings?.tagline : name]
    .filter(Boolean)
    .join(' · ');
  const summary = description ?? settings?.tagline ?? '';
  const url = path === undefined ? undefined : siteUrl + path;
  const picture = image === undefined ? undefined : fileUrl(siteUrl, image);
  const linked = {
    '@context': 'https://schema.org',
    '@type': kind,
    [article === undefined ? 'name' : 'headline']: title ?? name,
    description: summary,
    url,
    image: picture,
    inLanguage: 'zh-CN',
    mainEntity: person === undefined ? undefined : { '@type': 'Person', name: person, url },
    ...(article && articleData(article, siteUrl, name)),
  };
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={summary} />
      {hidden ? <meta name="robots" content="noindex" /> : null}
      <meta property="og:type" content={article === undefined ? 'website' : 'article'} />
      <meta property="og:locale" content="zh_CN" />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={title ?? fullTitle} />
      <meta property="og:description" content={summary} />
      {picture === undefined ? null : (
        <>
          <meta property="og:image" content={picture} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {article?.publishedAt ? <meta property="article:published_time" content={article.publishedAt} /> : null}
      {article === undefined ? null : <meta property="article:modified_time" content={article.updatedAt} />}
      {url === undefined ? null : (
        <>
          <link rel="canonical" href={url} />
          <link
            rel="alternate"
            type="application/atom+xml"
            title={name}
            href={`${siteUrl}${feed}/feed.xml`}
          />
          <meta property="og:url" content={url} />
          <LinkedData data={linked} />
        </>
      )}
      {trail.length === 0 ? null : (
        <LinkedData
          data={{
            '@context': 'https://schema.org',
            '@type': 'BreadcrumbList',
            itemListElement: [...trail, { name: title ?? name, path: path ?? '' }].map((step, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              name: step.name,
              item: siteUrl + step.path,
            })),
          }}
        />
      )}
    </>
  );
}
