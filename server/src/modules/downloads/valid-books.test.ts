import { EpubCheck } from '@likecoin/epubcheck-ts';
import { expect, test } from 'vitest';
import { listSamples, makeSampleBook } from '../../testing/books.ts';
import { toXhtml } from './xhtml.ts';

test('books of all examples, attacks and random texts are valid', { timeout: 300_000 }, async () => {
  const samples = listSamples();
  expect(samples.length).toBeGreaterThan(1400);
  const { messages } = await EpubCheck.validate(await makeSampleBook(samples));
  const problems = messages.filter(({ severity }) => ['fatal', 'error', 'warning'].includes(severity));
  expect(problems.map(({ id, message, location }) => `${id} ${message} ${location?.path}`)).toEqual([]);
});

test('the checker finds what is wrong', { timeout: 60_000 }, async () => {
  const book = await makeSampleBook(
    [{ file: 'one.xhtml', markdown: '一' }],
    (body) => `<mrow>${body}</mrow>`,
  );
  const { messages } = await EpubCheck.validate(book);
  expect(messages.map(({ id }) => id)).toContain('RSC-005');
});

test('addresses that are no URIs are encoded, or lead nowhere', () => {
  const options = { siteUrl: 'http://site.test', pageUrl: '', pictures: new Map<string, string>() };
  const toLink = (href: string) => toXhtml(`<a href="${href}">x</a>`, options).body;
  expect(toLink('http://a.example/?a=[1]|%zz#x#y^')).toBe(
    '<a href="http://a.example/?a=%5B1%5D%7C%25zz#x%23y%5E">x</a>',
  );
  expect(toLink('https://[::1]:80/a%20b')).toBe('<a href="https://[::1]:80/a%20b">x</a>');
  expect(toLink('mailto:a|b@c.example')).toBe('<a href="mailto:a%7Cb@c.example">x</a>');
  expect(toLink('https://foo.`baz/')).toBe('<a>x</a>');
});
