const DEFAULT_COLOR = '#ff6968';

/** URL of the stylesheet that replaces the brand colours, or null for the default colour. */
export const brandStylesheetHref = (basePath: string, colorPrimary: string): string | null =>
  colorPrimary === DEFAULT_COLOR ? null : `${basePath}/brand.css?c=${colorPrimary.slice(1)}`;
