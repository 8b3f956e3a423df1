import type { OwnExport, RemotePicture, Transfer, TransferItem } from '@mozhan/contract/transfer.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import type { User } from '../../accounts/users/tables.ts';
import type { ListedPicture } from './queries/pictures.ts';
import type { TransferWithUsers } from './queries/runs.ts';
import type { ItemRow, TransferRow } from './tables.ts';

const toCardOrNull = (user: User | null, now: Date) => (user === null ? null : toUserCard(user, now));

export const toTransfer = ({ transfer, author, by }: TransferWithUsers, now: Date): Transfer => ({
  id: transfer.id,
  kind: transfer.kind,
  scope: transfer.scope,
  format: transfer.format,
  status: transfer.status,
  author: toCardOrNull(author, now),
  by: toCardOrNull(by, now),
  total: transfer.total,
  done: transfer.done,
  message: transfer.message,
  report: transfer.report,
  pictures: {
    total: transfer.picturesTotal,
    done: transfer.picturesDone,
    failed: transfer.picturesFailed,
  },
  fileName: transfer.fileName,
  fileBytes: transfer.filePath === null ? null : transfer.fileBytes,
  createdAt: transfer.createdAt.toISOString(),
  endedAt: transfer.endedAt?.toISOString() ?? null,
});

export const toItem = ({ seq, kind, outcome, title, note, targetId }: ItemRow): TransferItem => ({
  id: seq,
  kind,
  outcome,
  title,
  note,
  essayId: kind === 'essay' ? targetId : null,
});

export const toRemotePicture = ({ picture, usedIn }: ListedPicture): RemotePicture => ({
  id: picture.id,
  kind: picture.kind,
  url: picture.url,
  host: picture.host,
  status: picture.status,
  attempts: picture.attempts,
  error: picture.error,
  usedIn: usedIn.map(({ kind, id, title, isCover }) => ({ kind, id, title, isCover })),
});

export const toOwnExport = (row: TransferRow, file: OwnExport['file']): OwnExport => ({
  status: row.status,
  total: row.total,
  done: row.done,
  message: row.message,
  createdAt: row.createdAt.toISOString(),
  bytes: row.filePath === null ? null : row.fileBytes,
  file,
});
