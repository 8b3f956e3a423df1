import { lazyPart } from '../lib/lazy-part.ts';

/** Its code is fetched when one is shown. */
export const QrCode = lazyPart(() => import('./qr-code.tsx'), 'QrCode');
