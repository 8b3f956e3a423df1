import { uploadFile } from '#contract/uploads.ts';
import { bind } from '../../http/route.ts';
import { signedIn } from '../../http/viewer.ts';
import { uploadAttachment, uploadImage } from './actions.ts';

export const routes = [
  bind(uploadFile, async (ctx, { kind }) =>
    kind === 'attachment' ? uploadAttachment(ctx, signedIn(ctx)) : uploadImage(ctx, signedIn(ctx)),
  ),
];
