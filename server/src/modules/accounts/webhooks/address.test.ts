import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { postWebhook } from './post.ts';
import { checkEndpointUrl } from './rules.ts';

test.each([
  'http://example.com/hook',
  'https://user:pass@example.com/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.1.2.3/',
  'https://192.168.0.1:8443/',
  'https://172.31.255.255/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://localhost/',
  'https://printer.local/',
])('refuses %s', (url) => {
  expect(() => checkEndpointUrl(url, false)).toThrow();
});

test.each(['https://example.com/hook', 'https://1.1.1.1/', 'https://[2606:4700:4700::1111]/'])(
  'accepts %s',
  (url) => {
    expect(() => checkEndpointUrl(url, false)).not.toThrow();
  },
);

test.each(['https://169.254.169.254/', 'https://127.0.0.1:1/', 'http://1.1.1.1/'])(
  'sends nothing to %s even if it was saved when private addresses were allowed',
  async (url) => {
    const { code, error } = await postWebhook({ url, headers: {}, body: '{}', allowPrivate: false });
    expect([code, error]).toEqual([null, '不能发往本机或内网的地址']);
  },
);

test('ends with a receiver that changes the protocol', async () => {
  const receiver = createServer((socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const { code, error } = await postWebhook({ url, headers: {}, body: '{}', allowPrivate: true });
  expect([code, error]).toEqual([null, '对方断开了连接']);
  receiver.close();
});
