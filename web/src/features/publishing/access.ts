import type { Draft } from '#web/features/writing/draft.ts';

/** Who may read the full text: everybody, members, or buyers. */
export type Access = 'free' | 'member' | 'paid';

export const DEFAULT_PRICE = 300;

export function accessOf({ price, memberFree }: Pick<Draft, 'price' | 'memberFree'>): Access {
  if (price > 0) return 'paid';
  return memberFree ? 'member' : 'free';
}

/** The fields of the essay after the choice; `price` is used for paid essays only. */
export function toAccess(
  access: Access,
  before: Pick<Draft, 'price' | 'memberFree'>,
  price: number,
): Pick<Draft, 'price' | 'memberFree'> {
  if (access === 'free') return { price: 0, memberFree: false };
  if (access === 'member') return { price: 0, memberFree: true };
  // A switch of its own decides whether members must buy a paid essay.
  return { price, memberFree: accessOf(before) === 'paid' && before.memberFree };
}

/** Says who reads what, in one sentence. */
export function accessHint(access: Access, previewPercent: number): string {
  if (access === 'free') return '所有人都能读到全文。';
  const others = previewPercent === 0 ? '其他人只看得到标题和摘要' : '其他人只能试读';
  return `${access === 'member' ? '会员' : '买下的人'}读全文，${others}。`;
}
