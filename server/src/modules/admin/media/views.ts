import type { MediaFile, MediaUse, MediaUseKind } from '@mozhan/contract/media.ts';
import type { FileStore } from '../../../files/files.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import { graceEnd } from '../../platform/uploads/index.ts';
import type { MediaRow } from './queries/files.ts';
import type { Place } from './queries/uses.ts';

export const toMediaUse = (kind: MediaUseKind, place: Place | undefined): MediaUse => ({
  kind,
  title: place?.title ?? '',
  link: place?.link ?? null,
});

export function toMediaFile(
  { file, user }: MediaRow,
  { files, uses, now }: { files: FileStore; uses: MediaUse[]; now: Date },
): MediaFile {
  const shared = {
    id: file.id,
    bytes: file.bytes,
    user: toUserCard(user, now),
    isUsed: file.isUsed,
    isFresh: file.createdAt >= graceEnd(now),
    uses,
    createdAt: file.createdAt.toISOString(),
  };
  if ('thumbPath' in file)
    return {
      ...shared,
      kind: 'image',
      name: '',
      type: 'image/webp',
      url: files.urlOf(file.path),
      thumbUrl: files.urlOf(file.thumbPath),
      width: file.width,
      height: file.height,
    };
  return {
    ...shared,
    kind: 'attachment',
    name: file.name,
    type: file.type,
    url: '',
    thumbUrl: '',
    width: null,
    height: null,
  };
}
