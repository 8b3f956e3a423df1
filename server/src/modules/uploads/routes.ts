import { uploadFile } from '#contract/uploads.ts';
import { bind } from '../../http/route.ts';
import { signedIn } from '../../http/viewer.ts';
import { uploadImage } from './actions.ts';

export const routes = [bind(uploadFile, (ctx) => uploadImage(ctx, signedIn(ctx)))];
