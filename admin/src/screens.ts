import type { Permission } from '@mozhan/contract/client.ts';

/**
 * Maps each screen to the permissions that open it (any of them suffices; none means all staff). The key is the file
 * name in `screens/` and the URL path; the server returns 404 for other paths.
 */
const screens = {
  dashboard: [],
  account: ['account:list'],
  announcement: ['announcement:list'],
  apply: ['apply:list'],
  audit: ['essay:audit'],
  backup: ['backup:list'],
  ban: ['ban:list'],
  category: ['category:create', 'category:update', 'category:remove'],
  column: ['column:list'],
  comment: ['comment:list'],
  cover: ['cover:list'],
  dict: ['dict:list'],
  essay: ['essay:list'],
  finance: ['finance:list'],
  'friend-link': ['friend-link:list'],
  health: ['health:list'],
  job: ['job:list'],
  ledger: ['ledger:list'],
  log: ['log:list'],
  mail: ['mail:list'],
  media: ['media:list'],
  member: ['member:list', 'plan:create', 'plan:update', 'plan:remove'],
  menu: ['menu:list'],
  navigation: ['nav:list'],
  order: ['order:list'],
  page: ['page:list'],
  price: ['price:create', 'price:update', 'price:remove'],
  redirect: ['redirect:list'],
  report: ['report:list'],
  role: ['role:list'],
  'search-engine': ['search-engine:list'],
  search: ['search:list'],
  session: ['session:list'],
  setting: ['setting:list'],
  'sign-in': ['sign-in:list'],
  star: ['star:update'],
  switch: ['switch:list'],
  tag: ['tag:list'],
  traffic: ['traffic:list'],
  transfer: ['transfer:list'],
  user: ['user:list'],
  webhook: ['webhook:list'],
  withdraw: ['withdraw:list'],
  word: ['word:list'],
} satisfies Record<string, readonly Permission[]>;

export type ScreenName = keyof typeof screens;

export const screenNames = Object.keys(screens) as ScreenName[];

/** Path below `/admin`. */
export const pathOf = (name: ScreenName): string => (name === 'dashboard' ? '/' : `/${name}`);

export const screenAt = (path: string): ScreenName | undefined =>
  screenNames.find((name) => pathOf(name) === path);

export const permissionsOf = (name: ScreenName): readonly Permission[] => screens[name];
