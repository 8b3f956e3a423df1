import type { InfoPageName } from '@mozhan/contract/site.ts';

/** The pages of the footer. `wide`: only where there is room for all six. */
export const infoPages = [
  { name: 'about', path: '/about.html', label: '关于我们', wide: false },
  { name: 'apply', path: '/apply.html', label: '专家申请', wide: true },
  { name: 'help', path: '/help.html', label: '帮助中心', wide: true },
  { name: 'usp', path: '/usp.html', label: '服务协议', wide: false },
  { name: 'privacy', path: '/privacy.html', label: '隐私政策', wide: false },
  { name: 'contact', path: '/contact.html', label: '联系我们', wide: true },
] as const satisfies readonly { name: InfoPageName; path: string; label: string; wide: boolean }[];
