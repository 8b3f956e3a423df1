import { createServer } from 'node:http';

/** The least a Node server can do: sends the same bytes and headers whatever is asked. Told what over IPC. */
process.on('message', ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
});
// Whoever started us is gone.
process.on('disconnect', () => process.exit());
