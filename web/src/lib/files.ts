/** Where a stored file is: addresses elsewhere as they are, paths below the site. */
export const fileUrl = (basePath: string, path: string): string =>
  /^https?:\/\//.test(path) ? path : basePath + path;
