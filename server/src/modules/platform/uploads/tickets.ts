import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** For what a place in the store was opened; whoever it was opened for carries it until the file is there. */
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

export function makeTicket(secret: string, given: Ticket): string {
  const text = Buffer.from(JSON.stringify(given)).toString('base64url');
  return `${text}.${sign(secret, text).toString('base64url')}`;
}

/** Null when it is none of ours. */
export function readTicket(secret: string, given: string): Ticket | null {
  const [text = '', signature = ''] = given.split('.');
  const found = Buffer.from(signature, 'base64url');
  const expected = sign(secret, text);
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) return null;
  return ticket.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
}
