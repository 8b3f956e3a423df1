import type { ImportedStatus } from './types.ts';

/** Why an item is not public, for the report. */
export const STATUS_REASONS: Record<ImportedStatus, string> = {
  published: '',
  draft: '原文是草稿',
  scheduled: '还没有到发布时间，作为草稿导入',
  private: '原文是私密的，作为草稿导入',
  password: '原文有密码，作为草稿导入',
  hidden: '原文是隐藏的，作为草稿导入',
  members: '原文只给会员看，作为草稿导入，设好价格后再发布',
  paid: '原文只给付费会员看，作为草稿导入，设好价格后再发布',
};
