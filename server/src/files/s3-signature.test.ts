import { expect, test } from 'vitest';
import { presign, sha256, sign } from './s3-signature.ts';

/** Examples from Amazon's documentation. */
const account = {
  region: 'us-east-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const now = new Date('2013-05-24T00:00:00Z');
const HOST = 'https://examplebucket.s3.amazonaws.com';
const empty = sha256('');

test('signs requests like the examples of Amazon', () => {
  const signatureOf = (path: string, headers: Record<string, string> = {}) =>
    sign({ method: 'GET', url: new URL(HOST + path), headers }, account, {
      now,
      payload: empty,
    }).authorization?.replace(/.*Signature=/, '');
  expect(signatureOf('/test.txt', { range: 'bytes=0-9' })).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  expect(signatureOf('/?max-keys=2&prefix=J')).toBe(
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
  expect(signatureOf('/?lifecycle')).toBe('fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543');
});

test('presigns URLs like the example of Amazon', () => {
  const url = new URL(`${HOST}/test.txt`);
  const signed = presign({ method: 'GET', url, headers: {} }, account, { now, seconds: 86_400 });
  expect(signed).toContain(
    'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});
