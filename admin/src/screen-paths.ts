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
  '/log': 'log',
  '/menu': 'menu',
  '/page': 'page',
  '/report': 'report',
  '/role': 'role',
  '/setting': 'setting',
  '/star': 'star',
  '/user': 'user',
  '/word': 'word',
} as const;

export type ScreenPath = keyof typeof screenFiles;

export const isScreenPath = (path: string): path is ScreenPath => Object.keys(screenFiles).includes(path);
