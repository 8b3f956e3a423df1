const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
const ADDRESS_WITHOUT_SCHEME = /^[^\s/?#:@.]+(\.[^\s/?#:@.]+)+(:\d{1,5})?([/?#]\S*)?$/;

/** Adds `https://` to `example.com/me`; returns any other text trimmed. */
export function addMissingScheme(text: string): string {
  const typed = text.trim();
  return !SCHEME.test(typed) && ADDRESS_WITHOUT_SCHEME.test(typed) ? `https://${typed}` : typed;
}

/** Checks only the scheme; callers must also check that the URL can be parsed. */
export const hasWebScheme = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

export const WEB_ADDRESS_MESSAGE = '请填写以 http 或 https 开头的网址';
