import { useApp } from './app-context.ts';

/** A path as others can open it; where the site has no address of its own set, under the one it is read at. */
export function useAbsoluteUrl(): (path: string) => string {
  const { siteUrl, basePath } = useApp();
  return (path) => (siteUrl === '' ? location.origin + basePath : siteUrl) + path;
}
