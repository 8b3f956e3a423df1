import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { categoryIcons, menuIcons } from './icons.tsx';

test.each(Object.entries({ ...menuIcons, ...categoryIcons }))(
  'the icon %s has no style element, which the content security policy would block',
  (_name, { Icon }) => {
    expect(renderToStaticMarkup(<Icon aria-hidden />)).not.toContain('<style');
  },
);
