import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Signed description of a direct upload; the client sends it back when the upload is finished. */
const ticket = z.object({
  id: z.string(),
  userId: z.string(),
  kind: z.enum(['image', 'attachment']),
  name: z.string(),
  bytes: z.int(),
  expires: z.int(),
});
type Ticket = z.output<typeof ticket>;

const sign = (secret: string, text: string): Buffer =>
  createHmac('sha256', secret).update(`upload\n${text}`).digest();

export function createTicket(secret: string, given: Ticket): string {
  const text = Buffer.from(JSON.stringify(given)).toString('base64url');
  return `${text}.${sign(secret, text).toString('base64url')}`;
}

/** Returns null if the signature is invalid. */
export function parseTicket(secret: string, given: string): Ticket | null {
  const [text = '', signature = ''] = given.split('.');
  const found = Buffer.from(signature, 'base64url');
  const expected = sign(secret, text);
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) return null;
  return ticket.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
}
