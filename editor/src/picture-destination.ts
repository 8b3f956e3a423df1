/** In an address in parentheses, these would end it. */
export const toDestination = (url: string): string =>
  url.replace(/[\s()<>\\]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
