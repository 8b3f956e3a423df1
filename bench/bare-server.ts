import { createServer } from 'node:http';

/** Minimal Node server for comparison: sends fixed bytes and headers, which it receives over IPC, for every request. */
process.on('message', ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
});
// The parent process has exited.
process.on('disconnect', () => process.exit());
