/** The URL of a stored file; absolute URLs are returned unchanged. */
export const fileUrl = (baseUrl: string, path: string): string =>
  /^https?:\/\//.test(path) ? path : baseUrl + path;
