import type { Declaration } from '@mozhan/contract/essays.ts';
import { isReadPrice } from '@mozhan/contract/money.ts';
import { trimEnd } from '@mozhan/contract/text-scan.ts';
import { parse } from 'yaml';
import { type Draft, emptyDraft } from '#web/features/writing/draft.ts';

const declarations: readonly Declaration[] = ['ai-assisted', 'ai-generated', 'fiction', 'reprint'];

export interface CategoryRef {
  id: string;
  slug: string;
  name: string;
}

export interface ParsedEssay {
  draft: Draft;
  /** Descriptions, for the author, of everything that could not be used. */
  skipped: string[];
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const MAX_CHARACTERS = 200_000;

/** Returns the first value found, as programs use different names for the same field. */
const firstValue = (data: Record<string, unknown>, ...names: string[]): unknown =>
  names.map((name) => data[name]).find((value) => value !== undefined && value !== null && value !== '');

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const asList = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(asText).filter(Boolean);
  return asText(value)
    .split(/[,，、\s]+/)
    .filter(Boolean);
};

/** Converts an amount in yuan; an invalid one counts as free. */
const asFen = (value: unknown): number => {
  const fen = Math.round(Number(value) * 100);
  return isReadPrice(fen) ? fen : 0;
};

const truncate = (text: string, maxLength: number): string => [...text].slice(0, maxLength).join('');

function parseFrontMatter(text: string, skipped: string[]): Record<string, unknown> {
  try {
    const data: unknown = parse(text, { maxAliasCount: 10 });
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  } catch {
    skipped.push('文件头的格式不对，没有读取');
    return {};
  }
}

function extractTitle(body: string): [title: string, rest: string] {
  const [line = '', ...rest] = body.trimStart().split('\n');
  const title = /^#\s/.test(line) ? trimEnd(line.slice(1).trim(), '#').trim() : '';
  return title === '' ? ['', body] : [title, rest.join('\n').trimStart()];
}

export function readMarkdown(
  text: string,
  fileName: string,
  categories: readonly CategoryRef[],
): ParsedEssay {
  const skipped: string[] = [];
  const found = FRONT_MATTER.exec(text);
  const data = found === null ? {} : parseFrontMatter(found[1] ?? '', skipped);
  let content = (found === null ? text : text.slice(found[0].length))
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '');
  let title = asText(firstValue(data, 'title'));
  if (title === '') [title, content] = extractTitle(content);
  title ||= fileName.replace(/^.*\//, '').replace(/\.\w+$/, '');

  if ([...content].length > MAX_CHARACTERS) {
    content = truncate(content, MAX_CHARACTERS);
    skipped.push('超过 20 万字，后面的没有读取');
  }
  const requestedCategories = asList(firstValue(data, 'category', 'categories'));
  const category = categories.find(
    ({ slug, name }) => requestedCategories.includes(slug) || requestedCategories.includes(name),
  );
  if (requestedCategories.length > 0 && category === undefined)
    skipped.push(`没有「${requestedCategories[0]}」这个分类`);

  const tags = [...new Set(asList(firstValue(data, 'tags', 'tag', 'keywords')))].map((tag) =>
    truncate(tag.replace(/[<>"'&,，、;；/\\]/g, ''), 20),
  );
  if (tags.length > 5) skipped.push(`标签最多 5 个，去掉了 ${tags.slice(5).join('、')}`);

  const price = asFen(firstValue(data, 'price'));
  if (price === 0 && ![undefined, 0, '0'].includes(firstValue(data, 'price') as never))
    skipped.push('价格不对，没有读取');
  const percent = Number(firstValue(data, 'previewPercent'));
  const source = asText(firstValue(data, 'source'));
  const declared = asText(firstValue(data, 'declaration'));
  const declaration = declarations.find((name) => name === declared) ?? 'none';
  return {
    draft: {
      ...emptyDraft,
      title: truncate(title.replace(/\s+/g, ' '), 100),
      content: content.trim(),
      categoryId: category?.id ?? null,
      tags: tags.filter(Boolean).slice(0, 5),
      summary: truncate(asText(firstValue(data, 'summary', 'description', 'excerpt')), 200),
      price,
      memberFree: data.memberFree === true,
      ...(Number.isInteger(percent) && percent >= 0 && percent <= 90 ? { previewPercent: percent } : {}),
      declaration,
      source: /^https?:/.test(source) && URL.canParse(source) && source.length <= 500 ? source : '',
    },
    skipped,
  };
}
