import { useApp } from '#web/lib/app-context.ts';
import { useMaybeSite } from '#web/lib/queries.ts';

interface HeadProps {
  /** Without the site's name, which is added; nothing: the name and the tagline. */
  title?: string;
  description?: string;
  /** The one address of the page, base path removed. */
  path?: string;
  /** For search engines to leave alone. */
  hidden?: boolean;
  kind?: 'WebSite' | 'WebPage' | 'ProfilePage';
  /** Whom a profile page is about. */
  person?: string;
}

/** Title, description and what other sites and search engines read; React moves them into the head. */
export function Head({ title, description, path, hidden = false, kind = 'WebPage', person }: HeadProps) {
  const { siteUrl } = useApp();
  const settings = useMaybeSite()?.settings;
  const name = settings?.title ?? '';
  const fullTitle = [title ?? name, title === undefined ? settings?.tagline : name]
    .filter(Boolean)
    .join(' · ');
  const summary = description ?? settings?.tagline ?? '';
  const url = path === undefined ? undefined : siteUrl + path;
  const linked = {
    '@context': 'https://schema.org',
    '@type': kind,
    name: title ?? name,
    description: summary,
    url,
    inLanguage: 'zh-CN',
    mainEntity: person === undefined ? undefined : { '@type': 'Person', name: person, url },
  };
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={summary} />
      {hidden ? <meta name="robots" content="noindex" /> : null}
      <meta property="og:type" content="website" />
      <meta property="og:locale" content="zh_CN" />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={title ?? fullTitle} />
      <meta property="og:description" content={summary} />
      {url === undefined ? null : (
        <>
          <link rel="canonical" href={url} />
          <meta property="og:url" content={url} />
          <script
            type="application/ld+json"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own JSON, with the one dangerous character escaped
            dangerouslySetInnerHTML={{ __html: JSON.stringify(linked).replaceAll('<', '\\u003c') }}
          />
        </>
      )}
    </>
  );
}
