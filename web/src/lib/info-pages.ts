import { type InfoPageName, infoPageLabels as labels } from '@mozhan/contract/page-address.ts';

/** The info pages of the footer. `wideOnly`: shown only where there is room for all six. */
export const infoPages = [
  { name: 'about', path: '/about.html', label: labels.about, wideOnly: false },
  { name: 'apply', path: '/apply.html', label: labels.apply, wideOnly: true },
  { name: 'help', path: '/help.html', label: labels.help, wideOnly: true },
  { name: 'usp', path: '/usp.html', label: labels.usp, wideOnly: false },
  { name: 'privacy', path: '/privacy.html', label: labels.privacy, wideOnly: false },
  { name: 'contact', path: '/contact.html', label: labels.contact, wideOnly: true },
] as const satisfies readonly { name: InfoPageName; path: string; label: string; wideOnly: boolean }[];
