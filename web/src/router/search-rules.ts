import { centreTabs } from '#web/lib/centre-tabs.ts';
import type { Path } from './routes.ts';

/** Allowed values of the search parameters that change a page's HTML; all others are used only by the browser. */
type SearchRule = Readonly<Record<string, readonly string[] | RegExp>>;

const PAGE = /^[1-9]\d{0,3}$/;
const ID = /^[0-9a-f]{32}$/;
const KEYWORD = /^\P{Cc}{1,100}$/u;
const WORD = /^\P{Cc}{1,30}$/u;
const TAG = /^\P{Cc}{1,20}$/u;

/** How search results are limited and sorted. */
const searchChoices: SearchRule = {
  sort: ['latest', 'hot'],
  since: ['week', 'month', 'year'],
  price: ['free', 'paid'],
  author: ID,
};

const userHome: SearchRule = {
  tab: ['column', 'trend', 'collect', 'like', 'share', 'following', 'follower'],
  column: ID,
  folder: ID,
  page: PAGE,
};

/** Used only by the server; the browser accepts every URL as it is. */
export const searchRules: Partial<Record<Path, SearchRule>> = {
  '/home': {
    view: ['farmers', 'stars'],
    feed: ['latest', 'following'],
    keyword: KEYWORD,
    tag: TAG,
    page: PAGE,
    // Parameters of the code farmer directory and of the code star ranking.
    skill: WORD,
    city: WORD,
    q: KEYWORD,
    open: ['1'],
    range: ['month', 'all'],
    ...searchChoices,
  },
  '/mhome.html': { feed: ['latest'], page: PAGE },
  '/login.html': { mode: ['register', 'reset'], way: ['password'] },
  '/essay/:slug.html': { feed: ['hot'], keyword: KEYWORD, tag: TAG, page: PAGE, ...searchChoices },
  // The skeleton of the account centre has another shape with a tab.
  '/account/center.html': { tab: centreTabs },
  '/column/:id.html': { page: PAGE },
  '/mcolumn/:id.html': { page: PAGE },
  '/user/home/:id.html': userHome,
  '/user/mhome/:id.html': userHome,
};
