import type { Path } from './routes.ts';

/** Search parameters that change a page's HTML, each with what it may be; any other is for the browser alone. */
type SearchRule = Readonly<Record<string, readonly string[] | RegExp>>;

const PAGE = /^[1-9]\d{0,3}$/;
const ID = /^[0-9a-f]{32}$/;
const KEYWORD = /^\P{Cc}{1,100}$/u;
const WORD = /^\P{Cc}{1,30}$/u;
const TAG = /^\P{Cc}{1,20}$/u;

const userHome: SearchRule = {
  tab: ['column', 'trend', 'collect', 'like', 'share', 'following', 'follower'],
  column: ID,
  folder: ID,
  page: PAGE,
};

/** Only the server asks for them; the browser takes every address as it is. */
export const searchRules: Partial<Record<Path, SearchRule>> = {
  '/home': {
    view: ['farmers', 'stars'],
    feed: ['latest', 'following'],
    keyword: KEYWORD,
    tag: TAG,
    page: PAGE,
    // Of the directory of people, and of the ranking of writers.
    skill: WORD,
    city: WORD,
    q: KEYWORD,
    open: ['1'],
    range: ['month', 'all'],
  },
  '/mhome.html': { feed: ['latest'], page: PAGE },
  '/login.html': { mode: ['register', 'reset'], way: ['password'] },
  '/essay/:slug.html': { feed: ['hot'], keyword: KEYWORD, tag: TAG, page: PAGE },
  '/user/home/:id.html': userHome,
  '/user/mhome/:id.html': userHome,
};
