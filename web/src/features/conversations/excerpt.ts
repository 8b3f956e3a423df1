import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { truncate } from '#web/lib/format.ts';

const MAX_LENGTH = 60;

const stripMarkdown = (text: string) =>
  text
    .replace(/```\w*/g, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/^ *(?:>|#{1,6} )+/gm, '')
    .replace(/\*\*([^\s*][^*]*)\*\*/g, '$1')
    .replace(/\*([^\s*][^*]*)\*/g, '$1')
    .replace(/~~([^\s~][^~]*)~~/g, '$1')
    .replace(/`/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** One line of plain text for a message. */
export function excerptOf({ kind, content, essay, removed }: ChatMessage): string {
  if (removed) return '消息已撤回';
  if (kind === 'image') return '[图片]';
  if (kind === 'essay') return `[文章] ${essay?.title ?? '已不在架上'}`;
  return truncate(stripMarkdown(content), MAX_LENGTH);
}
