import { createPng, type PictureOptions } from '@mozhan/server/testing/pictures.ts';
import type { TestUser } from './users.ts';

/** A picture of one colour, for a file field. */
export const pictureFile = async (name: string, options?: PictureOptions) => ({
  name,
  mimeType: 'image/png',
  buffer: await createPng(options),
});

export async function uploadPicture(
  { token }: TestUser,
  baseURL: string,
  options?: PictureOptions,
): Promise<string> {
  const body = new FormData();
  body.append(
    'file',
    new Blob([Buffer.from(await createPng(options))], { type: 'image/png' }),
    'picture.png',
  );
  const url = new URL('/api/core/minio/upload', baseURL);
  const answer = await (await fetch(url, { method: 'POST', headers: { token }, body })).json();
  return answer.data.path;
}
