/** Every address of the back office, with the file of its screen below `screens/`; the server answers 404 elsewhere. */
export const screenFiles = {
  '/': 'dashboard',
  '/account': 'account',
  '/apply': 'apply',
  '/audit': 'audit',
  '/category': 'category',
  '/column': 'column',
  '/comment': 'comment',
  '/cover': 'cover',
  '/dict': 'dict',
  '/essay': 'essay',
  '/finance': 'finance',
  '/ledger': 'ledger',
  '/log': 'log',
  '/member': 'member',
  '/menu': 'menu',
  '/order': 'order',
  '/page': 'page',
  '/price': 'price',
  '/report': 'report',
  '/role': 'role',
  '/setting': 'setting',
  '/star': 'star',
  '/user': 'user',
  '/withdraw': 'withdraw',
  '/word': 'word',
} as const;

export type ScreenPath = keyof typeof screenFiles;

export const isScreenPath = (path: string): path is ScreenPath => Object.keys(screenFiles).includes(path);
