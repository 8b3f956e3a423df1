import { createHmac, randomInt } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { Ctx } from '../../../../ctx.ts';
import { insertSpentChallenge } from '../queries/accounts.ts';

const CHALLENGE_LIFETIME = 10 * 60_000;
/** About half a second on a phone; the server checks it in two milliseconds. */
const COST = 2000;
const COUNTER_RANGE = { min: 100, max: 300 };

const keyFor = (ctx: Ctx, use: string) => createHmac('sha256', ctx.services.secret).update(use).digest('hex');

export async function issueChallenge(ctx: Ctx): Promise<Record<string, unknown>> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(COUNTER_RANGE.min, COUNTER_RANGE.max),
    deriveKey,
    expiresAt: new Date(ctx.now.getTime() + CHALLENGE_LIFETIME),
    hmacSignatureSecret: keyFor(ctx, 'challenge'),
    hmacKeySignatureSecret: keyFor(ctx, 'challenge key'),
  });
  return { ...challenge };
}

const solutionSchema = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      expiresAt: z.number(),
    }),
    signature: z.string(),
  }),
  solution: z.looseObject({ counter: z.number(), derivedKey: z.string() }),
});

/** Throws unless the solution belongs to an unexpired challenge of this site that was not used before. */
export async function requireChallenge(ctx: Ctx, encodedSolution: string | undefined): Promise<void> {
  if (!ctx.services.config.challenge) return;
  if (encodedSolution === undefined || encodedSolution === '') throw new CallError('CHALLENGE_REQUIRED');
  const parsed = solutionSchema.safeParse(parseBase64(encodedSolution));
  if (!parsed.success) throw new CallError('CHALLENGE_FAILED');
  const { challenge, solution } = parsed.data;
  const result = await verifySolution({
    challenge,
    solution,
    deriveKey,
    hmacSignatureSecret: keyFor(ctx, 'challenge'),
    hmacKeySignatureSecret: keyFor(ctx, 'challenge key'),
  }).catch(() => ({ verified: false }));
  const expiresAt = new Date(challenge.parameters.expiresAt * 1000);
  if (!result.verified || expiresAt <= ctx.now) throw new CallError('CHALLENGE_FAILED');
  if (!(await insertSpentChallenge(ctx.db, challenge.signature, expiresAt)))
    throw new CallError('CHALLENGE_FAILED');
}

function parseBase64(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return null;
  }
}
