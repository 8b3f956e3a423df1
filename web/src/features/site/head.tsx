import { useEffect } from 'react';
import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import type { HeadArticle, ImageSize, PageKind } from '#web/lib/linked-data.ts';
import { useMaybeSite } from '#web/lib/queries.ts';

interface HeadProps {
  /** Without the site's name, which is added; nothing: the name and the tagline. */
  title?: string;
  description?: string;
  /** The one address of the page, base path removed. */
  path?: string;
  /** For search engines to leave alone. */
  hidden?: boolean;
  /** Its type in the vocabulary of schema.org. */
  kind?: PageKind;
  /** Whom a profile page is about. */
  person?: string;
  /** What a page of the kind Article is about. */
  article?: HeadArticle;
  /** A path of the site and, where it is known, the size; without it the picture that the site draws. */
  image?: string;
  imageSize?: ImageSize | null;
  /** The folder of the feed that has what this page shows; the whole site's is in the root. */
  feed?: string;
  /** Pages above this one, from home down. */
  trail?: readonly { name: string; path: string }[];
}

const LINKED_DATA = 'script[type="application/ld+json"]';

const feeds = [
  ['xml', 'application/atom+xml'],
  ['json', 'application/feed+json'],
] as const;

/** Of the pictures under `/og/`. */
const DRAWN_SIZE: ImageSize = { width: 1200, height: 630 };

/** Title, description and what other sites and search engines read; React moves them into the head. */
export function Head(props: HeadProps) {
  const { title, description, path, hidden = false, kind = 'WebPage', person, article, feed = '' } = props;
  const { image = '/og/site.png', imageSize = DRAWN_SIZE, trail = [] } = props;
  const { siteUrl, onDescribe } = useApp();
  const settings = useMaybeSite()?.settings;
  const name = settings?.title ?? '';
  const fullTitle = [title ?? name, title === undefined ? settings?.tagline : name]
    .filter(Boolean)
    .join(' · ');
  const summary = description ?? settings?.tagline ?? '';
  const url = path === undefined ? undefined : siteUrl + path;
  const picture = fileUrl(siteUrl, image);
  onDescribe?.({ kind, name, title: title ?? name, summary, url, picture, person, article, trail });
  // The server's description is of the page that was loaded, not of those that follow in this tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address ends it
  useEffect(
    () => () => {
      for (const script of document.querySelectorAll(LINKED_DATA)) script.remove();
    },
    [url],
  );
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
      <meta property="og:image" content={picture} />
      {imageSize === null ? null : (
        <>
          <meta property="og:image:width" content={`${imageSize.width}`} />
          <meta property="og:image:height" content={`${imageSize.height}`} />
        </>
      )}
      <meta name="twitter:card" content="summary_large_image" />
      {article?.publishedAt ? <meta property="article:published_time" content={article.publishedAt} /> : null}
      {article === undefined ? null : <meta property="article:modified_time" content={article.updatedAt} />}
      {url === undefined ? null : (
        <>
          <link rel="canonical" href={url} />
          {feeds.map(([end, type]) => (
            <link key={end} rel="alternate" type={type} title={name} href={`${siteUrl}${feed}/feed.${end}`} />
          ))}
          <meta property="og:url" content={url} />
        </>
      )}
    </>
  );
}
