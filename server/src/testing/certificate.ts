import { sign } from 'node:crypto';
import type { Keys } from './http-server.ts';

function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const value = Buffer.concat(parts);
  const length =
    value.length < 128
      ? [value.length]
      : value.length < 256
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length & 255];
  return Buffer.concat([Uint8Array.of(tag, ...length), value]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, 'hex');
const utcTime = (time: Date) =>
  der(0x17, Buffer.from(`${time.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

/** Creates a self-signed certificate, valid for five years, because Node can only read certificates. */
export function createCertificate({ privateKey, publicKey }: Keys, serial: string): string {
  const algorithm = sequence(der(0x06, hex('2a864886f70d01010b')), der(0x05));
  const name = sequence(
    der(0x31, sequence(der(0x06, hex('550403')), der(0x0c, Buffer.from('Tenpay.com sign')))),
  );
  const year = 365 * 86_400_000;
  const content = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, hex(serial)),
    algorithm,
    name,
    sequence(utcTime(new Date(Date.now() - year)), utcTime(new Date(Date.now() + 4 * year))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('RSA-SHA256', content, privateKey);
  const bytes = sequence(content, algorithm, der(0x03, Uint8Array.of(0), signature));
  const lines = Buffer.from(bytes).toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
