import { createHash, randomBytes, randomFillSync } from 'node:crypto';

/** Random bytes are generated for many ids at once, because every request needs one. */
const POOL_SIZE = 512;
const pool = Buffer.alloc(POOL_SIZE * 16);
let used = POOL_SIZE;
let last = 0;
let counter = 0;

/** UUIDv7 without dashes: time-ordered, and strictly increasing within this process. */
export function newId(now = Date.now()): string {
  if (used === POOL_SIZE) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used * 16, used * 16 + 16);
  used += 1;
  if (now > last) {
    last = now;
    counter = bytes.readUInt16BE(6) & 0x07ff;
  } else {
    counter += 1;
    // The 12-bit counter is full: borrow from the next millisecond.
    if (counter > 0x0fff) {
      last += 1;
      counter = 0;
    }
  }
  return format(bytes, last, counter);
}

function format(bytes: Buffer, time: number, counter: number): string {
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex');
}

/** An id for a row that was created in the past; `order` sorts rows of the same millisecond. */
export const newPastId = (time: number, order: number): string =>
  format(randomBytes(16), Math.max(0, time), order & 0x0fff);

/** The same id for the same time and seed, so that it is known before its row exists. */
export function deriveId(time: number, seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  return format(bytes, Math.max(0, time), bytes.readUInt16BE(6) & 0x0fff);
}
