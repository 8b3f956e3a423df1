/** Where a stored file is: addresses elsewhere as they are, paths behind what comes before them. */
export const fileUrl = (before: string, path: string): string =>
  /^https?:\/\//.test(path) ? path : before + path;
