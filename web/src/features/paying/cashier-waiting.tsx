import { Skeletons } from '#web/ui/waiting.tsx';

export const CashierWaiting = () => (
  <>
    <p className="sr" role="status">
      正在载入…
    </p>
    <Skeletons lines={['70', '82', '100 l', '100 l']} />
  </>
);
