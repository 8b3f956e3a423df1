/** Whose text says which, never what somebody wrote or where they live. */
const PLAIN = new Set([
  'id',
  'no',
  'purpose',
  'kind',
  'day',
  'after',
  'key',
  'event',
  'essayId',
  'userId',
  'version',
]);
const ID = /^[0-9a-f]{32}$/;
const WORD = /^[\w:.-]{1,64}$/;

function toText(name: string, value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `${value.length} 项`;
  if (typeof value === 'object') return `${Object.keys(value).length} 项`;
  const text = String(value);
  const isPlain = ID.test(text) || (PLAIN.has(name) && WORD.test(text));
  return isPlain ? text : `${[...text].length} 个字符`;
}

/** What a job is about, without what is nobody's business: mails and codes travel by jobs too. */
export function showPayload(payload: unknown): { name: string; value: string }[] {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return [];
  return Object.entries(payload).flatMap(([name, value]) =>
    // What the schedule adds of its own.
    name === '_cron' ? [] : [{ name, value: toText(name, value) }],
  );
}

const LONGEST_ERROR = 500;
const CREDENTIALS_START = ' \t\r\n/';
const ADDRESS_START = `${CREDENTIALS_START}<>"'(),:;`;

/** Without the characters at its end that are not in `set`. */
function upTo(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && !set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** What stands before an `@`, without whose address or password it is. */
function hideBefore(text: string, next: string): string {
  const server = upTo(text, CREDENTIALS_START);
  if (server.endsWith('://') && server !== text) return `${server}…`;
  const start = upTo(text, ADDRESS_START);
  return start !== text && /^[\w-]+\./.test(next) ? `${start}…` : text;
}

/** Why it failed, without addresses of people and passwords of servers. */
export const showError = (error: string): string => {
  const parts = error.split('@');
  return parts
    .map((part, at) => (at === parts.length - 1 ? part : hideBefore(part, parts[at + 1] ?? '')))
    .join('@')
    .slice(0, LONGEST_ERROR);
};
