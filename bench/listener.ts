import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { LIVE_PATH } from '@mozhan/contract/live.ts';

/** Client frames must be masked; a zero mask leaves the data unchanged. */
function frame(text: string): Buffer {
  const body = Buffer.from(text);
  const length =
    body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), body]);
}

/** Complete frames at the start of the data, and their length in bytes. */
function readFrames(data: Buffer): { texts: string[]; end: number } {
  const texts: string[] = [];
  let end = 0;
  while (data.length >= end + 2) {
    let length = (data[end + 1] ?? 0) & 0x7f;
    let from = end + 2;
    if (length === 126) {
      if (data.length < from + 2) break;
      length = data.readUInt16BE(from);
      from += 2;
    }
    if (data.length < from + length) break;
    texts.push(data.toString('utf8', from, from + length));
    end = from + length;
  }
  return { texts, end };
}

/**
 * Minimal Socket.IO client that listens to a room. Without the library, because thousands run in one process next to
 * the measured server and must be cheap. Resolves when it has joined.
 */
export function openListener(
  url: string,
  { token, essayId }: { token: string; essayId: string },
  onEvent: (packet: string) => void,
): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET ${LIVE_PATH}/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  const sendPacket = (text: string) => socket.write(frame(text));
  return new Promise((resolve, reject) => {
    const handlePacket = (packet: string): void => {
      if (packet.startsWith('42')) onEvent(packet);
      else if (packet === '2') sendPacket('3');
      else if (packet.startsWith('0')) sendPacket(`40${JSON.stringify({ token })}`);
      else if (packet.startsWith('40')) sendPacket(`420${JSON.stringify(['join', [essayId]])}`);
      else if (packet.startsWith('430')) resolve(socket);
      else if (packet.startsWith('44')) reject(new Error(packet));
    };
    let isOpen = false;
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isOpen) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        isOpen = true;
        rest = rest.subarray(end + 4);
      }
      const { texts, end } = readFrames(rest);
      rest = rest.subarray(end);
      for (const text of texts) handlePacket(text);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
  });
}
