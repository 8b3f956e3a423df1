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

/** Staff do not read messages between users, so they do not see the pictures in them either. */
const isMessage = ({ kind }: MediaUse): boolean => kind === 'chat' || kind === 'letter';

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
  if ('thumbPath' in file) {
    const isHidden = uses.length > 0 && uses.every(isMessage);
    return {
      ...shared,
      kind: 'image',
      name: '',
      type: 'image/webp',
      url: isHidden ? '' : files.urlOf(file.path),
      thumbUrl: isHidden ? '' : files.urlOf(file.thumbPath),
      width: file.width,
      height: file.height,
    };
  }
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
