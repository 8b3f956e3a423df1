import { Space, Tag } from 'antd';
import type { EssayStatus, RevisionStatus } from '#contract/essays.ts';

export const essayStatusNames: Record<EssayStatus, string> = {
  0: '草稿',
  1: '待审核',
  2: '待上架',
  3: '已上架',
  4: '已下架',
  5: '已驳回',
};

const revisionNames: Record<RevisionStatus, string> = {
  0: '修订中',
  1: '修订待审核',
  5: '修订已驳回',
};

const colours: Record<EssayStatus, string> = {
  0: 'default',
  1: 'warning',
  2: 'processing',
  3: 'success',
  4: 'default',
  5: 'error',
};

interface EssayState {
  status: EssayStatus;
  revision: RevisionStatus | null;
}

export const textOfStatus = ({ status, revision }: EssayState): string =>
  [essayStatusNames[status], ...(revision === null ? [] : [revisionNames[revision]])].join('，');

/** Where an essay is in its life, and what is under way beside. */
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
