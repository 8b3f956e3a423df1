import { hasWebScheme } from '@mozhan/contract/web-address.ts';

/** Whether it is an http or https address that a browser can open. */
export const isWebAddress = (text: string): boolean => hasWebScheme(text) && URL.canParse(text);
