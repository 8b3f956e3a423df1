import type { Declaration } from '@mozhan/contract/essays.ts';
import { trimEnd } from '@mozhan/contract/scan.ts';
import { parse } from 'yaml';
import { type Draft, emptyDraft } from '#web/features/writing/draft.ts';

const declarations: readonly Declaration[] = ['ai-assisted', 'ai-generated', 'fiction', 'reprint'];

export interface Named {
  id: string;
  slug: string;
  name: string;
}

export interface ReadEssay {
  draft: Draft;
  /** What could not be taken, in words for the author. */
  skipped: string[];
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const MOST_CHARACTERS = 200_000;
const LEAST_FEN = 100;
const MOST_FEN = 100_000;

/** Several names that other programs have for the same. */
const first = (data: Record<string, unknown>, ...names: string[]): unknown =>
  names.map((name) => data[name]).find((value) => value !== undefined && value !== null && value !== '');

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const asList = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(asText).filter(Boolean);
  return asText(value)
    .split(/[,，、\s]+/)
    .filter(Boolean);
};

/** Of a sum in yuan; what is none is free. */
const asFen = (value: unknown): number => {
  const fen = Math.round(Number(value) * 100);
  return fen >= LEAST_FEN && fen <= MOST_FEN ? fen : 0;
};

const cut = (text: string, most: number): string => [...text].slice(0, most).join('');

function readData(text: string, skipped: string[]): Record<string, unknown> {
  try {
    const data: unknown = parse(text, { maxAliasCount: 10 });
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  } catch {
    skipped.push('文件头的格式不对，没有读取');
    return {};
  }
}

/** A heading at the very beginning is the title, unless there is one already. */
function takeTitle(body: string): [title: string, rest: string] {
  const [line = '', ...rest] = body.trimStart().split('\n');
  const title = /^#\s/.test(line) ? trimEnd(line.slice(1).trim(), '#').trim() : '';
  return title === '' ? ['', body] : [title, rest.join('\n').trimStart()];
}

/** One Markdown file with what stands at its head. */
export function readMarkdown(text: string, fileName: string, categories: readonly Named[]): ReadEssay {
  const skipped: string[] = [];
  const found = FRONT_MATTER.exec(text);
  const data = found === null ? {} : readData(found[1] ?? '', skipped);
  let content = (found === null ? text : text.slice(found[0].length))
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '');
  let title = asText(first(data, 'title'));
  if (title === '') [title, content] = takeTitle(content);
  title ||= fileName.replace(/^.*\//, '').replace(/\.\w+$/, '');

  if ([...content].length > MOST_CHARACTERS) {
    content = cut(content, MOST_CHARACTERS);
    skipped.push('超过 20 万字，后面的没有读取');
  }
  const wanted = asList(first(data, 'category', 'categories'));
  const category = categories.find(({ slug, name }) => wanted.includes(slug) || wanted.includes(name));
  if (wanted.length > 0 && category === undefined) skipped.push(`没有「${wanted[0]}」这个分类`);

  const tags = [...new Set(asList(first(data, 'tags', 'tag', 'keywords')))].map((tag) =>
    cut(tag.replace(/[<>"'&,，、;；/\\]/g, ''), 20),
  );
  if (tags.length > 5) skipped.push(`标签最多 5 个，去掉了 ${tags.slice(5).join('、')}`);

  const price = asFen(first(data, 'price'));
  if (price === 0 && ![undefined, 0, '0'].includes(first(data, 'price') as never))
    skipped.push('价格不对，没有读取');
  const percent = Number(first(data, 'previewPercent'));
  const source = asText(first(data, 'source'));
  const said = asText(first(data, 'declaration'));
  const declaration = declarations.find((name) => name === said) ?? 'none';
  return {
    draft: {
      ...emptyDraft,
      title: cut(title.replace(/\s+/g, ' '), 100),
      content: content.trim(),
      categoryId: category?.id ?? null,
      tags: tags.filter(Boolean).slice(0, 5),
      summary: cut(asText(first(data, 'summary', 'description', 'excerpt')), 200),
      price,
      memberFree: data.memberFree === true,
      ...(Number.isInteger(percent) && percent >= 0 && percent <= 90 ? { previewPercent: percent } : {}),
      declaration,
      source: /^https?:/.test(source) && URL.canParse(source) && source.length <= 500 ? source : '',
    },
    skipped,
  };
}
