import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayStatus, RevisionStatus } from '@mozhan/contract/essays.ts';
import { Space, Tag } from 'antd';

export const essayStatusNames: Record<EssayStatus, string> = {
  [ESSAY_STATUS.draft]: '草稿',
  [ESSAY_STATUS.waiting]: '待审核',
  [ESSAY_STATUS.approved]: '待上架',
  [ESSAY_STATUS.onShelf]: '已上架',
  [ESSAY_STATUS.offShelf]: '已下架',
  [ESSAY_STATUS.rejected]: '已驳回',
};

const revisionNames: Record<RevisionStatus, string> = {
  [ESSAY_STATUS.draft]: '修订中',
  [ESSAY_STATUS.waiting]: '修订待审核',
  [ESSAY_STATUS.rejected]: '修订已驳回',
};

const colours: Record<EssayStatus, string> = {
  [ESSAY_STATUS.draft]: 'default',
  [ESSAY_STATUS.waiting]: 'warning',
  [ESSAY_STATUS.approved]: 'processing',
  [ESSAY_STATUS.onShelf]: 'success',
  [ESSAY_STATUS.offShelf]: 'default',
  [ESSAY_STATUS.rejected]: 'error',
};

interface EssayState {
  status: EssayStatus;
  revision: RevisionStatus | null;
}

export const textOfStatus = ({ status, revision }: EssayState): string =>
  [essayStatusNames[status], ...(revision === null ? [] : [revisionNames[revision]])].join('，');

export function EssayStatusTags({ status, revision }: EssayState) {
  return (
    <Space size={4}>
      <Tag variant="filled" color={colours[status]}>
        {essayStatusNames[status]}
      </Tag>
      {revision === null ? null : (
        <Tag variant="filled" color={colours[revision]}>
          {revisionNames[revision]}
        </Tag>
      )}
    </Space>
  );
}
