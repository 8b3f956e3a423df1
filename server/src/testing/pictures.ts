import sharp, { type Sharp } from 'sharp';
import type { TestApp } from './app.ts';
import { uploadFile } from './uploads.ts';

export interface Look {
  width?: number;
  height?: number;
  /** `#rgb` or `#rrggbb`; with a transparent part only as `#rrggbbaa`. */
  background?: string;
}

/** A picture of one colour, to be encoded. */
export const plainPicture = ({ width = 60, height = 40, background = '#369' }: Look = {}): Sharp =>
  sharp({ create: { width, height, channels: background.length === 9 ? 4 : 3, background } });

export const makePng = (look?: Look): Promise<Buffer> => plainPicture(look).png().toBuffer();

/** Uploads a picture of one colour and returns its path. */
export async function uploadPicture(t: TestApp, token: string, look?: Look): Promise<string> {
  const file = { name: 'a.png', content: await makePng(look) };
  const { data } = await uploadFile(t, 'core/minio/upload', file, token);
  return data.path;
}
