import { finishUpload, signUpload, uploadFile } from '@mozhan/contract/uploads.ts';
import { bind } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { store } from './actions.ts';
import { openUpload, takeUpload } from './direct.ts';

export const routes = [
  bind(uploadFile, (ctx, { kind }) => store(ctx, signedIn(ctx), kind)),
  bind(signUpload, async (ctx, input) => openUpload(ctx, signedIn(ctx), input)),
  bind(finishUpload, (ctx, { ticket }) => takeUpload(ctx, signedIn(ctx), ticket)),
];
