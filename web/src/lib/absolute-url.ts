import { useApp } from './app-context.ts';

/** Converts a path to an absolute URL; uses the current origin when the site has no configured public URL. */
export function useAbsoluteUrl(): (path: string) => string {
  const { siteUrl, basePath } = useApp();
  return (path) => (siteUrl === '' ? location.origin + basePath : siteUrl) + path;
}
