import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { newId } from '../../../db/id.ts';
import { readChat, sendChat, sendLetter, sendToRoom, updateRoom } from '../../messaging/chats/index.ts';
import {
  createAction,
  type DemoAction,
  getDemoUser,
  getEssayId,
  HOUR_MS,
  hoursAfter,
  hoursBefore,
} from './timeline.ts';

const MINUTE_MS = 60_000;

/** `# from to 210h` is the first letter, 210 hours ago; `## from 6h` is a reply 6 hours after the previous one. */
const LETTER = /^#{1,2} (\w+)(?: (\w+))? (\d+)h$/m;
/** `## 31h` starts a conversation 31 hours ago, with one line per message. */
const SESSION = /^## (\d+)h$/m;
/**
 * `account 3m >other text` is sent 3 minutes after the previous line and replies to the last message of `other`; a line
 * without text marks the messages as read.
 */
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

function planLetters(now: Date, { text }: TextFile): DemoAction[] {
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
    return createAction(at, from, async (ctx, viewer, state) => {
      const letter = await sendLetter(ctx, viewer, {
        toUserId: getDemoUser(state, to).viewer.id,
        subject,
        content: content.trim(),
        ...(essay === undefined ? {} : { essayId: getEssayId(state, essay) }),
        parentId,
      });
      parentId = letter.id;
    });
  });
}

interface Line {
  by: string;
  at: Date;
  /** Replies to the last message of this account. */
  replyTo: string | undefined;
  /** Undefined if the user only read the messages. */
  text: string | undefined;
}

function readLines(now: Date, text: string): Line[] {
  const [, ...parts] = text.split(SESSION);
  const lines: Line[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    let time = now.getTime() - Number(parts[i]) * HOUR_MS;
    for (const line of (parts[i + 1] ?? '').trim().split('\n')) {
      const [, by = '', minutes, replyTo, content] = LINE.exec(line) ?? [];
      time += Number(minutes) * MINUTE_MS;
      lines.push({ by, at: new Date(time), replyTo, text: content });
    }
  }
  return lines;
}

type ActionRun = Parameters<typeof createAction>[2];

/** Converts `[[slug]]` to an essay card and other lines to a text message. */
function toMessageBody(text: string, state: Parameters<ActionRun>[2]) {
  const slug = CARD.exec(text)?.[1];
  return slug === undefined
    ? { kind: 'text' as const, content: text, clientId: newId() }
    : { kind: 'essay' as const, content: getEssayId(state, slug), clientId: newId() };
}

/** A user who sends a message has read the previous ones. */
function planPrivateChat(now: Date, { text }: TextFile): DemoAction[] {
  const [, one = '', other = ''] = /^# (\w+) (\w+)$/m.exec(text) ?? [];
  let [lastSeq, lastSender] = [0, ''];
  return readLines(now, text).map(({ by, at, text }) =>
    createAction(at, by, async (ctx, viewer, state) => {
      const userId = getDemoUser(state, by === one ? other : one).viewer.id;
      if (lastSender !== by) await readChat(ctx, viewer, { userId, seq: lastSeq });
      if (text === undefined) return;
      lastSender = by;
      ({ seq: lastSeq } = await sendChat(ctx, viewer, { toUserId: userId, ...toMessageBody(text, state) }));
    }),
  );
}

function planRoom(now: Date, { name, text }: TextFile): DemoAction[] {
  let [lastSeq, lastSender] = [0, ''];
  const lastMessageIds = new Map<string, string>();
  return readLines(now, text).map(({ by, at, replyTo, text }) =>
    createAction(at, by, async (ctx, viewer, state) => {
      const essayId = getEssayId(state, name);
      if (lastSender !== by) await updateRoom(ctx, viewer, { essayId, seq: lastSeq });
      if (text === undefined) return;
      lastSender = by;
      const replyToId = replyTo === undefined ? undefined : lastMessageIds.get(replyTo);
      const message = await sendToRoom(ctx, viewer, { essayId, replyToId, ...toMessageBody(text, state) });
      lastMessageIds.set(by, message.id);
      lastSeq = message.seq;
    }),
  );
}

export async function planMessages(now: Date): Promise<DemoAction[]> {
  const [letters, chats, rooms] = await Promise.all(['letters', 'chats', 'rooms'].map(readFolder));
  return [
    ...(letters ?? []).flatMap((file) => planLetters(now, file)),
    ...(chats ?? []).flatMap((file) => planPrivateChat(now, file)),
    ...(rooms ?? []).flatMap((file) => planRoom(now, file)),
  ];
}
