import { finishUpload, signUpload, uploadFile } from '@mozhan/contract/uploads.ts';
import { bind } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { storeUpload } from './actions.ts';
import { finishDirectUpload, signDirectUpload } from './direct-upload.ts';

export const routes = [
  bind(uploadFile, (ctx, { kind }) => storeUpload(ctx, requireSignedIn(ctx), kind)),
  bind(signUpload, async (ctx, input) => signDirectUpload(ctx, requireSignedIn(ctx), input)),
  bind(finishUpload, (ctx, { ticket }) => finishDirectUpload(ctx, requireSignedIn(ctx), ticket)),
];
