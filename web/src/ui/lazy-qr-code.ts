import { lazyComponent } from '../lib/lazy-component.ts';

export const QrCode = lazyComponent(() => import('./qr-code.tsx'), 'QrCode');
