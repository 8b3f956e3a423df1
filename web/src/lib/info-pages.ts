import type { InfoPageName } from '@mozhan/contract/site.ts';

/** The info pages of the footer. `wideOnly`: shown only where there is room for all six. */
export const infoPages = [
  { name: 'about', path: '/about.html', label: '关于我们', wideOnly: false },
  { name: 'apply', path: '/apply.html', label: '专家申请', wideOnly: true },
  { name: 'help', path: '/help.html', label: '帮助中心', wideOnly: true },
  { name: 'usp', path: '/usp.html', label: '服务协议', wideOnly: false },
  { name: 'privacy', path: '/privacy.html', label: '隐私政策', wideOnly: false },
  { name: 'contact', path: '/contact.html', label: '联系我们', wideOnly: true },
] as const satisfies readonly { name: InfoPageName; path: string; label: string; wideOnly: boolean }[];
