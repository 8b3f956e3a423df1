import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { solveChallenge } from 'altcha-lib';
import { deriveKey as deriveNatively } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge, DeriveKeyFunction } from 'altcha-lib/types';
import type { WorkerResult } from './solve-challenge.ts';

const hashes: Record<string, typeof sha256 | typeof sha512> = {
  'PBKDF2/SHA-256': sha256,
  'PBKDF2/SHA-384': sha384,
  'PBKDF2/SHA-512': sha512,
};

/** Fallback in JavaScript, because `crypto.subtle` is not available on plain HTTP. */
const deriveInScript: DeriveKeyFunction = async ({ algorithm, cost, keyLength }, salt, password) => {
  const hash = hashes[algorithm];
  if (hash === undefined) throw new Error(`unknown algorithm ${algorithm}`);
  return { derivedKey: pbkdf2(hash, password, salt, { c: cost, dkLen: keyLength }) };
};

async function solve(challenge: Challenge): Promise<WorkerResult> {
  const deriveKey = globalThis.crypto?.subtle === undefined ? deriveInScript : deriveNatively;
  try {
    return { solution: await solveChallenge({ challenge, deriveKey }) };
  } catch (error) {
    return { error: String(error) };
  }
}

self.onmessage = async ({ data }: MessageEvent<Challenge>) => self.postMessage(await solve(data));
