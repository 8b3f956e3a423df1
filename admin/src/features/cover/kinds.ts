import type { CoverKind } from '@mozhan/contract/covers.ts';

export const kindNames: Record<CoverKind, string> = { library: '封面', banner: '横幅' };
