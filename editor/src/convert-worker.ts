import type { ConvertRequest, ConvertResponse } from './convert-html.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { createRandomKey } from './random-key.ts';

addEventListener('message', ({ data }: MessageEvent<ConvertRequest>) => {
  let response: ConvertResponse;
  try {
    response = htmlToMarkdown(data.html, { ...data, createToken: () => createRandomKey().slice(0, 10) });
  } catch (error) {
    response = { failed: String(error) };
  }
  postMessage(response);
});
