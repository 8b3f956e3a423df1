import { type Look, makePng } from '@mozhan/server/testing/pictures.ts';
import type { Person } from './people.ts';

/** A picture of one colour, for a file field. */
export const pictureFile = async (name: string, look?: Look) => ({
  name,
  mimeType: 'image/png',
  buffer: await makePng(look),
});

/** Uploads a picture of one colour and returns its path. */
export async function uploadPicture({ token }: Person, baseURL: string, look?: Look): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([Buffer.from(await makePng(look))], { type: 'image/png' }), 'picture.png');
  const url = new URL('/api/core/minio/upload', baseURL);
  const answer = await (await fetch(url, { method: 'POST', headers: { token }, body })).json();
  return answer.data.path;
}
