/** The colour that tokens.css is made for. */
const OWN = '#ff6968';

/** The stylesheet that turns the site's tones to another colour; none for its own. */
export const brandHref = (basePath: string, colorPrimary: string): string | null =>
  colorPrimary === OWN ? null : `${basePath}/brand.css?c=${colorPrimary.slice(1)}`;
