import type { SiteSettings } from './site.ts';

export const defaultSettings: SiteSettings = {
  title: '墨栈',
  tagline: '写下代码背后的思考',
  logo: '',
  navTheme: 'light',
  colorPrimary: '#ff6968',
  layout: 'top',
  contentWidth: 'Fixed',
  fixedHeader: true,
  fixSiderbar: true,
  colorWeak: false,
  pwa: false,
  icp: '',
  showRegion: true,
  requirePhone: false,
  hotDays: 7,
  hotFloor: 20,
  psb: '',
  email: '',
};
