import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link leads to: a version of the essay itself, in a format, or one of its attachments. */
export type Target = {
  essayId: string;
  /** Whether it was on the shelf when the link was made. */
  isShelved: boolean;
  /** Of whoever it was made for, unless that was a visitor: the link ends with it. */
  sessionId?: string | undefined;
} & ({ version: number; format: 'md' | 'epub' } | { attachmentId: string });

const LINK =
  /^([0-9a-f]{32})-([sd])(?:a([0-9a-f]{32})|([ve])(\d{1,9}))(?:-u([0-9a-f]{32}))?-([0-9a-z]{1,12})-([\w-]{43})$/;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`download\n${text}`).digest('base64url');

/** Good until then for whoever has it, as long as whom it was made for is signed in and may read. */
export function makeLink(secret: string, target: Target, expiresAt: Date): string {
  const what =
    'attachmentId' in target
      ? `a${target.attachmentId}`
      : `${target.format === 'epub' ? 'e' : 'v'}${target.version}`;
  const whose = target.sessionId === undefined ? '' : `-u${target.sessionId}`;
  const shelf = target.isShelved ? 's' : 'd';
  const text = `${target.essayId}-${shelf}${what}${whose}-${expiresAt.getTime().toString(36)}`;
  return `${text}-${sign(secret, text)}`;
}

/** Null when it is none of ours. */
export function readLink(secret: string, link: string): { target: Target; expiresAt: Date } | null {
  const [, essayId = '', shelf = '', attachmentId, format, version, sessionId, time = '', signature = ''] =
    LINK.exec(link) ?? [];
  if (essayId === '') return null;
  // As they are written: the last character of a signature has bits that stand for nothing.
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(secret, link.slice(0, -signature.length - 1)));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return {
    target: {
      essayId,
      isShelved: shelf === 's',
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(attachmentId === undefined
        ? { version: Number(version), format: format === 'e' ? 'epub' : 'md' }
        : { attachmentId }),
    },
    expiresAt: new Date(Number.parseInt(time, 36)),
  };
}
