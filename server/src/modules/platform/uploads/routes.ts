import * as media from '@mozhan/contract/media.ts';
import { fetchPicture, finishUpload, signUpload, uploadFile } from '@mozhan/contract/uploads.ts';
import { bind } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { finishDirectUpload, signDirectUpload } from './actions/direct-upload.ts';
import { fetchRemotePicture } from './actions/fetch-picture.ts';
import { cleanOwnStorage, getOwnStorage } from './actions/storage.ts';
import { storeUpload } from './actions/upload.ts';

export const routes = [
  bind(uploadFile, (ctx, { kind }) => storeUpload(ctx, requireSignedIn(ctx), kind)),
  bind(signUpload, (ctx, input) => signDirectUpload(ctx, requireSignedIn(ctx), input)),
  bind(finishUpload, (ctx, { ticket }) => finishDirectUpload(ctx, requireSignedIn(ctx), ticket)),
  bind(fetchPicture, (ctx, { url }) => fetchRemotePicture(ctx, requireSignedIn(ctx), url)),
  bind(media.getOwnStorage, (ctx) => getOwnStorage(ctx, requireSignedIn(ctx).id)),
  bind(media.cleanOwnStorage, (ctx) => cleanOwnStorage(ctx, requireSignedIn(ctx).id)),
];
