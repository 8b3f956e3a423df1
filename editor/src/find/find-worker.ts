import { answer, type FindRequest } from './find-rules.ts';

addEventListener('message', ({ data }: MessageEvent<FindRequest>) => postMessage(answer(data)));
postMessage('ready');
