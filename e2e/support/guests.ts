import { IDENTITY } from '@mozhan/contract/enums.ts';
import { strToU8, zipSync } from 'fflate';
import type { TestUser } from './users.ts';

const FIRST_AT = Date.parse('2019-04-02T08:00:00Z');
const HOUR = 3_600_000;

/** Ids are ordered by time, and so are lists of comments. */
const newIdAt = (time: number): string =>
  time.toString(16).padStart(12, '0') + crypto.randomUUID().replaceAll('-', '').slice(12);

interface GuestLine {
  name: string;
  site?: string;
  content: string;
  /** Position of the comment it belongs to; none: a comment. */
  root?: number;
  /** Position of the reply it answers. */
  replyTo?: number;
}

const toDocument = (id: string, title: string) => `---
id: ${id}
author: moved-writer
status: published
title: ${title}
category: tech
createdAt: 2019-04-01T08:00:00Z
publishedAt: 2019-04-01T08:00:00Z
updatedAt: 2019-04-01T08:00:00Z
---

搬来的正文。
`;

/** Imports an essay with comments of guests, as an export of another installation. Returns the id of the essay. */
export async function importGuests(
  baseURL: string,
  admin: TestUser,
  title: string,
  lines: readonly GuestLine[],
): Promise<string> {
  const essay = newIdAt(FIRST_AT);
  const ids = lines.map((_, index) => newIdAt(FIRST_AT + index * HOUR));
  const at = (position: number | undefined) => (position === undefined ? null : (ids[position] ?? null));
  const comments = lines.map(({ name, site = '', content, root, replyTo }, index) =>
    JSON.stringify({
      id: ids[index],
      essay,
      root: at(root),
      author: null,
      guest: { name, site },
      replyToGuest: at(replyTo),
      content,
      createdAt: new Date(FIRST_AT + index * HOUR),
    }),
  );
  const zip = zipSync({
    'manifest.json': strToU8(
      JSON.stringify({
        format: 'mozhan-export',
        version: 1,
        scope: 'site',
        counts: { essays: 1, comments: lines.length },
      }),
    ),
    'authors.json': strToU8(
      `[\n${JSON.stringify({ account: 'moved-writer', displayName: '搬家的人', identity: IDENTITY.writer, createdAt: '2019-01-01T00:00:00Z' })}\n]\n`,
    ),
    [`essays/${essay}.md`]: strToU8(toDocument(essay, title)),
    'comments.json': strToU8(`[\n${comments.join(',\n')}\n]\n`),
  });
  const body = new FormData();
  body.append('file', new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }), 'site.zip');
  const response = await fetch(`${baseURL}/api/core/sys/transfer/import`, {
    method: 'POST',
    headers: { token: admin.token },
    body,
  });
  const { data } = (await response.json()) as { data: { id: string } };
  for (;;) {
    const { list } = await admin.call('GET core/sys/transfer/', { id: data.id });
    if (list[0]?.status === 'done') return essay;
    if (list[0]?.status === 'failed') throw new Error(list[0].message);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
