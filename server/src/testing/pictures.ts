import sharp, { type Sharp } from 'sharp';
import type { TestApp } from './app.ts';
import { uploadFile } from './uploads.ts';

export interface PictureOptions {
  width?: number;
  height?: number;
  /** `#rgb`, `#rrggbb`, or `#rrggbbaa` for a transparent picture. */
  background?: string;
}

/** Creates a picture of one colour, which the caller encodes. */
export const createPicture = ({ width = 60, height = 40, background = '#369' }: PictureOptions = {}): Sharp =>
  sharp({ create: { width, height, channels: background.length === 9 ? 4 : 3, background } });

export const createPng = (options?: PictureOptions): Promise<Buffer> =>
  createPicture(options).png().toBuffer();

/** Uploads a picture of one colour and returns its path. */
export async function uploadPicture(t: TestApp, token: string, options?: PictureOptions): Promise<string> {
  const file = { name: 'a.png', content: await createPng(options) };
  const { data } = await uploadFile(t, 'core/minio/upload', file, token);
  return data.path;
}
