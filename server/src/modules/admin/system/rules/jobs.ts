/** Fields whose values identify something and contain no personal data. */
const VISIBLE_FIELDS = new Set([
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
  const isPlain = ID.test(text) || (VISIBLE_FIELDS.has(name) && WORD.test(text));
  return isPlain ? text : `${[...text].length} 个字符`;
}

/** Replaces values that may be private by their length, because payloads also contain mails and codes. */
export function redactPayload(payload: unknown): { name: string; value: string }[] {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return [];
  return Object.entries(payload).flatMap(([name, value]) =>
    // graphile-worker adds this field to scheduled jobs.
    name === '_cron' ? [] : [{ name, value: toText(name, value) }],
  );
}

const MAX_ERROR_LENGTH = 500;
const CREDENTIALS_START = ' \t\r\n/';
const ADDRESS_START = `${CREDENTIALS_START}<>"'(),:;`;

/** Removes the characters at the end that are not in `set`. */
function trimEndUntil(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && !set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function redactBefore(text: string, next: string): string {
  const server = trimEndUntil(text, CREDENTIALS_START);
  if (server.endsWith('://') && server !== text) return `${server}…`;
  const start = trimEndUntil(text, ADDRESS_START);
  return start !== text && /^[\w-]+\./.test(next) ? `${start}…` : text;
}

export const redactError = (error: string): string => {
  const parts = error.split('@');
  return parts
    .map((part, at) => (at === parts.length - 1 ? part : redactBefore(part, parts[at + 1] ?? '')))
    .join('@')
    .slice(0, MAX_ERROR_LENGTH);
};
