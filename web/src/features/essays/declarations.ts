import type { Declaration } from '@mozhan/contract/essays.ts';

/** What an author says about how a text came to be: in a word, and in a sentence. */
export const declarationWords: Record<Exclude<Declaration, 'none'>, { badge: string; sentence: string }> = {
  'ai-assisted': { badge: 'AI 辅助', sentence: '本文写作时使用了 AI 辅助，内容经作者核对。' },
  'ai-generated': { badge: 'AI 生成', sentence: '本文由 AI 生成，请注意甄别。' },
  fiction: { badge: '虚构', sentence: '本文情节为虚构。' },
  reprint: { badge: '转载', sentence: '本文为转载，著作权属于原作者。' },
};
