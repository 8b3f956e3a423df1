import { hasWebScheme } from '@mozhan/contract/web-address.ts';

export const isWebAddress = (text: string): boolean => hasWebScheme(text) && URL.canParse(text);
