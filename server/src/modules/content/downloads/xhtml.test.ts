import { expect, test } from 'vitest';
import { toXhtml } from './xhtml.ts';

test('encodes URLs that are not valid URIs, or drops the link', () => {
  const options = { siteUrl: 'http://site.test', pageUrl: '', pictures: new Map<string, string>() };
  const toLink = (href: string) => toXhtml(`<a href="${href}">x</a>`, options).body;
  expect(toLink('http://a.example/?a=[1]|%zz#x#y^')).toBe(
    '<a href="http://a.example/?a=%5B1%5D%7C%25zz#x%23y%5E">x</a>',
  );
  expect(toLink('https://[::1]:80/a%20b')).toBe('<a href="https://[::1]:80/a%20b">x</a>');
  expect(toLink('mailto:a|b@c.example')).toBe('<a href="mailto:a%7Cb@c.example">x</a>');
  expect(toLink('https://foo.`baz/')).toBe('<a>x</a>');
});
