import { createHmac, timingSafeEqual } from 'node:crypto';

export type LinkTarget = {
  essayId: string;
  /** Whether the essay was on the shelf when the link was created. */
  isShelved: boolean;
  /** Session of the user; the link expires with it. Undefined for visitors. */
  sessionId?: string | undefined;
} & ({ version: number; format: 'md' | 'epub' } | { attachmentId: string });

const LINK =
  /^([0-9a-f]{32})-([sd])(?:a([0-9a-f]{32})|([ve])(\d{1,9}))(?:-u([0-9a-f]{32}))?-([0-9a-z]{1,12})-([\w-]{43})$/;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`download\n${text}`).digest('base64url');

export function signLink(secret: string, target: LinkTarget, expiresAt: Date): string {
  const item =
    'attachmentId' in target
      ? `a${target.attachmentId}`
      : `${target.format === 'epub' ? 'e' : 'v'}${target.version}`;
  const session = target.sessionId === undefined ? '' : `-u${target.sessionId}`;
  const shelf = target.isShelved ? 's' : 'd';
  const text = `${target.essayId}-${shelf}${item}${session}-${expiresAt.getTime().toString(36)}`;
  return `${text}-${sign(secret, text)}`;
}

/** Returns null if the signature is invalid. */
export function verifyLink(secret: string, link: string): { target: LinkTarget; expiresAt: Date } | null {
  const [, essayId = '', shelf = '', attachmentId, format, version, sessionId, time = '', signature = ''] =
    LINK.exec(link) ?? [];
  if (essayId === '') return null;
  // Compares the encoded text, because the last base64url character has unused bits.
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
