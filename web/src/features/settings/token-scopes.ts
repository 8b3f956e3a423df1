import type { TokenScope } from '@mozhan/contract/define.ts';

export const scopeLabels: Record<TokenScope, { name: string; text: string }> = {
  'essay:read': { name: '读文章', text: '列出你的文章，读原文和历史版本' },
  'essay:write': { name: '写文章', text: '新建草稿，保存修改；不能删除' },
  'essay:submit': { name: '提交与上下架', text: '提交审核、撤回、上架、下架' },
  'upload:write': { name: '上传', text: '上传图片和附件' },
};
