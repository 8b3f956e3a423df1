import type { Declaration } from '@mozhan/contract/essays.ts';

/** How an author declares the origin of a text: as a short badge and as a description. */
export const declarationLabels: Record<
  Exclude<Declaration, 'none'>,
  { badge: string; description: string }
> = {
  'ai-assisted': { badge: 'AI 辅助', description: '本文写作时使用了 AI 辅助，内容经作者核对。' },
  'ai-generated': { badge: 'AI 生成', description: '本文由 AI 生成，请注意甄别。' },
  fiction: { badge: '虚构', description: '本文情节为虚构。' },
  reprint: { badge: '转载', description: '本文为转载，著作权属于原作者。' },
};
