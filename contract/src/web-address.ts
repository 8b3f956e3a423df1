const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
const HOST_FIRST = /^[^\s/?#:@.]+(\.[^\s/?#:@.]+)+(:\d{1,5})?([/?#]\S*)?$/;

/** A web address as people type it: `example.com/me` gets its scheme. Anything else comes back trimmed. */
export function completeAddress(text: string): string {
  const typed = text.trim();
  return !SCHEME.test(typed) && HOST_FIRST.test(typed) ? `https://${typed}` : typed;
}

/** Whether it begins as an http or https address; that it can be parsed as a URL has to be checked as well. */
export const hasWebScheme = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

export const WEB_ADDRESS_NEEDED = '请填写以 http 或 https 开头的网址';
