const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
const HOST_FIRST = /^[^\s/?#:@.]+(\.[^\s/?#:@.]+)+(:\d{1,5})?([/?#]\S*)?$/;

/** A web address as people type it: `example.com/me` gets its scheme. Anything else comes back trimmed. */
export function completeAddress(text: string): string {
  const typed = text.trim();
  return !SCHEME.test(typed) && HOST_FIRST.test(typed) ? `https://${typed}` : typed;
}

/** Whether it is an http or https address that a browser can open. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

export const WEB_ADDRESS_NEEDED = '请填写以 http 或 https 开头的网址';
