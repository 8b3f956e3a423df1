import type { InfoPageName } from '@mozhan/contract/site.ts';

/** In the order of the site's footer. */
export const pageNames: Record<InfoPageName, string> = {
  about: '关于我们',
  apply: '申请成为专家',
  help: '帮助中心',
  usp: '服务协议',
  privacy: '隐私政策',
  contact: '联系我们',
};

export const isPageName = (name: string | null): name is InfoPageName =>
  name !== null && Object.keys(pageNames).includes(name);
