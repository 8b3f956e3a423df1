/** Every address of the back office, with the file of its screen below `screens/`; the server answers 404 elsewhere. */
export const screenFiles = {
  '/': 'dashboard',
  '/account': 'account',
  '/category': 'category',
  '/log': 'log',
  '/menu': 'menu',
  '/page': 'page',
  '/role': 'role',
  '/setting': 'setting',
  '/user': 'user',
} as const;

export type ScreenPath = keyof typeof screenFiles;

export const isScreenPath = (path: string): path is ScreenPath => Object.keys(screenFiles).includes(path);
