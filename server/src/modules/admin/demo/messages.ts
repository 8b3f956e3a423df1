import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { newId } from '../../../db/id.ts';
import { readChat, sendChat, sendLetter, sendToRoom, updateRoom } from '../../messaging/chats/index.ts';
import { type Deed, deedOf, getEssayId, getPerson, HOUR_MS, hoursAfter, hoursBefore } from './history.ts';

const MINUTE_MS = 60_000;

/** `# from to 210h`: the first letter, so long ago; `## from 6h` answers the one above, so long after it. */
const LETTER = /^#{1,2} (\w+)(?: (\w+))? (\d+)h$/m;
/** `## 31h`: they talked so long ago, a line for each message. */
const SESSION = /^## (\d+)h$/m;
/** `account 3m >other text`, so long after the line above, answers what the other said last; without text it was read. */
const LINE = /^(\w+) (\d+)m(?: >(\w+))?(?: (.+))?$/;
const CARD = /^\[\[(.+)\]\]$/;

interface TextFile {
  name: string;
  text: string;
}

async function readFolder(name: string): Promise<TextFile[]> {
  const folder = new URL(`./community/${name}/`, import.meta.url);
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -3),
      text: await readFile(new URL(file, folder), 'utf8'),
    })),
  );
}

const head = z.object({ subject: z.string(), essay: z.string().optional() });

function planLetters(now: Date, { text }: TextFile): Deed[] {
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n+(.*)$/s.exec(text) ?? [];
  const { subject, essay } = head.parse(parse(front));
  const [, ...parts] = body.split(LETTER);
  const [writer = '', reader = ''] = parts;
  let at = now;
  let parentId: string | undefined;
  return Array.from({ length: parts.length / 4 }, (_, i) => {
    const [from = '', , hours, content = ''] = parts.slice(i * 4, i * 4 + 4);
    at = i === 0 ? hoursBefore(now, Number(hours)) : hoursAfter(at, Number(hours));
    const to = from === writer ? reader : writer;
    return deedOf(at, from, async (ctx, viewer, world) => {
      const letter = await sendLetter(ctx, viewer, {
        toUserId: getPerson(world, to).viewer.id,
        subject,
        content: content.trim(),
        ...(essay === undefined ? {} : { essayId: getEssayId(world, essay) }),
        parentId,
      });
      parentId = letter.id;
    });
  });
}

interface Line {
  by: string;
  at: Date;
  /** Whose last words it answers. */
  answers: string | undefined;
  /** Nothing was said, only read. */
  text: string | undefined;
}

function readLines(now: Date, text: string): Line[] {
  const [, ...parts] = text.split(SESSION);
  const lines: Line[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    let time = now.getTime() - Number(parts[i]) * HOUR_MS;
    for (const line of (parts[i + 1] ?? '').trim().split('\n')) {
      const [, by = '', minutes, answers, said] = LINE.exec(line) ?? [];
      time += Number(minutes) * MINUTE_MS;
      lines.push({ by, at: new Date(time), answers, text: said });
    }
  }
  return lines;
}

type Say = Parameters<typeof deedOf>[2];

/** What is said, as it is sent: a text, or the card of an essay by the name of its text. */
function bodyOf(text: string, world: Parameters<Say>[2]) {
  const slug = CARD.exec(text)?.[1];
  return slug === undefined
    ? { kind: 'text' as const, content: text, clientId: newId() }
    : { kind: 'essay' as const, content: getEssayId(world, slug), clientId: newId() };
}

/** Whoever speaks has read what was said before. */
function planPair(now: Date, { text }: TextFile): Deed[] {
  const [, one = '', other = ''] = /^# (\w+) (\w+)$/m.exec(text) ?? [];
  let [last, speaker] = [0, ''];
  return readLines(now, text).map(({ by, at, text }) =>
    deedOf(at, by, async (ctx, viewer, world) => {
      const userId = getPerson(world, by === one ? other : one).viewer.id;
      if (speaker !== by) await readChat(ctx, viewer, { userId, seq: last });
      if (text === undefined) return;
      speaker = by;
      ({ seq: last } = await sendChat(ctx, viewer, { toUserId: userId, ...bodyOf(text, world) }));
    }),
  );
}

function planRoom(now: Date, { name, text }: TextFile): Deed[] {
  let [last, speaker] = [0, ''];
  const lastOf = new Map<string, string>();
  return readLines(now, text).map(({ by, at, answers, text }) =>
    deedOf(at, by, async (ctx, viewer, world) => {
      const essayId = getEssayId(world, name);
      if (speaker !== by) await updateRoom(ctx, viewer, { essayId, seq: last });
      if (text === undefined) return;
      speaker = by;
      const replyToId = answers === undefined ? undefined : lastOf.get(answers);
      const said = await sendToRoom(ctx, viewer, { essayId, replyToId, ...bodyOf(text, world) });
      lastOf.set(by, said.id);
      last = said.seq;
    }),
  );
}

/** What they wrote to each other, and said in the rooms of essays. */
export async function planMessages(now: Date): Promise<Deed[]> {
  const [letters, chats, rooms] = await Promise.all(['letters', 'chats', 'rooms'].map(readFolder));
  return [
    ...(letters ?? []).flatMap((file) => planLetters(now, file)),
    ...(chats ?? []).flatMap((file) => planPair(now, file)),
    ...(rooms ?? []).flatMap((file) => planRoom(now, file)),
  ];
}
