import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Format of a value: `enc1:<key id>:<nonce, tag and ciphertext>`. */
const VERSION = 'enc1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Encryption {
  prefix: string;
  /** `context` names table, column and row; a value copied to another row cannot be decrypted there. */
  encrypt: (context: string, text: string) => string;
  decrypt: (context: string, value: string) => string;
  hasKey: (keyId: string) => boolean;
}

/** Identifies a key without revealing it. */
const idOf = (key: KeyObject): string =>
  createHash('sha256').update('mozhan key id\n').update(key.export()).digest('hex').slice(0, 8);

/** The id of the key that encrypted the value; null if it is not encrypted. */
export function keyIdOf(value: string): string | null {
  const [version, keyId = null] = value.split(':', 2);
  return version === VERSION ? keyId : null;
}

/** The first key encrypts; all of them decrypt. */
export function createEncryption([current, ...old]: readonly [KeyObject, ...KeyObject[]]): Encryption {
  const keys = new Map([...old, current].map((key) => [idOf(key), key]));
  const prefix = `${VERSION}:${idOf(current)}:`;
  return {
    prefix,
    hasKey: (keyId) => keys.has(keyId),
    encrypt(context, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
    },
    decrypt(context, value) {
      const [version, keyId = '', content = ''] = value.split(':');
      const key = keys.get(keyId);
      if (version !== VERSION || key === undefined)
        throw new Error(`not encrypted by a known key: ${context}`);
      const bytes = Buffer.from(content, 'base64url');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

export const newKeyText = (): string => randomBytes(KEY_BYTES).toString('base64');

/** Parses keys in Base64 or hexadecimal, separated by commas or lines; null if any part is not a key. */
export function parseKeys(text: string): KeyObject[] | null {
  const parts = text
    .replaceAll(/^#.*$/gm, '')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  const keys = parts.map(parseKey);
  return keys.length > 0 && keys.every((key) => key !== null) ? keys : null;
}

function parseKey(text: string): KeyObject | null {
  const isHex = /^[0-9A-Fa-f]{64}$/.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  return createSecretKey(Buffer.from(text, isHex ? 'hex' : 'base64'));
}
